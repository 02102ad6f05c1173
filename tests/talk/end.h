/* SPDX-License-Identifier: MIT
 * The peer's end of a scene: testee with some more methods, and a link that cuts what is said and delays what is answered
 * as the mode wants it. It needs the library and nothing else, so that it runs in the program that plays the scene
 * (here.c) or on a board (board/stub.c, spoken with by wire.c). */
#ifndef TALK_END_H
#define TALK_END_H

#include "testee.h"

#include "quash/port.h"

/* What may befall it; what may be asked of it. The names are those of talk.h; part of the protocol of wire.h. */
enum verb {
	SAY,
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
	CALL,
	UNCALL,
	STALL,
	DRAIN,
	COUNTER_IS,
	LIVE_IS,
	IDLE_IS,
	CALLS_IS,
	REASON_IS
};

enum mode_kind { WHOLE, PUMPED, BYTES, CUT, DRIP, STALLING, SLOTS, ARENA, TX };

/* How a scene is played. In the first four the answers come exactly as written; in the others whatever is
 * scarce may delay them, or replace them by a refusal. */
struct mode {
	enum mode_kind kind;
	uint32_t value; /* CUT: after that many bytes; else the size that is scarce (DRIP, STALLING: of TX) */
};

bool mode_is_exact(const struct mode *mode);

enum { ACP, LSP, MCP, JSONRPC, DIALECTS };
extern const quash_dialect *const end_dialects[DIALECTS];

/* Dialect, sizes and methods of a scene. */
struct setup {
	struct mode mode;
	uint8_t dialect;
	bool watched, asking;
	uint32_t slots, arena, tx;
};

/* Counters beside those of the peer, which come first: each is a place in quash_counters. */
enum { OWN_COUNTERS = 200, HOOKS = OWN_COUNTERS, NOTES, TOLD };

/* The longest session that `session/cancel` can name; calls of its fans, and of what the program asks, and the longest
 * name of that. */
enum { TAG_SIZE = 40, TALK_CALLS = 8, CALL_NAME = 16, REASON_SIZE = 32 };
enum { EXTRA_METHODS = 15, CALLERS = 17, METHODS = TESTEE_METHODS + CALLERS + EXTRA_METHODS };

struct end;

/* Who plays the scene is told: what was said; that so many bytes of the input were read just now and that so many are
 * read right after this, while `waiting` bytes stood in TX; that a busy handler takes its `wake`th turn. */
struct end_ears {
	void (*said)(struct end *end, const uint8_t *bytes, size_t n);
	void (*heard)(struct end *end, size_t before, size_t after, size_t waiting);
	void (*turn)(struct end *end);
};

struct end {
	quash_peer peer;
	quash_config config;
	quash_method methods[METHODS];
	struct testee testee; /* the config's context */
	quash_call calls[TALK_CALLS];
	char call_names[TALK_CALLS][CALL_NAME];
	char reason[REASON_SIZE];
	uint32_t told;  /* ends of calls that were told to `done` */
	uint32_t hooks; /* end hooks that ran */
	uint32_t notes; /* notifications that were handled */

	struct mode mode;
	const char *input; /* what was said and is not read yet */
	size_t left;
	uint32_t given, moved; /* bytes read; and said */
	bool ended, gone, stalled, unheard;
	unsigned reads, writes; /* in this pump */
	unsigned pumps;
	uint32_t now;
	uint32_t turns, wake; /* of a busy handler, in this step or these */

	const struct end_ears *ears;
	void *context;
};

/* Begins anew; all but `ears` and `context` is filled in. Memory comes from `take`, which may say NULL. Returns what is
 * wrong, or NULL. */
const char *end_open(struct end *end, const struct setup *setup, void *(*take)(struct end *end, size_t size));

/* One pump; and pumps until nothing has moved for `patience` of them, or until all input is read, if that is enough. */
void end_pump(struct end *end);
void end_settle(struct end *end, unsigned patience, bool heard_is_enough);

/* TICK to DRAIN. False: no live request has this id, or no call is free. */
bool end_befall(struct end *end, enum verb verb, uint32_t value, const char *text);

/* COUNTER_IS (of a place, see above) to CALLS_IS. */
uint32_t end_value(struct end *end, enum verb verb, uint8_t place);

/* Nothing is live, nothing waits in TX, unless the link is gone. */
bool end_is_over(struct end *end);

/* --- link.c: the link that a scene is played over */

quash_port end_port(struct end *end);
void end_feed_whole(struct end *end);

/* --- For the methods */

/* Their end; a call that is not in use, or NULL. */
struct end *end_of(const quash_peer *peer);
quash_call *end_free_call(struct end *end);

/* --- methods.c: testee's methods and some more */

/* Fills a table. What they do stands beside them. The last one handles notifications of the given name; prompts that
 * ask do as the first of caller_methods. */
void methods_all(quash_method *table, const char *watched, bool asking);

/* --- callers.c: methods that ask the other side, each with a habit of its own */

extern const quash_method caller_methods[CALLERS];

#endif
