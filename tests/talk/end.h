/* SPDX-License-Identifier: MIT
 * The peer's end of a scene: testee with some more methods, and a link that cuts what is sent and delays what is answered
 * as the mode wants it. It needs the library and nothing else, so that it runs in the program that plays the scene
 * (here.c) or on a board (board/stub.c, spoken with by wire.c). */
#ifndef TALK_END_H
#define TALK_END_H

#include "programs.h"
#include "testee.h"

#include "quash/port.h"

/* What may befall it; what may be asked of it. The names are those of talk.h; part of the protocol of wire.h. */
enum verb {
	SEND,
	EXPECT,
	EXPECT_NOTHING,
	ALLOW,
	STEP,
	TICK,
	END,
	GONE,
	REOPEN,
	LOST,
	LOCAL,
	ASYNC,
	SHUTDOWN,
	SESSION,
	CALL,
	UNCALL,
	STALL,
	DRAIN,
	DOES,
	RUN,
	COUNTER_IS,
	LIVE_IS,
	IDLE_IS,
	CALLS_IS,
	REASON_IS,
	TRACE_IS,
	DID_IS
};

enum mode_kind { WHOLE, SPLIT, PUMPED, BYTES, CUT, DRIP, STALLING, HALT, SLOTS, ARENA, TX };

/* How a scene is played. WHOLE feeds all in one call, as far as the peer takes it, SPLIT byte by byte, with the outs at
 * the same places; PUMPED is what firmware does; BYTES pumps for each byte, CUT between two parts, so there are more
 * outs. In all of these the answers come exactly as written. In the others whatever is scarce may delay them, or replace
 * them by a refusal. */
struct mode {
	enum mode_kind kind;
	uint32_t value; /* CUT, HALT: after that many bytes; else the size that is scarce (DRIP, STALLING: of TX) */
};

bool mode_is_exact(const struct mode *mode);

enum { ACP, LSP, MCP, JSONRPC, DIALECTS };
extern const quash_dialect *const end_dialects[DIALECTS];

/* Dialect, sizes and methods of a scene. */
struct setup {
	struct mode mode;
	const struct program *program; /* NULL: testee */
	uint8_t dialect;
	bool watched, asking;
	uint32_t slots, arena, tx;
};

/* Counters beside those of the peer, which come first: each is a place in quash_counters. Times, and what stands behind them, have
 * no such place: how many it takes depends on the width of a counter, which a board may have another of. */
enum { OWN_COUNTERS = 200, HOOKS = OWN_COUNTERS, RELEASED, NOTES, DONES, DISPENSED, LAST_CANCEL, SLOWEST_CANCEL, MOST_LIVE, MOST_ARENA,
	LONGEST_NOTIFICATION };

/* The longest session that `session/cancel` can name; calls of its fans, and of what the program asks, and the longest
 * name of that. */
enum { TAG_SIZE = 40, TEXT_SIZE = 16, TALK_CALLS = 8, CALL_NAME = 16, REASON_SIZE = 32, TALK_STATE_SIZE = TESTEE_STATE_SIZE };
enum { EXTRA_METHODS = 30, CALLERS = 17, METHODS = TESTEE_METHODS + CALLERS + EXTRA_METHODS };

struct end;

/* What who plays the scene learns: bytes were sent; so many bytes of the input were taken while `waiting` bytes stood in
 * TX; a busy handler takes its `wake`th turn; the peer's trace, or NULL. */
struct end_events {
	void (*sent)(struct end *end, const uint8_t *bytes, size_t n);
	void (*taken)(struct end *end, size_t n, size_t waiting);
	void (*turn)(struct end *end);
	quash_trace *trace;
};

struct end {
	const struct program *program; /* or NULL */
	quash_peer peer;
	quash_config config;
	quash_counters counters;
	struct testee testee; /* the config's context */
	quash_call calls[TALK_CALLS];
	char call_names[TALK_CALLS][CALL_NAME];
	char reason[REASON_SIZE];
	uint32_t dones;    /* calls of `done` that noted an end */
	uint32_t hooks;    /* calls of `end` hooks */
	uint32_t released; /* calls of `released` hooks */
	uint32_t notes;    /* notifications that were handled */
	uint32_t puts;     /* calls of put functions that put something else each time */

	struct mode mode;
	const char *input; /* what was sent and is not taken yet */
	size_t left;
	uint32_t given, written, moved; /* bytes taken; sent; both */
	bool ended, gone, stalled;
	bool lost;              /* a gap stands at that byte of the input */
	uint32_t gap;
	unsigned takes, writes; /* in this pump */
	unsigned pumps, halted; /* pumps; those while HALT stands */
	uint32_t now;
	uint32_t turns, wake; /* of a busy handler, in this step or these */

	const struct end_events *events;
	void *context;
};

/* known/known.c: the only end of a program that has its config and the library in one unit: of one dialect, and of scenes with
 * these sizes. */
enum { KNOWN_SLOTS = 8, KNOWN_ARENA = 4096, KNOWN_TX = 1024 };
#ifdef QUASH_THE_CONFIG
enum { END_HAS_ANY_SIZE = 0 };
extern struct end known_end;
#else
enum { END_HAS_ANY_SIZE = 1 };
#endif

/* Begins anew; all but `events` and `context` is filled in. Memory comes from `take`, which may be NULL. Returns what is
 * wrong, or NULL. */
const char *end_open(struct end *end, const struct setup *setup, void *(*take)(struct end *end, size_t size));

/* One pump; and pumps until nothing has moved for `patience` of them, or until all input is taken, if that is enough. */
void end_pump(struct end *end);
void end_settle(struct end *end, unsigned patience, bool taken_is_enough);

/* TICK to DOES. False: no live request has this id, no call is free, or the program does not know that. */
bool end_befall(struct end *end, enum verb verb, uint32_t value, const char *text);

/* COUNTER_IS (of a place, see above) to CALLS_IS. */
uint32_t end_value(struct end *end, enum verb verb, uint8_t place);

/* Nothing is live, nothing waits in TX, unless the link is gone. */
bool end_is_over(struct end *end);

/* --- link.c: the link that a scene is played over */

quash_port end_port(struct end *end);
/* Feeds in pieces of that size, and writes when no more is taken. */
void end_feed_all(struct end *end, size_t piece);

/* --- For the methods */

/* Their end; a call that is not in use, or NULL. */
struct end *end_of(const quash_peer *peer);
quash_call *end_free_call(struct end *end);

/* --- methods.c: testee's methods and some more */

/* The table: there is one. What they do stands beside them. The last one handles notifications of the given name; prompts that
 * ask do as the first of caller_methods. */
void methods_make(const char *watched, bool asking);
/* The groups that an earlier scene has left held are free: its requests are not there any more. */
void methods_reset_groups(void);
extern quash_method end_methods[METHODS];

/* --- callers.c: methods that ask the other side, each with a habit of its own */

/* They are only copied, so an AVR leaves them in flash. */
#ifdef __AVR__
#define TALK_FLASH __flash
#else
#define TALK_FLASH
#endif
extern const TALK_FLASH quash_method caller_methods[CALLERS];

#endif
