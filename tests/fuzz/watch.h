/* SPDX-License-Identifier: MIT
 * The other side of a peer, as a witness: it knows what was sent to the peer, reads what that puts out, and ends the run
 * when it answers what nobody has asked or twice, or reports progress of what is answered, or names such a request. What is no JSON is counted. */
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
	bool by_line;              /* where messages begin is known: by lines, or by well-formed headers */
	bool any_token;            /* progress may have a token that the peer itself has made */
	bool skipping;             /* bytes were lost */
	bool related;              /* it was asked to name requests */
	bool unsure;               /* of an id, because something received was too large to be read here */
	unsigned messages;         /* received, members of batches included */
	unsigned answers, unnamed; /* put out; of these without an id */
	unsigned given_up;         /* messages that are none, because their put function put something else */
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
	uint32_t digest;   /* of everything that was put out */
	int32_t last_code; /* of the last answer: 0 for a result */
	char received[WATCH_TEXT], sent[WATCH_TEXT];
	size_t received_length, sent_length;
};

void watch_begin(struct watch *w, bool headers);

/* The peer has taken these bytes; some were lost after them; the input has ended; the link is another one. */
void watch_received(struct watch *w, const uint8_t *bytes, size_t n);
void watch_lost(struct watch *w);
void watch_ended(struct watch *w);
void watch_gone(struct watch *w);

/* The peer has put out these bytes. */
void watch_sent(struct watch *w, const uint8_t *bytes, size_t n);

/* Everything is at rest: no message is left in pieces. */
void watch_rest(const struct watch *w);

#endif
