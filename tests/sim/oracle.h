/* SPDX-License-Identifier: MIT
 * What must hold, whatever happens. */
#ifndef SIM_ORACLE_H
#define SIM_ORACLE_H

#include "plain.h"
#include "sim.h"

void oracle_begin(void);

/* --- stream.c: what the peer of a link has taken */

void oracle_received(uint8_t link, const uint8_t *bytes, size_t n);
void oracle_lost(uint8_t link); /* bytes, just there */
void oracle_input_ended(uint8_t link);
/* A link begins anew, or a client does. */
void stream_begin(uint8_t link);
void stream_next_client(uint8_t link);
/* The last that came is a message, and no empty line behind it. */
bool stream_ends_once(uint8_t link);

/* --- sent.c: what it has put out */

void oracle_sent(uint8_t link, const uint8_t *bytes, size_t n);
void oracle_drained(uint8_t link); /* nothing waits in its TX */
bool oracle_was_drained(uint8_t link);
void sent_begin(uint8_t link);     /* a link begins anew */
void sent_reset(uint8_t link);     /* a run does */

/* Whole messages that stand in TX, in this order. */
void sent_answer(struct record *r);
void sent_news(uint8_t link, long serial);
void sent_progress(struct record *r, long k);
/* A handler tries again in the next step. */
void oracle_not_taken(struct record *r);
/* A message may be broken off, because of that record's answer. */
void sent_broken(struct record *r);

/* --- oracle.c: what becomes of requests */

struct record *oracle_new_record(uint8_t link);

/* A record is cancelled. False when that comes too late, or changes nothing. */
bool oracle_cancelled(struct record *r, enum cause cause);
/* In a step something is answered that waits for its handler: what would move after the end of input. */
void oracle_never_begins(struct record *r);
void oracle_cancelled_async(struct record *r);
void oracle_cancel_all(uint8_t link);
void oracle_gone(uint8_t link);
void oracle_reopened(uint8_t link);
bool oracle_is_linked(uint8_t link);
/* A request for a method that begins a session is received. */
void oracle_session_request(uint8_t link, bool member);
void oracle_new_session(uint8_t link);
/* The program says that a new client has come. */
void oracle_next_client(uint8_t link);

/* A record has got its slot. */
void oracle_parked(struct record *r);
/* Its answer is an error of the library's own, or the end that a cancel demands. */
void oracle_refused(struct record *r, enum content content, int32_t code);

/* Its handler is called; the library says why it is cancelled. */
void oracle_called(struct record *r, enum cause cause);
/* It acts, once. */
void oracle_acted(struct record *r);
/* It replies. False when that is ignored. */
bool oracle_replied(struct record *r, enum content content, int32_t code);
/* It has returned; `again`: it wants to be called again. */
void oracle_returned(struct record *r, int32_t outcome, bool again);
/* It waits for so many milliseconds. */
void oracle_sleeps(struct record *r, uint32_t ms);
/* It was woken. */
void oracle_woken(struct record *r);
/* It asks for a group, and is given it or not. */
void oracle_holds(struct record *r, uint8_t group, bool given);
void oracle_has_deadline(struct record *r, uint32_t ms);
/* Its hooks. */
void oracle_end_called(struct record *r);
void oracle_end_returned(struct record *r, bool again);
void oracle_released(struct record *r);
/* A put function of its answer is called. */
void oracle_puts(struct record *r);
/* It asks, for that request; `deadline` in milliseconds, 0: none. */
void oracle_asked(uint8_t link, uint32_t id, struct record *parent, uint32_t deadline);
/* The call with that id, on that link. */
struct ask *oracle_ask(uint8_t link, uint32_t id);

/* --- time.c */

void oracle_time(uint8_t link); /* its peer looks at the time that it was given */
void oracle_has_lease(struct record *r, uint32_t ms);
void oracle_life_sign(uint8_t link, bool arms);
/* Two messages came without an empty line between them. */
void time_single(uint8_t link);
/* Whether an empty line behind a message may be its end once more. */
bool time_may_be_end(uint8_t link);
void oracle_life(uint8_t link); /* a byte of a message that may still be one */
void time_begin(uint8_t link);
void time_session(uint8_t link);
void time_input_ended(uint8_t link);
void time_link(uint8_t link); /* a link begins anew */
/* After the end of input nobody begins to move. */
bool time_may_begin(const struct record *r);
/* A link's program would sleep for so long now. */
void oracle_idle(uint8_t link, uint32_t ms);
/* A step of its peer begins, has ended. */
void oracle_step_begins(uint8_t link);
void oracle_stepped(uint8_t link);

