/* SPDX-License-Identifier: MIT
 * Questions of MCP's modern era. A call of a tool asks, in one of nine ways, and its round ends or it answers. The answer is put, the
 * arena is packed, it may be put again, an `end` asks behind it, the slot is given away: then it holds no question.
 *
 * Of the params each shape is a run of its own: state and answers are missing, no object, or an object of one member, whose name is
 * any bytes or one that is asked for, and whose value is an object or none. What else may stand in a state is for `state`, what else
 * on a tape for `tape` and `peer`. Then a state that is opened, a text of any bytes. Then the check of the part: one wrong member is
 * refused.
 *
 * Of the config what that check gives is taken for granted: the key is there. `most`, `lifetime`, the bytes of the key and the clock
 * are anything. Put functions of questions put anything, also what is no JSON. What receives, steps and transmits is for `peer`: here
 * a request runs, and its answer goes into a writer. No other thread takes part (volatile= in the settings). */
/* Frama-C knows no _Generic. */
#undef __STDC_VERSION__
#define __STDC_VERSION__ 199901L

#include "any.h"
#include "quash.h"
#include "quash/mcp_input.h"
#include "call/call_inner.h"
#include "core/answer.h"
#include "core/slots.h"
#include "mcp/mcp_inner.h"
#include "mcp/mcp_ticket.h"
#include "wire/tx.h"

enum { SLOTS = 2, ARENA = 300, TX = 100, TEXT_SIZE = 24, KEY = 2 };
enum { QUESTIONS = 3, WRONGS = 6 };

/* What stands in a param; TEXT may be a good state. */
enum { ANY_SCALAR, ANY_OBJECT, NAMED_SCALAR, NAMED_OBJECT, NO_OBJECT, MISSING, TEXT, SHORT_TEXT };

/* In which way a handler asks. */
enum { ONE, ALL, AGAIN, LET_GO, CANCELLED, RELEASED, ANSWERED, LATE, REQUIRES };

/* What happens behind it. */
enum { NOTHING, CANCEL, WINDOW };

struct run {
	uint8_t state, answers, way, move;
};

static const struct run runs[] = {
	{ MISSING, ANY_OBJECT, ALL, NOTHING }, { ANY_SCALAR, ANY_OBJECT, ALL, NOTHING }, { ANY_OBJECT, ANY_OBJECT, ALL, NOTHING },
	{ NAMED_SCALAR, ANY_OBJECT, ALL, NOTHING }, { NAMED_OBJECT, ANY_OBJECT, ALL, NOTHING },
	{ ANY_OBJECT, MISSING, ALL, NOTHING }, { ANY_OBJECT, NO_OBJECT, ALL, NOTHING }, { ANY_OBJECT, ANY_SCALAR, ALL, NOTHING },
	{ ANY_OBJECT, NAMED_SCALAR, ALL, NOTHING }, { ANY_OBJECT, NAMED_OBJECT, ALL, NOTHING },
	{ NAMED_OBJECT, ANY_OBJECT, ONE, NOTHING }, { NAMED_OBJECT, ANY_OBJECT, ONE, CANCEL }, { NAMED_OBJECT, ANY_OBJECT, ALL, WINDOW },
	{ NAMED_OBJECT, ANY_OBJECT, AGAIN, WINDOW }, { NAMED_OBJECT, ANY_OBJECT, LET_GO, WINDOW },
	{ NAMED_OBJECT, ANY_OBJECT, CANCELLED, WINDOW }, { NAMED_OBJECT, ANY_OBJECT, RELEASED, WINDOW },
	{ NAMED_OBJECT, ANY_OBJECT, ANSWERED, WINDOW }, { NAMED_OBJECT, ANY_OBJECT, LATE, WINDOW },
	{ NAMED_OBJECT, ANY_OBJECT, REQUIRES, WINDOW },
};
enum { RUNS = sizeof runs / sizeof runs[0] };

struct ask {
	quash_call calls[QUESTIONS];
	uint32_t stops;
};

static uint8_t arena[ARENA], tx[TX];

/* --- The server */

static uint8_t key[QUASH_MCP_KEY];
static quash_mcp_input input = QUASH_MCP_INPUT(key, 1, 0);
static const quash_mcp_part *const parts[] = { &input.part, NULL };
static quash_mcp_session session;
static const quash_mcp_server server = { .name = "s", .version = "1", .session = &session, .parts = parts,
	.modern = &quash_mcp_modern };
static const quash_method methods[] = { QUASH_MCP_TOOLS(&server) };
enum { METHODS = sizeof methods / sizeof methods[0] };

