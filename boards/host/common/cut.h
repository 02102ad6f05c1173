/* SPDX-License-Identifier: MIT
 * Cuts a stream of bytes into messages, one after the other, in either framing. */
#ifndef HOST_CUT_H
#define HOST_CUT_H

#include "heap.h"
#include "quash/dialect.h"
#include "quash/lex.h"

/** The longest message that is handed on, in bytes. Tests build it smaller, at least 1 << 17. */
#ifndef CUT_LONGEST
#define CUT_LONGEST (16 << 20)
#endif
enum { CUT_MOST = CUT_LONGEST };

enum cut_event {
	CUT_MORE,    /* all bytes are used, and there is no message yet */
	CUT_MESSAGE, /* `bytes` holds one, without header and line end; with a header perhaps an empty one */
	CUT_SIGN,    /* an empty line */
	CUT_NOISE    /* `bytes` holds something that stands where a header must */
};

/** One direction of a line. The caller owns it, zeroes it and sets `heap` first; `cut_free` gives its memory back. */
struct cut {
	const struct heap *heap;
	quash_framing framing;
	bool begun;    /* it is not the first line */
	bool done;     /* what `bytes` holds was shown: the next byte begins anew */
	bool headed;   /* its length was read from a header */
	bool in_body;  /* after a header */
	bool too_long; /* what is being read is not stored whole */
	bool starved;  /* there was no memory for a message: it is lost, and all that follows is used up */
	size_t left;   /* of the body */
	size_t most;   /* bytes of a message that are stored, 0: all. Set it first: enough for a header */
	uint8_t *bytes;
	size_t length, room;
};

/** Reads bytes from `*at` on up to the end of a message. */
enum cut_event cut_read(struct cut *cut, const uint8_t *data, size_t n, size_t *at);

/** For who holds the bytes itself: how many of them are a whole line with its end, which needs no copy; 0: it is to be read by `cut_read`, as
 * headers are, empty lines, and what was begun there. The line counts as read. */
size_t cut_line_in_place(struct cut *cut, const uint8_t *data, size_t n);

/** The stream has ended: true if `bytes` holds a last line without its end. */
bool cut_end(struct cut *cut);

/** True if no message is begun: an empty line may stand here. */
bool cut_is_between(const struct cut *cut);

/** What has come of a message that has no end yet: `*n` bytes, as long as the cut is not used. */
const char *cut_rest(const struct cut *cut, size_t *n);

void cut_free(struct cut *cut);

/* --- A look at a message before a peer gets it: is it JSON-RPC at all, and which methods does it name? */

enum { LOOK_NAME = 128 };

/** Called for each request and notification that the message holds, in a batch for several. */
typedef void look_found(void *context, const char *method, bool notification);

struct look {
	bool json;  /* it is one JSON value */
	bool rpc;   /* and an object with `jsonrpc` and one of `method`, `result`, `error`, or an array that begins with such */
	bool array;
	bool answer; /* it has one of `result` and `error`, and no `method` */
	int64_t answers; /* the id of the request that it answers, if that is a number of at most 2^53; else -1 */
};

/** Looks at `n` bytes. `found` may be NULL. Names of LOOK_NAME bytes and more are not found. */
struct look look_at(const char *text, size_t n, look_found *found, void *context);

/** Where in the text a message begins that goes up to its end, after noise on the same line; `n` if none does. */
size_t look_for(const char *text, size_t n);

#endif
