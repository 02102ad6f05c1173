/* SPDX-License-Identifier: MIT
 * Confirmed motion: a tool of MCP that a person confirms before it moves, always or outside of a range.
 *
 *     struct move { quash_mcp_confirming confirming; int32_t steps; }; // begins so
 *     static quash_mcp_arming arming;
 *     static const quash_mcp_rule rules[] = {
 *         { .tool = "move", .call = move, .end = stop, .param = "steps", .above = 1000, .words = "Is the guard shut?",
 *           .by = QUASH_MCP_BY_PERSON | QUASH_MCP_BY_BUTTON, .wait = 60000, .arming = &arming } };
 *     static const quash_mcp_confirm confirm = QUASH_MCP_CONFIRM(rules);
 *     static const quash_mcp_part *const parts[] = { &quash_mcp_ask_part, &confirm.part, NULL };
 *     static const quash_config config = { ..., .calls = &quash_calls };
 *     static const quash_mcp_tool tools[] = {
 *         { .name = "move", .args = &move_params, .call = quash_mcp_confirm_call,
 *           .motion = { .end = quash_mcp_confirm_end, .longest = 60000 + 30000, .lease = 2000, .group = &arm } } };
 *
 * How far that reaches: **an answer by elicitation is as trustworthy as the host** that gives it. A host may answer by
 * itself. What it shows is its own affair. A button on the device is better: who presses it stands there. Who has to be
 * sure uses the button alone.
 *
 * What was confirmed is what runs. The arguments were checked and copied before. The question shows all of them.
 *
 * In the legacy era, and while the button is waited for, the request waits. Nothing of it moves. Its group is held, so
 * others of it are answered `busy`. Its lease runs. Its `motion.longest` is `wait` and the longest time of the motion
 * together. Once it is confirmed the motion has no more than its own. The `released` of the tool runs also if nothing
 * was confirmed.
 *
 * In the modern era (mcp_input.h) a question ends the request. The answer comes with the same request again.
 * **Meanwhile nothing is held: other calls of the tool may move.** `lifetime` of the quash_mcp_input is the time for an
 * answer. The state is of these arguments. It confirms or declines once. Each call of a tool with a rule uses its
 * state, also one that needs no confirmation. A state that is not younger than the last one used for the same `arming`
 * is refused.
 *
 * After a stop what was asked before it confirms nothing, however many stops come. A stop is `quash_mcp_disarm`. It is
 * also each cancel of a moving call of a rule with this `arming`, on any peer and for whatever cause, from when it is
 * received on: also if the answer to an older question comes with it. What waits is refused. A modern client is asked
 * anew.
 *
 * A device may start anew while its client goes on. Then a late answer to a question of before may come. So its calls
 * begin with another number, drawn at random (`quash_call_ids_from`). quash-bridge passes no late answers on.
 *
 * All of this belongs to the peer's thread, but for `quash_mcp_press`. */
#ifndef QUASH_MCP_CONFIRM_H
#define QUASH_MCP_CONFIRM_H

#include "mcp_ask.h"

