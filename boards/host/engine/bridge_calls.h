/* SPDX-License-Identifier: MIT
 * What clients ask, in the log: a line for each call, and for each cancel that cannot end one. */
#ifndef BRIDGE_CALLS_H
#define BRIDGE_CALLS_H

#include "bridge_inner.h"

/** Whose a request is: the client, with the name that it has given itself; in the modern era each request has it in its params. */
enum { CALLS_WHOSE = WIRE_NAME + 64 + 4 };
void calls_whose(const struct client *client, quash_value params, char to[CALLS_WHOSE]);

/** An event in the life of a client's request, of a wire that is a client's. */
void calls_see(struct wire *wire, quash_event event, const quash_request *request, int32_t detail);

/** Looks at a message of a client before its peer gets it: a cancel whose id is spelled, or is of a type, as that of no live request, ends
 * nothing, and nobody answers it. */
void calls_look_at(const struct client *client, const char *text, size_t n);

#endif
