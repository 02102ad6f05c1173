/* SPDX-License-Identifier: MIT
 * Confirmed motion, in MCP's legacy era: a call that a person or the button confirms waits. Then comes one of eight moves: other calls, an
 * answer, a press, a cancel, time, a stop. Then a press, and a cancel of what moves. A handler runs only after somebody has
 * accepted or pressed since the last stop. A slot that is given away holds neither the button nor a place among what moves. Then the
 * checks of the part: a rule with one wrong member is refused.
 *
 * Each move is a run of its own, with these very params; nothing is received as bytes. No other thread takes part (volatile= in the
 * settings). */
/* Frama-C knows no _Generic. */
#undef __STDC_VERSION__
#define __STDC_VERSION__ 199901L

#include "any.h"
#include "quash.h"
#include "quash/mcp_confirm.h"
#include "call/call_inner.h"
#include "core/slots.h"
#include "mcp/mcp_inner.h"

enum { SLOTS = 2, PARAMS = 40, ARENA = (SLOTS + 1) * PARAMS, TX = 400 };
enum { WAIT = 1500, REACTION = 300, LONGEST = 4000, MOVES = 8, WRONGS = 13 };

struct move {
	quash_mcp_confirming confirming;
	int32_t steps;
	bool begun, stops;
};

static quash_mcp_arming arming;
static bool allowed; /* somebody has accepted or pressed */

/* --- The tools */

/* Each takes two calls. */
static int32_t move(quash_request *request)
{
	struct move *const m = QUASH_TOOL(struct move, request);
	/*@ assert allowed == 1; */
	if (m->begun)
		return quash_mcp_text(request, "moved");
	m->begun = true;
	return QUASH_PENDING;
}

static int32_t stop(quash_request *request)
{
	struct move *const m = QUASH_TOOL(struct move, request);
	if (m->stops)
		return QUASH_DONE;
	m->stops = true;
	return QUASH_PENDING;
}

static bool must_be_asked(const quash_request *request)
{
	return QUASH_CONST_TOOL(struct move, request)->steps > 0;
}

static const quash_param list[] = { QUASH_ARG_INT_OR(struct move, steps, 0, 9, 9, NULL) };
static const quash_params table = QUASH_PARAMS(struct move, list);

#define TOOL(named) \
	{ .name = named, .args = &table, .call = quash_mcp_confirm_call, \
	  .motion = { .end = quash_mcp_confirm_end, .longest = LONGEST }, .marks = QUASH_FINISHES }
static const quash_mcp_tool tools[] = { TOOL("a"), TOOL("b") };
enum { TOOLS = sizeof tools / sizeof tools[0] };

static const quash_mcp_rule rules[] = {
	{ .tool = "a", .call = move, .end = stop, .param = "steps", .above = 5, .words = "Now?", .wait = WAIT, .armed = LONGEST,
		.arming = &arming, .by = QUASH_MCP_BY_PERSON | QUASH_MCP_BY_BUTTON },
	{ .tool = "b", .call = move, .end = stop, .when = must_be_asked, .wait = WAIT, .arming = &arming, .by = QUASH_MCP_BY_BUTTON },
};
static const quash_mcp_confirm confirm = { { &quash_mcp_confirm_kind }, rules, TOOLS };
static const quash_mcp_part *const parts[] = { &quash_mcp_ask_part, &confirm.part, NULL };
static quash_mcp_session session;
static const quash_mcp_server server = { .name = "s", .version = "1", .session = &session, .tools = tools, .parts = parts,
	.tool_count = TOOLS };
static const quash_method methods[] = { QUASH_MCP_TOOLS(&server) };

/* --- The peer */

static union {
	uint8_t bytes[(QUASH_MCP_STATE(0, sizeof(struct move)) + 7) / 8 * 8];
	int64_t wide;
} states[SLOTS];
static quash_request slots[SLOTS];
static quash_word word;
static quash_counters counters;
static uint8_t ids[(SLOTS + 1) * QUASH_ID_MIN], arena[ARENA], tx[TX];
static quash_peer peer;
static uint32_t now;

static bool moves(const quash_request *request)
{
	const quash_request *at = arming.runs;
	while (at != NULL && at != request)
		at = QUASH_CONST_TOOL(quash_mcp_confirming, at)->next;
	return at != NULL;
}

static void trace(quash_peer *of, quash_event event, const quash_request *request, int32_t detail, quash_why why)
{
	(void)of;
	(void)detail;
	(void)why;
	if (event == QUASH_FREED) {
		const bool held = arming.waits == request, listed = moves(request);
		/*@ assert held == 0; */
		/*@ assert listed == 0; */
	}
}