#ifdef __cplusplus
extern "C" {
#endif

/** By what a call is confirmed. With both, a client that can be asked is, and the button works meanwhile: what comes
 * first counts, and the question is taken back. A client that answers it with an error has not asked: the button is
 * waited for. In the modern era nothing waits while the client asks. There the button is for clients that cannot
 * ask. */
enum {
	QUASH_MCP_BY_PERSON = 1 << 0, /**< elicitation: the client asks its user */
	QUASH_MCP_BY_BUTTON = 1 << 1  /**< `quash_mcp_press` */
};

/** What the tool's struct begins with. Opaque. */
typedef struct quash_mcp_confirming {
	quash_call call;
	quash_request *next; /* another one that moves */
	uint32_t since;      /* it waits */
	uint32_t stops;      /* when it began to wait */
	uint8_t stage;
	uint8_t presses;     /* that do not count */
	bool counts;         /* a press from now on */
} quash_mcp_confirming;

/** What is remembered of confirmations: of one rule, or of several that arm one machine. The caller owns it and zeroes
 * it first, and before another `quash_init`. States that have confirmed are forgotten with it, so the quash_mcp_input
 * has another key from then on. After 2^32 - 1 stops with a question before each nothing is confirmed until that is
 * done. Opaque. */
typedef struct quash_mcp_arming {
	const quash_request *waits;       /* for the button */
	quash_request *runs;              /* what moves, of all peers */
	const quash_mcp_session *session; /* in which it was armed, or NULL */
	uint32_t since, until;            /* when it was armed, and for how long */
	uint32_t last;                    /* when the last state that has confirmed was made */
	uint32_t stops;                   /* that came after something was asked */
	bool used;
	bool asked;                       /* something, since the last of them */
	volatile uint8_t presses;
} quash_mcp_arming;

/** A tool that is confirmed. Constant, may live in flash. */
typedef struct quash_mcp_rule {
	const char *tool;    /**< its name. Its `call` is quash_mcp_confirm_call, its `end` quash_mcp_confirm_end */
	quash_handler *call; /**< what it does: as the `call` of a quash_mcp_tool, as soon as it is confirmed */
	int32_t (*end)(quash_request *request); /**< as its `end`, or NULL. Runs only if `call` was called */
	/** One of its QUASH_ARG_INT: only calls with a value above or below must be confirmed. NULL: see `when`. */
	const char *param;
	int32_t above, below; /**< both 0: negative values must be confirmed as well as positive ones */
	/** In place of `param`, or NULL: true if the call must be confirmed. It reads QUASH_CONST_TOOL. Without both each
	 * must be. */
	bool (*when)(const quash_request *request);
	const char *words;   /**< what the question ends with, for the person; or NULL */
	uint32_t wait;       /**< ms that a person has, 1 to 2^31 - 1, and less than the tool's `motion.longest` */
	/** ms for which one confirmation is good for further calls: of this rule, and of others with this `arming` whose
	 * `armed` is not 0 either. 0: each call must be confirmed, whatever else is armed. **The device is armed then, for
	 * all who reach it**. Those are all clients of a bridge, and those of other peers with this `arming`. The device
	 * does not know them. It is disarmed by a stop, and by a new session of the peer where it was armed. The clock
	 * comes round after 49 days: `quash_mcp_is_armed`, or a call of the tool, must come once in that time */
	uint32_t armed;
	quash_mcp_arming *arming;
	uint8_t by;          /**< QUASH_MCP_BY_PERSON ... */
} quash_mcp_rule;

/** The part of a server that has rules. Constant, may live in flash. */
typedef struct quash_mcp_confirm {
	quash_mcp_part part; /**< `{ &quash_mcp_confirm_kind }` */
	const quash_mcp_rule *rules;
	uint8_t count;
} quash_mcp_confirm;

/** The kind of the part above. */
extern const struct quash_mcp_kind quash_mcp_confirm_kind;

/** The part with the rules of an array, positional, for C and C++. */
#define QUASH_MCP_CONFIRM(rules) { { &quash_mcp_confirm_kind }, (rules), (uint8_t)(sizeof(rules) / sizeof((rules)[0])) }

/** The `call` of a tool with a rule, on a server with the part: without it each call is answered -32603. None of its
 * arguments is a QUASH_ARG_HEADER. Its own questions have other names than `confirm` and two to eight digits. A call
 * that is not confirmed ends with a result from which the model knows why. The client cannot ask, the person has
 * declined it or closed the question, the time is over, or something was stopped meanwhile. The confirmation was used
 * before, or the button waits for another call. */
quash_handler quash_mcp_confirm_call;

/** The `end` of such a tool. */
int32_t quash_mcp_confirm_end(quash_request *request);

/** The button was pressed: to be called once for each press, debounced, from the owner's loop or from an interrupt, but
 * from one of them only. It counts for the request that waits, from the first look after 300 ms on. What is pressed
 * sooner was meant for something else. One request at a time waits for the button. Another one that can be asked waits
 * for its answer alone, else it is refused. The lamp stays lit from one to the next. So a press may be meant for a call
 * that was cancelled over 300 ms before. A button that is held, or pressed while no request waits, arms nothing. Cost:
 * a few instructions. The request is looked at every 20 ms.
 *
 * A client that has sent a progress token reads that the button is waited for. So the tool's own progress begins above
 * 0. */
void quash_mcp_press(quash_mcp_arming *arming);

/** Whether a request waits for the button: what its lamp shows. */
bool quash_mcp_waits(const quash_mcp_arming *arming);

/** A stop: ends what a confirmation has armed, and what was asked until now confirms nothing any more. Harmless when
 * nothing is armed. For an emergency stop too: from the owner's loop, beside `quash_cancel_all`. It may come in each
 * turn. Then only what is asked and answered within one turn is confirmed. Cost: a few instructions. */
void quash_mcp_disarm(quash_mcp_arming *arming);

/** Whether a call of a rule that arms (`armed`) would run now without being confirmed: what a lamp shows. It disarms
 * when the time is over. */
bool quash_mcp_is_armed(const quash_peer *peer, quash_mcp_arming *arming);

#ifdef __cplusplus
}
#endif
#endif
