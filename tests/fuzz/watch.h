/* SPDX-License-Identifier: MIT
 * The other side of a peer, as a witness: it knows what was sent to the peer, reads what it says, and ends the run
 * when that is not JSON, answers what nobody has asked or twice, or tells progress of what is answered. */
#ifndef FUZZ_WATCH_H
#define FUZZ_WATCH_H

#include "fuzz.h"

enum { WATCH_IDS = 1000, WATCH_TOKENS = 400, WATCH_CALLS = 400, WATCH_TEXT = 1 << 17 };

/* What the peer has asked and nobody has answered yet. */
struct watch_call {
	uint32_t id;
	char method[40];
};

struct watch {
	bool headers;              /* messages come with Content-Length */
	bool by_line;              /* what is heard can be told apart: by lines, or by well-formed headers */
	bool any_token;            /* progress may have a token that the peer itself has made */
	bool skipping;             /* bytes were lost */
	bool unsure;               /* of an id, because something heard was too large to be read here */
	unsigned messages;         /* heard, members of batches included */
	unsigned answers, unnamed; /* said; of these without an id */
	struct {
		uint64_t id;
		unsigned asked, answered;
	} ids[WATCH_IDS];
	size_t id_count;
	struct {
		uint64_t token, id;
	} tokens[WATCH_TOKENS];
	size_t token_count;
	struct watch_call calls[WATCH_CALLS];
	size_t call_count;
	uint32_t last_call;
	uint32_t digest;   /* of everything that was said */
	int32_t last_code; /* of the last answer: 0 for a result */
	char heard[WATCH_TEXT], said[WATCH_TEXT];
	size_t heard_length, said_length;
};

void watch_begin(struct watch *w, bool headers);

/* The peer has taken these bytes; some were lost behind them; the input has ended; the link is another one. */
void watch_heard(struct watch *w, const uint8_t *bytes, size_t n);
void watch_lost(struct watch *w);
void watch_ended(struct watch *w);
void watch_gone(struct watch *w);

/* The peer has said these bytes. */
void watch_said(struct watch *w, const uint8_t *bytes, size_t n);

/* Everything is at rest: no message is left in pieces. */
void watch_rest(const struct watch *w);

#endif
