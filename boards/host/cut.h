/* SPDX-License-Identifier: MIT
 * Cuts a stream of bytes into messages, one after the other, in either framing. */
#ifndef HOST_CUT_H
#define HOST_CUT_H

#include "quash/dialect.h"

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

/** One direction of a line. The caller owns it and zeroes it first; `cut_free` gives its memory back. */
struct cut {
	quash_framing framing;
	bool done;     /* what `bytes` holds was shown: the next byte begins anew */
	bool headed;   /* it has said how long it is */
	bool in_body;  /* behind a header */
	bool too_long; /* what is being read is not kept whole */
	size_t left;   /* of the body */
	uint8_t *bytes;
	size_t length, room;
};

/** Reads bytes from `*at` on up to the end of a message. */
enum cut_event cut_read(struct cut *cut, const uint8_t *data, size_t n, size_t *at);

/** The stream has ended: true if `bytes` holds a last line without its end. */
bool cut_end(struct cut *cut);

/** True if no message is begun: an empty line may stand here. */
bool cut_is_between(const struct cut *cut);

void cut_free(struct cut *cut);

#endif