static const quash_config config = {
	.dialect = &quash_mcp,
	.methods = methods,
	.slots = slots,
	.word = &word,
	.counters = &counters,
	.ids = ids,
	.states = states,
	.arena = arena,
	.tx = tx,
	.trace = trace,
	.arena_size = ARENA,
	.tx_size = TX,
	.state_size = sizeof states[0],
	.method_count = sizeof methods / sizeof methods[0],
	.slot_count = SLOTS,
	.id_size = QUASH_ID_MIN,
	.word_size = sizeof word.text,
	.calls = &quash_calls,
};

/* --- Moves */

#include "taped.h"

/* An object of one member, at its place in the arena. */
static void store_member(quash_size at, const char *name, const char *text)
{
	quash_tape_begin(&tape, at);
	store(QUASH_LEX_OBJECT);
	store_text(QUASH_LEX_KEY, name);
	store_text(QUASH_LEX_STRING, text);
	store(QUASH_LEX_OBJECT_END);
}

/* A call of that tool, if a slot is free. */
static void receive(const char *tool)
{
	quash_request *const request = quash_slot_claim(&peer);
	if (request == NULL)
		return;
	request->method = 1;
	request->tape = (quash_size)(request->index * PARAMS);
	store_member(request->tape, "name", tool);
	request->tape_size = tape.length;
}

/* To the question that is open. */
static void answer(const char *action)
{
	quash_call *const call = peer.children;
	if (call == NULL || call->state != CALL_OPEN)
		return;
	store_member(SLOTS * PARAMS, "action", action);
	call->tape = SLOTS * PARAMS;
	call->tape_size = tape.length;
	quash_call_end(call, QUASH_CALL_RESULT);
}

static void disarm(void)
{
	allowed = false;
	quash_mcp_disarm(&arming);
}

static void press(void)
{
	allowed = true;
	quash_mcp_press(&arming);
}

static void turn(uint32_t ms)
{
	size_t n;
	now += ms;
	quash_tick(&peer, now);
	(void)quash_step(&peer);
	(void)quash_out(&peer, &n);
	quash_sent(&peer, n);
}

static void make(int which)
{
	switch (which) {
	case 0: receive("b"); break;
	case 1: receive("a"); break;
	case 2: allowed = true; answer("accept"); break;
	case 3: answer("decline"); break;
	case 4: press(); break;
	case 5: quash_cancel_all(&peer); break;
	case 6: turn(WAIT); break;
	default: disarm(); break;
	}
	turn(REACTION);
}

/* In the end somebody presses, and what moves then is cancelled. */
static void confirm_or_not(int which)
{
	quash_start_with_(&peer, &config);
	session.version = "2025-11-25";
	session.client = QUASH_MCP_ELICITATION;
	receive("a");
	turn(0);
	turn(REACTION);
	make(which);
	press();
	turn(REACTION);
	quash_cancel_all(&peer);
	turn(0);
	turn(0);
	(void)quash_mcp_waits(&arming);
	(void)quash_mcp_is_armed(&peer, &arming);
}

/* --- Checks */

/* One member is wrong; all else is right. */
static void spoil(quash_mcp_rule *rule, int which)
{
	switch (which) {
	case 0: rule->tool = NULL; break;
	case 1: rule->tool = "b"; break;
	case 2: rule->call = NULL; break;
	case 3: rule->param = "step"; break;
	case 4: rule->when = must_be_asked; break;
	case 5: rule->arming = NULL; break;
	case 6: rule->by = 0; break;
	case 7: rule->by = (uint8_t)Frama_C_interval(4, UINT8_MAX); break;
	case 8: rule->wait = 0; break;
	case 9: rule->wait = Frama_C_unsigned_int_interval(INT32_MAX + 1u, UINT32_MAX); break;
	case 10: rule->wait = Frama_C_unsigned_int_interval(LONGEST, INT32_MAX); break;
	case 11: rule->armed = Frama_C_unsigned_int_interval(INT32_MAX + 1u, UINT32_MAX); break;
	default: break;
	}
}

/* WRONGS - 1: no part asks. WRONGS: nothing is wrong. */
static void check_part(int which)
{
	quash_mcp_rule list_of[] = { rules[0], rules[1] };
	const quash_mcp_confirm part = { { &quash_mcp_confirm_kind }, list_of, TOOLS };
	const quash_mcp_part *const list_of_parts[] = { &part.part, which == WRONGS - 1 ? NULL : &quash_mcp_ask_part, NULL };
	const quash_mcp_server with = { .name = "s", .version = "1", .session = &session, .tools = tools, .parts = list_of_parts,
		.tool_count = TOOLS };
	quash_fault fault = { .table = "none" };
	spoil(&list_of[0], which);
	const bool right = quash_mcp_confirm_kind.check(&with, &part.part, &config, &fault);
	/*@ assert right == 1 <==> which == WRONGS; */
	(void)right;
}

int main(void)
{
	const int move = Frama_C_interval(0, MOVES - 1), wrong = Frama_C_interval(0, WRONGS);
	if (any_bool()) {
		/*@ split move; */
		confirm_or_not(move);
	} else {
		/*@ split wrong; */
		check_part(wrong);
	}
	return 0;
}