static union {
	uint8_t bytes[(QUASH_MCP_STATE(0, sizeof(struct ask)) + 7) / 8 * 8];
	int64_t wide;
} states[SLOTS];
static quash_request slots[SLOTS];
static quash_word word;
static quash_counters counters;
static uint8_t ids[(SLOTS + 1) * QUASH_ID_MIN];
static quash_peer peer;

static bool holds_question(const quash_request *request)
{
	const quash_call *call = peer.children;
	while (call != NULL && call->parent != request)
		call = call->sibling;
	return call != NULL;
}

static void trace(quash_peer *of, quash_event event, const quash_request *request, int32_t detail, quash_why why)
{
	(void)of;
	(void)detail;
	(void)why;
	if (event == QUASH_FREED) {
		const bool held = holds_question(request);
		/*@ assert held == 0; */
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
	.method_count = METHODS,
	.slot_count = SLOTS,
	.id_size = QUASH_ID_MIN,
	.word_size = sizeof word.text,
	.calls = &quash_mcp_calls,
};

/* --- A request */

#include "taped.h"

static void store_object(const char *name)
{
	store_text(QUASH_LEX_KEY, name);
	store(QUASH_LEX_OBJECT);
}

static void store_meta(void)
{
	store_object("_meta");
	store_object(MCP_META_CLIENT);
	store_object("elicitation");
	store(QUASH_LEX_OBJECT_END);
	store_object("roots");
	store(QUASH_LEX_OBJECT_END);
	store(QUASH_LEX_OBJECT_END);
	store(QUASH_LEX_OBJECT_END);
}

static void store_any_bytes(quash_lex_event kind, size_t n)
{
	uint8_t bytes[TEXT_SIZE];
	any_bytes(bytes, sizeof bytes);
	store_bytes(kind, bytes, n);
}

/* An object of one member, whose name is any bytes or one that is asked for. */
static void store_one(const char *name, bool any, bool object)
{
	store_object(name);
	if (any)
		store_any_bytes(QUASH_LEX_KEY, KEY);
	else
		store_text(QUASH_LEX_KEY, "name");
	if (object) {
		store(QUASH_LEX_OBJECT);
		store(QUASH_LEX_OBJECT_END);
	} else {
		store((quash_lex_event)Frama_C_interval(QUASH_LEX_NULL, QUASH_LEX_TRUE));
	}
	store(QUASH_LEX_OBJECT_END);
}

static void store_any(const char *name, int which)
{
	if (which == MISSING)
		return;
	if (which < NO_OBJECT) {
		store_one(name, which < NAMED_SCALAR, which == ANY_OBJECT || which == NAMED_OBJECT);
		return;
	}
	store_text(QUASH_LEX_KEY, name);
	if (which == NO_OBJECT)
		store(QUASH_LEX_TRUE);
	else
		store_any_bytes(QUASH_LEX_STRING, which == TEXT ? TEXT_SIZE : TEXT_SIZE - 1);
}

/* A call that runs. */
static quash_request *receive(int state, int answers)
{
	quash_start_with_(&peer, &config);
	peer.now = any_uint();
	quash_request *const request = quash_slot_claim(&peer);
	request->method = METHODS - 1;
	request->life = LIFE_RUNNING;
	peer.running = request->index;
	quash_mcp_slot_of(request)->call.marks = MCP_MODERN;
	quash_tape_begin(&tape, 0);
	store(QUASH_LEX_OBJECT);
	store_text(QUASH_LEX_KEY, "name");
	store_text(QUASH_LEX_STRING, "a");
	store_meta();
	store_any(quash_mcp_ticket_member, state);
	store_any(quash_mcp_answers_member, answers);
	store(QUASH_LEX_OBJECT_END);
	request->tape_size = tape.length;
	return request;
}

/* --- Its handler */

static void put_any(quash_writer *w, const quash_call *call)
{
	switch (Frama_C_interval(0, 2)) {
	case 0: quash_put_text(w, call->method); break;
	case 1: quash_put_object(w); break;
	case 2: quash_put_end(w); break;
	default: break;
	}
}

/* Under its number, under a name, under a number of stops. */
static void name_questions(struct ask *s)
{
	s->calls[0].put = put_any;
	s->calls[1].context = "name";
	s->calls[1].marks = QUASH_MCP_NAMED;
	s->stops = Frama_C_unsigned_int_interval(1u << 28, UINT32_MAX);
	s->calls[2].context = &s->stops;
	s->calls[2].marks = MCP_CONFIRMATION;
}

static void ask(quash_request *request, quash_call *call)
{
	(void)quash_mcp_ask(request, call, QUASH_MCP_ELICITATION);
	if (quash_call_outcome(call) == QUASH_CALL_RESULT)
		(void)quash_kind_of(quash_call_answer(call));
}

static void ask_all(quash_request *request, struct ask *s)
{
	/*@ loop unroll QUESTIONS; */
	for (int i = 0; i < QUESTIONS; i++)
		ask(request, &s->calls[i]);
}

static void handle(quash_request *request, struct ask *s, int way)
{
	switch (way) {
	case ONE: ask(request, &s->calls[0]); break;
	case ALL: ask_all(request, s); break;
	case AGAIN: ask_all(request, s); (void)quash_call_release(&s->calls[1]); ask(request, &s->calls[1]); break;
	case LET_GO: ask_all(request, s); quash_call_let_go(&s->calls[0]); break;
	case CANCELLED: ask_all(request, s); quash_call_cancel(&s->calls[1]); break;
	case RELEASED: quash_release_params(request); ask_all(request, s); break;
	case ANSWERED: ask_all(request, s); (void)quash_mcp_text(request, "done"); break;
	case LATE: (void)quash_mcp_text(request, "done"); ask_all(request, s); break;
	default: ask(request, &s->calls[0]); (void)quash_mcp_require(request, any_byte()); break;
	}
}

/* --- What becomes of it */

static void put(quash_request *request)
{
	quash_writer w;
	quash_tx_init(&w, tx, TX);
	quash_tx_begin(&w);
	if (request->form >= FORM_FAIL_DATA)
		request->put.value(&w, request);
}

static void finish(quash_request *request, struct ask *s, int move)
{
	if (move == CANCEL)
		(void)quash_cancel(request);
	(void)quash_mcp_calls.end_step(&peer);
	put(request);
	quash_arena_pack(&peer);
	if (move == WINDOW)
		put(request);
	ask(request, &s->calls[2]);
	quash_mcp_calls.cancel_children(request, true);
	put(request);
	quash_slot_free(request);
}

static void be_any_part(void)
{
	any_bytes(key, sizeof key);
	input.lifetime = any_uint();
	input.most = (quash_size)any_size(UINT16_MAX);
}

static void go_round(const struct run *run)
{
	quash_request *const request = receive(run->state, run->answers);
	struct ask *const s = QUASH_TOOL(struct ask, request);
	name_questions(s);
	handle(request, s, run->way);
	finish(request, s, run->move);
}

static void open_state(int state)
{
	quash_request *const request = receive(state, ANY_OBJECT);
	const bool good = quash_mcp_input_kind.open(request);
	/*@ assert state == MISSING ==> good == 1; */
	/*@ assert state == NO_OBJECT || state == SHORT_TEXT ==> good == 0; */
	(void)good;
}

/* --- The check */

/* One member is wrong. WRONGS: nothing is. */
static void check_part(int which)
{
	static const uint8_t zeroes[QUASH_MCP_KEY];
	const quash_mcp_input part = { { &quash_mcp_input_kind }, which == 2 ? NULL : which == 3 ? zeroes : key,
		which == 4 ? 0 : which == 5 ? Frama_C_unsigned_int_interval(INT32_MAX + 1u, UINT32_MAX)
			: Frama_C_unsigned_int_interval(1, INT32_MAX), (quash_size)any_size(UINT16_MAX) };
	const quash_mcp_part *const list[] = { &part.part, which == 1 ? &quash_mcp_ask_part : NULL, NULL };
	const quash_mcp_server with = { .name = "s", .version = "1", .session = &session, .parts = list };
	quash_config of = config;
	quash_fault fault = { .table = "none" };
	of.calls = which == 0 ? &quash_calls : &quash_mcp_calls;
	key[QUASH_MCP_KEY - 1] = (uint8_t)Frama_C_interval(1, UINT8_MAX);
	const bool right = quash_mcp_input_kind.check(&with, &part.part, &of, &fault);
	/*@ assert right == 1 <==> which == WRONGS; */
	(void)right;
}

int main(void)
{
	const int run = Frama_C_interval(0, RUNS - 1), state = Frama_C_interval(NO_OBJECT, SHORT_TEXT);
	const int wrong = Frama_C_interval(0, WRONGS);
	be_any_part();
	switch (Frama_C_interval(0, 2)) {
	case 0:
		/*@ split run; */
		go_round(&runs[run]);
		break;
	case 1:
		/*@ split state; */
		open_state(state);
		break;
	default:
		/*@ split wrong; */
		check_part(wrong);
		break;
	}
	return 0;
}