/* --- claims.c: what the library tells */

enum claim {
	CLAIM_RECEIVED,
	CLAIM_KEPT,
	CLAIM_PARKED,
	CLAIM_STARTED,
	CLAIM_FLAGGED,
	CLAIM_RECORDED,
	CLAIM_WRITTEN,
	CLAIM_SILENCED,
	CLAIM_REFUSED,
	CLAIM_FREED,
	CLAIM_LATE_CANCEL,
	CLAIM_DROPPED,
	CLAIM_MISUSED,
	CLAIM_NEW_SESSION,
	CLAIMS
};

/* Why, as far as it matters. */
enum reason {
	REASON_NONE,
	REASON_MESSAGE,  /* it is no message */
	REASON_TWICE,    /* its id is live */
	REASON_METHOD,
	REASON_LARGE,
	REASON_ARENA,
	REASON_SLOTS,
	REASON_BATCH,
	REASON_GROUP,
	REASON_CANCEL,
	REASON_LINK,
	REASON_SESSION,
	REASON_CHANGED,
	REASON_UNBALANCED,
	REASON_PROGRAM, /* what the program does, or answers */
	REASON_TX
};

/* `slot`: its index; the number of slots: what is being received; -1: none. */
void oracle_claim(uint8_t link, enum claim claim, int slot, int32_t detail, enum reason reason);
/* Nothing is under way: what the library has told and what must be are the same. */
void oracle_compare(uint8_t link);
void claims_begin(void);
void claims_gone(uint8_t link);
void claims_stepped(uint8_t link);

/* A notification was taken. */
void claims_notified(uint8_t link);
/* The tenant of a slot, or NULL. */
struct record *oracle_tenant(uint8_t link, unsigned slot);
unsigned oracle_claimed(uint8_t link, enum claim claim);
unsigned oracle_flagged(uint8_t link, enum cause cause);

/* What the library has decided about a message, or member of a batch. */
struct decision {
	enum claim claim; /* CLAIM_PARKED, CLAIM_REFUSED, CLAIM_DROPPED */
	int32_t code;
	enum reason reason;
	struct record *record; /* NULL: dropped, there is none */
};

/* The next one that no message was given yet; NULL: there is none. */
const struct decision *claims_next(uint8_t link);
void claims_taken(uint8_t link);
/* The last of them. */
const struct decision *claims_last(uint8_t link);
void claims_forget(uint8_t link); /* what was decided about the message that is given up */
bool claims_new_session(uint8_t link); /* one was begun since the last call */
bool claims_has_kept(uint8_t link); /* a whole message is kept */

/* --- rest.c */

/* Nobody has answered since, and nothing moves: what had to be cancelled is. */
void oracle_calls_at_rest(uint8_t link);
/* Nobody was cancelled, and time has passed: what can end by itself has ended. */
void oracle_ended_by_itself(uint8_t link);
/* Everything has come to rest. */
void oracle_rest(uint8_t link);

/* --- For each other */

unsigned oracle_marks(const struct record *r); /* of its method */
const struct method *oracle_method(const struct record *r); /* NULL: none that is known */
bool oracle_is_over(const struct record *r); /* ended, its hook done, its answer written or none */
bool oracle_is_live(const struct record *r); /* its id names it */
bool oracle_has_open_asks(const struct record *r); /* neither answered nor cancelled, or the cancel is under way */
bool oracle_link_is_asking(uint8_t link); /* there is such a one on that link */
bool oracle_is_asking(const struct record *r);
int32_t oracle_cancel_code(const struct record *r);
/* How the answer of a record must stand on the wire. Returns its length. */
size_t oracle_answer(char *text, size_t size, const struct record *r);
/* What its put functions put. */
size_t oracle_content(char *text, size_t size, const struct record *r);
/* Piece `i` of RESULT_ITEMS; false after the last. */
bool oracle_item(char *text, size_t size, const struct record *r, unsigned i);
/* How a result of that serial and size stands on the wire. */
size_t oracle_result(char *text, size_t size, long serial, unsigned pad);
const char *oracle_words(int32_t code);

/* What was put out on a link, what befell it, and what the program did. */
struct totals {
	uint32_t results, errors, misuses, dropped, signs;
	unsigned cuts, lost;
};
struct totals *oracle_totals(uint8_t link);

#endif
