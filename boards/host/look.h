/* SPDX-License-Identifier: MIT
 * A look at a message before a peer gets it: is it JSON-RPC at all, and which methods does it name? */
#ifndef HOST_LOOK_H
#define HOST_LOOK_H

#include "quash/lex.h"

enum { LOOK_NAME = 128 };

/** Called for each request and notification that the message holds, in a batch for several. */
typedef void look_found(void *context, const char *method, bool notification);

struct look {
	bool json;  /* it is one JSON value */
	bool rpc;   /* and an object with `jsonrpc` and one of `method`, `result`, `error`, or an array that begins with such */
	bool array;
	int64_t answers; /* the id of the request that it answers, if that is a number of at most 2^53; else -1 */
};

/** Looks at `n` bytes. `found` may be NULL. Names of LOOK_NAME bytes and more are not found. */
struct look look_at(const char *text, size_t n, look_found *found, void *context);

/** Where in the text a message begins that goes up to its end, behind noise on the same line; `n` if none does. */
size_t look_for(const char *text, size_t n);

#endif
