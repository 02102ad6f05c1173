/* SPDX-License-Identifier: MIT
 * What forwarding and relaying share. */
#ifndef QUASH_SRC_FORWARD_INNER_H
#define QUASH_SRC_FORWARD_INNER_H

#include "../../include/quash/forward.h"

enum { FORWARD_TOKENS = 2 };

/* True if a notification waits to be relayed from one peer to another, an older one than `before` if that is not
 * NULL. */
bool quash_relay_waits(const quash_peer *from, const quash_peer *to, const quash_request *before);

/* The method's name there; NULL when it has none, as the entry for all other names, whose names are not kept. */
const char *quash_forwarded_name(const quash_request *request, const quash_route *route);

/* Puts a token that the request came with. */
void quash_forwarded_put_token(quash_writer *w, const quash_request *request, uint8_t index);

/* True if the request came with that token. */
bool quash_forwarded_has_token(const quash_request *request, uint8_t index);

/* The letters that tokens of this hop begin with; the call's id follows. */
char quash_forwarded_letter(uint8_t index);

#endif
