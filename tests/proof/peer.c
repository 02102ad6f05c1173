/* SPDX-License-Identifier: MIT
 * A whole peer in a world that does anything in any order: bytes, times, steps, a port that drains or stalls,
 * links that end, go and come back, sessions that begin anew, and handlers and hooks that answer, wait, cancel, notify
 * and call as they like.
 *
 * A handler, hook or callback may be one that works for long: it receives, transmits, ticks and steps its own peer, and
 * loses its link, from within. In a CALM run it only cancels and wakes.
 *
 * A REFUSED peer has methods with any names and marks, and none with a handler: one that is called is an alarm. Its table may
 * change at any time.
 *
 * Taken for granted is: a handler or callback does one thing each time it is called. A put function puts a container or
 * a value of the request's params: which order of puts is good writer.c tries. And as the prover keeps no relation
 * between two members of a struct, that the unions of a slot hold what its `form` says. So a run has answers of one
 * kind: put functions and texts, or pieces (ITEMS); answers.c tries each kind alone. Likewise that the word holds a refusal
 * where one is looked for, and a name where that is: here they stand apart. The lexer is what lexer.h says of it. */
#include "any.h"
#include "quash.h"
#include "core/faults.h"
#include "core/due.h"
#include "core/state.h"
#include "json/writer.h"

#ifndef DIALECT
#define DIALECT quash_jsonrpc
#endif
#ifndef SLOTS
#define SLOTS 2
#endif
#ifndef ID
#define ID QUASH_ID_MIN
#endif
#ifndef ARENA
#define ARENA QUASH_ARENA_MIN
#endif
#ifndef TX
#define TX QUASH_TX_MIN
#endif
#ifndef STATE
#define STATE 0
#endif
#ifndef TAG
#define TAG 0
#endif
#ifndef REASON
#define REASON 0
#endif
#ifndef CALLS
#define CALLS 0
#endif

/* The longest piece of what is received at once; the pump has its own. */
#ifdef PUMP
enum { CHUNK = 32 };
#else
enum { CHUNK = 4 };
#endif

enum { METHODS = 5 };

static quash_request slots[SLOTS];
static quash_word word;
static quash_counters counters;
static uint8_t ids[(SLOTS + 1) * ID];
static uint8_t arena[ARENA];
static uint8_t tx[TX];
#if STATE > 0
static uint8_t states[SLOTS * STATE];
#else
static uint8_t *const states = NULL;
#endif
#if TAG > 0
static uint8_t tags[(SLOTS + 1) * TAG];
#else
static uint8_t *const tags = NULL;
#endif
#if REASON > 0
static char reason[REASON];
#else
static char *const reason = NULL;
#endif

static quash_peer peer;
static quash_group groups[2];
static int context;

#include "lexer.h"

static void write_rooms(void)
{
	any_bytes(word.text, sizeof word.text);
	any_bytes(arena, sizeof arena);
}

/* --- What may be done by handlers and by the program alike */

#ifdef PUMP
static uint8_t input[CHUNK];

static int peek(void *device, const uint8_t **bytes)
{
	(void)device;
	*bytes = input;
	return Frama_C_interval(QUASH_LOST, CHUNK);
}

static void take(void *device, size_t n)
{
	(void)device;
	(void)n;
	any_bytes(input, sizeof input);
}

static int write_some(void *device, const uint8_t *bytes, size_t n)
{
	(void)device;
	(void)bytes;
	return Frama_C_interval(QUASH_GONE, n < TX ? (int)n : TX);
}

static uint32_t any_time(void *device)
{
	(void)device;
	return any_uint();
}

static void receive(void)
{
	static const quash_port port = { peek, take, write_some, any_time, NULL };
	quash_pump(&peer, &port);
}
#else
static void receive(void)
{
	uint8_t data[CHUNK];
	const size_t n = any_size(CHUNK);
	any_bytes(data, sizeof data);
	const size_t taken = quash_feed(&peer, data, n);
	//@ assert taken <= CHUNK;
	(void)taken;
}
#endif

static void transmit(void)
{
	size_t n;
	const uint8_t *data = quash_out(&peer, &n);
	const uint8_t first = n > 0 ? data[0] : 0;
	(void)first;
	quash_sent(&peer, any_size(TX));
}

/* What else may be put, and in which order, is writer.c's. */
static void put_anything(quash_writer *w, quash_value value)
{
	if (any_bool())
		quash_put_object(w);
	else
		quash_put_value(w, value);
	if (any_bool())
		quash_put_end(w);
}

static void notify(void)
{
	put_anything(quash_notify(&peer, "note"), (quash_value){ NULL, 0, 0 });
	if (any_bool())
		(void)quash_notify_send(&peer);
	(void)quash_notify_fits(&peer);
}

static void link(void)
{
	switch (Frama_C_interval(0, 5)) {
	case 0: quash_input_end(&peer); break;
	case 1: quash_gone(&peer); break;
	case 2: quash_reopen(&peer); break;
	case 3: quash_new_session(&peer); break;
	case 4: quash_end_leases(&peer); break;
	default: quash_lost(&peer); break;
	}
}

static void look(void)
{
	quash_live live = { 0 };
	while (quash_next_live(&peer, &live)) {
		if (live.id != NULL && live.id_length > 0)
			(void)(live.id[0] == live.method[0]);
	}
	(void)quash_is_gone(&peer);
	(void)quash_is_at_rest(&peer);
	(void)quash_idle_ms(&peer);
	(void)quash_live_count(&peer);
	(void)quash_now(&peer);
	(void)quash_context(&peer);
}

/* Cancels and wakes from anywhere, also what has ended since. */
static void disturb(void)
{
	quash_request *request = &slots[any_size(SLOTS - 1)];
	const quash_handle handle = { request, (quash_generation)any_uint() };
	switch (Frama_C_interval(0, 5)) {
	case 0: quash_cancel(request); break;
	case 1: quash_cancel_all(&peer); break;
	case 2: quash_cancel_async(handle); break;
	case 3: (void)quash_handle_cancelled(handle); break;
	case 4: quash_group_reset(&groups[Frama_C_interval(0, 1)]); break;
	default: quash_wake(request); break;
	}
}

static void use_call(void);

/* --- Handlers */

static void read_request(const quash_request *request)
{
	const char c = quash_reason(request)[0];
	(void)c;
	(void)quash_cancelled(request);
	(void)quash_may_report(request);
	(void)quash_data(request);
	(void)quash_table_of_(request);
}

static void keep_state(quash_request *request)
{
#if STATE > 0
	uint8_t *state = quash_state(request, STATE);
	state[any_size(STATE - 1)] = any_byte();
#else
	(void)request;
#endif
}

static void read_params(quash_value params)
{
	int32_t number = 0;
	const quash_value name = quash_get(params, "a.b");
	const char c = quash_text(name)[0];
	(void)c;
	(void)quash_is(name, "x");
	(void)quash_int32(quash_get(params, "0"), &number);
}

static void put_request(quash_writer *w, const quash_request *request)
{
#if STATE > 0
	const uint8_t *state = quash_const_state(request, STATE);
	quash_put_int(w, state[STATE - 1]);
#endif
	read_request(request);
	if (any_bool())
		quash_put_id(w, request);
	put_anything(w, quash_params_of(request));
}

#ifdef ITEMS
static bool put_item(quash_writer *w, const quash_request *request, uint16_t index)
{
	quash_put_int(w, index);
	put_request(w, request);
	return any_bool();
}

static void answer(quash_request *request)
{
	(void)quash_reply_items(request, put_item);
}
#else
static const char table[] = "table";

static void put_value(quash_writer *w, const quash_request *request)
{
	put_request(w, request);
}

static void answer(quash_request *request)
{
	switch (Frama_C_interval(0, 8)) {
	case 0: (void)quash_reply(request, put_value); break;
	case 1: (void)quash_reply_table_(request, put_value, table); break;
	case 2: (void)quash_reply_text(request, "text"); break;
	case 3: (void)quash_reply_bool(request, any_bool()); break;
	case 4: (void)quash_reply_null(request); break;
	case 5: (void)quash_fail(request, any_int(), "text"); break;
	case 6: (void)quash_fail_data(request, any_int(), "text", put_value); break;
	case 7: (void)quash_fail_put(request, any_int(), put_value); break;
	default: (void)quash_fail_as(request, any_int(), put_value); break;
	}
}
#endif

static void change_request(quash_request *request)
{
	switch (Frama_C_interval(0, 5)) {
	case 0: (void)quash_wait(request, any_uint()); break;
	case 1: quash_deadline(request, any_uint()); break;
	case 2: quash_lease(request, any_uint()); break;
	case 3: (void)quash_hold(request, &groups[Frama_C_interval(0, 1)]); break;
	case 4: quash_release_params(request); break;
	default: keep_state(request); break;
	}
}

#ifdef CALM
static void be_busy(void)
{
	disturb();
}
#else
/* Bytes and times come and bytes leave also while it works; a step from there does nothing. */
static void go_on(void)
{
	switch (Frama_C_interval(0, 4)) {
	case 0: receive(); break;
	case 1: transmit(); break;
	case 2: quash_tick(&peer, any_uint()); break;
	case 3: (void)quash_step(&peer); break;
	default: link(); break;
	}
}

static void be_busy(void)
{
	switch (Frama_C_interval(0, 3)) {
	case 0: notify(); break;
	case 1: disturb(); break;
	case 2: go_on(); break;
	default: use_call(); break;
	}
}
#endif

/* Each of its calls does one thing: the next one finds what this one has left. */
static int32_t handle(quash_request *request)
{
	read_params(quash_params_of(request));
	switch (Frama_C_interval(0, 3)) {
	case 0: answer(request); break;
	case 1: change_request(request); break;
	case 2: read_request(request); break;
	default: be_busy(); break;
	}
	return any_int();
}

static int32_t end(quash_request *request)
{
	read_params(quash_params_of(request));
	change_request(request);
	read_request(request);
	be_busy();
	return any_int();
}

static void released(quash_request *request)
{
	keep_state(request);
	read_request(request);
}

static void trace(quash_peer *of, quash_event event, const quash_request *request, int32_t detail, quash_why why)
{
	(void)of;
	(void)event;
	(void)detail;
	(void)why;
	if (request != NULL)
		(void)quash_reason(request)[0];
}

static void new_session(quash_peer *of)
{
	(void)quash_context(of);
}

/* A text as result is put by a function. */
#ifdef ITEMS
#define CANCELLED NULL
#else
#define CANCELLED "{}"
#endif

#ifdef KEEPS
static const quash_keep listed[] = { { "_meta>progressToken", 20, false }, { "a", 0, true }, { "p/<level", 0, false } };

static const quash_keep *list_of(const quash_config *of, uint8_t number, uint8_t *count)
{
	(void)of;
	*count = 3;
	return number == 0 ? listed : NULL;
}

static const quash_keeps keeps = { &quash_keeping, list_of };
#endif

#ifdef REFUSED
/* Why, and the line, which answers.c proves: any reason, and some text. */
quash_fault_reason quash_fault_reason_of(const quash_fault *fault)
{
	(void)fault;
	return (quash_fault_reason)Frama_C_interval(0, QUASH_FAULTS - 1);
}

void quash_put_fault_line(quash_writer *w, const quash_fault *fault)
{
	(void)fault;
	quash_put_string_text(w, "fault");
}

static quash_method methods[METHODS];

static const char *any_name(void)
{
	switch (Frama_C_interval(0, 3)) {
	case 0: return NULL;
	case 1: return "";
	case 2: return "initialize";
	default: return "longer than the smallest word";
	}
}

static void change_table(void)
{
	quash_method *method = &methods[any_size(METHODS - 1)];
	method->name = any_name();
	method->marks = any_byte();
	method->motion.group = &groups[0];
	method->motion.longest = any_uint();
	method->motion.lease = any_uint();
}
#else
static const quash_method methods[METHODS] = {
	{ .name = "drops", .handler = handle, .motion = { .end = end, .longest = QUASH_NO_LIMIT, .lease = 10, .group = &groups[0] }, .released = released,
		.marks = QUASH_LISTED },
	{ .name = "session/prompt", .handler = handle, .cancelled = CANCELLED, .motion = { .end = end, .longest = QUASH_NO_LIMIT, .group = &groups[0] }, .marks = QUASH_PARTIAL | QUASH_FINISHES },
	{ .name = "initialize", .handler = handle, .motion = { .end = end, .longest = 10 }, .marks = QUASH_SESSION | QUASH_FINISHES },
	{ .name = "", .handler = handle, .state_size = STATE },
	{ .name = "$/note", .handler = handle, .motion = { .end = end, .longest = QUASH_NO_LIMIT }, .marks = QUASH_NOTIFICATION | QUASH_FINISHES },
};

static void change_table(void)
{
}
#endif

#ifndef QUASH_THE_CONFIG
static
#endif
const quash_config config = {
	.dialect = &DIALECT,
	.methods = methods,
	.slots = slots,
	.word = &word,
	.counters = &counters,
	.ids = ids,
	.states = states,
	.tags = tags,
	.arena = arena,
	.tx = tx,
	.reason = reason,
	.new_session = new_session,
	.trace = trace,
	.context = &context,
	.arena_size = ARENA,
	.tx_size = TX,
	.state_size = STATE,
	.method_count = METHODS,
	.slot_count = SLOTS,
	.id_size = ID,
	.word_size = sizeof word.text,
#if CALLS > 0
	.calls = &quash_calls,
#endif
#ifdef KEEPS
	.keeps = &keeps,
#endif
	.tag_size = TAG,
	.reason_size = REASON,
#ifdef REFUSED
	.faults = &quash_faults,
#endif
};

static void start(void)
{
#ifdef QUASH_THE_CONFIG
	quash_start_with_(&peer, quash_the_config_());
#elif defined REFUSED
	const bool begun = quash_init(&peer, &config, NULL);
	/*@ assert begun == 0; */
	(void)begun;
#else
	quash_start_with_(&peer, &config);
#endif
}

/* --- Calls */

#if CALLS > 0
#include "calls.h"
#else
static void use_call(void)
{
}
#endif

/* A refused peer has errors only, with the library's words or, once it has answered, those of its config. */
static uint8_t any_form(void)
{
#ifdef REFUSED
	return any_bool() ? (uint8_t)Frama_C_interval(0, FORM_WORDS) : FORM_FAIL_PUT;
#else
	return (uint8_t)Frama_C_interval(0, FORM_PUT);
#endif
}

/* What its form says is there. */
static void be_any_answer(quash_request *slot)
{
	slot->answer = (uint8_t)Frama_C_interval(0, 4);
	slot->code = any_int();
	slot->why = (uint8_t)Frama_C_interval(0, QUASH_WHYS - 1);
#ifdef ITEMS
	slot->form = any_bool() ? (uint8_t)Frama_C_interval(0, 2) : FORM_ITEMS;
	slot->content.text = "text";
	slot->put.item = put_item;
#else
	slot->form = any_form();
	slot->content.text = "text";
#ifndef REFUSED
	slot->put.value = put_value;
#endif
#endif
}

/* A refused peer finds none in its table. */
static uint8_t any_method(void)
{
#ifdef REFUSED
	return NO_INDEX;
#else
	return any_byte();
#endif
}

static void be_any_slot(quash_request *slot)
{
	be_any_answer(slot);
	slot->life = (uint8_t)Frama_C_interval(0, 3);
	slot->method = any_method();
	slot->next = any_byte();
	slot->row = (uint8_t)any_size(SLOTS);
	slot->id_kind = (uint8_t)Frama_C_interval(ID_NONE, ID_NUMBER);
	slot->id_length = any_byte();
	slot->tag_length = any_byte();
	slot->marks = any_byte();
	slot->effects = any_byte();
	slot->cause = (uint8_t)Frama_C_interval(0, QUASH_CAUSES - 1);
	slot->woken = any_byte();
	slot->async = (quash_generation)any_uint();
	slot->generation = (quash_generation)any_uint();
	slot->tape = (quash_size)any_size(ARENA);
	slot->tape_size = (quash_size)any_size(ARENA);
	slot->born = any_uint();
	slot->at.deadline = any_uint();
	slot->wake = any_uint();
	slot->lease = any_uint();
}

static quash_group *any_group(void)
{
	return any_bool() ? &groups[Frama_C_interval(0, 1)] : NULL;
}

static void be_any_group(quash_group *group)
{
	group->holder = any_bool() ? &slots[Frama_C_interval(0, SLOTS - 1)] : NULL;
	group->next = any_group();
}

static void be_any_envelope(quash_envelope *e)
{
	e->seen = (uint16_t)any_uint();
	e->method = any_method();
	e->cancel = any_byte();
	e->ended = any_bool();
	e->waited = any_bool();
	e->known = any_bool();
	e->taped = any_bool();
	e->passing = any_bool();
	e->tight = any_bool();
	e->member = any_byte();
	e->param = any_byte();
	e->sink = any_byte();
	e->depth = (uint8_t)Frama_C_interval(1, 2);
	e->reason = any_byte();
}

static void be_any_writer(quash_writer *w)
{
	w->why = (uint8_t)Frama_C_interval(0, QUASH_WHYS - 1);
	w->full = any_bool();
	w->sum = (uint16_t)any_uint();
	w->sum_sent = (uint16_t)any_uint();
	w->count = any_uint();
	w->from = any_uint();
	w->skip = any_uint();
	w->total = any_uint();
}

static void be_any_input(void)
{
	peer.in.pause = (uint8_t)Frama_C_interval(PAUSE_NONE, PAUSE_REFUSAL);
	peer.in.kept = (uint8_t)Frama_C_interval(KEPT_NOTHING, KEPT_BYTE);
	peer.in.untaken = any_bool();
	peer.link.armed = (uint8_t)Frama_C_interval(PROMISE_NONE, PROMISE_GIVEN);
	peer.link.noisy = (uint8_t)Frama_C_interval(0, BODY_END);
	peer.link.session = any_bool();
	peer.now = any_uint();
	peer.alive = any_uint();
	peer.in.row = (uint8_t)any_size(SLOTS);
	peer.in.id_kind = (uint8_t)Frama_C_interval(ID_NONE, ID_NUMBER);
	peer.in.id_length = any_byte();
	peer.in.tag_length = any_byte();
	be_any_envelope(&peer.envelope);
}

static void be_any_output(void)
{
	peer.out.crowded = (uint8_t)Frama_C_interval(0, 2);
	peer.notify.taken = any_bool();
	peer.notify.open = any_bool();
	peer.out.first = any_byte();
	peer.out.slot = any_byte();
	peer.out.tries = any_byte();
	peer.out.tried = any_bool();
	peer.out.stale = any_bool();
	peer.notify.blocked = any_bool();
	peer.notify.unfit = any_bool();
	peer.out.item = (uint16_t)any_uint();
	peer.out.rest = any_uint();
	peer.last_id = any_uint();
	be_any_writer(&peer.writer);
}

static void be_any_peer(void)
{
	peer.first = any_byte();
	peer.link.state = (uint8_t)Frama_C_interval(LINK_UP, LINK_ENDED);
	peer.batch = (uint8_t)Frama_C_interval(0, 15);
	peer.reason_of = any_byte();
	be_any_input();
	be_any_output();
}

static void do_anything(void)
{
	switch (Frama_C_interval(0, 8)) {
	case 0: receive(); break;
	case 1: transmit(); break;
	case 2: quash_tick(&peer, any_uint()); break;
	case 3: notify(); break;
	case 4: link(); break;
	case 5: look(); break;
	case 6: use_call(); break;
	case 7: change_table(); break;
	default: disturb(); break;
	}
}

int main(void)
{
	static const quash_keep all = { "", 0, false };
	start();
	peer.keeper.entry = &all; /* as params that are listed begin: before, no path is looked at */
#if CALLS > 0
	try_call();
#endif
#ifdef ITEMS
	slots[0].life = LIFE_RUNNING;
	(void)quash_reply_items(&slots[0], put_item);
#endif
	/* What may be anything is so from the beginning on: there is less to find out. */
	any_bytes(tx, sizeof tx);
	any_bytes(arena, sizeof arena);
	any_bytes(ids, sizeof ids);
	any_bytes(word.text, sizeof word.text);
	any_bytes((uint8_t *)&counters, sizeof counters);
#ifdef PUMP
	any_bytes(input, sizeof input);
#endif
#if CALLS > 0
	begin_calls();
#endif
	/*@ loop unroll SLOTS; */
	for (int i = 0; i < SLOTS; i++)
		be_any_slot(&slots[i]);
	be_any_slot(&word.refusal);
	be_any_group(&groups[0]);
	be_any_group(&groups[1]);
	peer.groups = any_group();
	be_any_peer();
	/*@ widen_hints global:"all", 1, 2, 3, 4, CHUNK; */
	while (any_bool()) {
		if (any_bool())
			(void)quash_step(&peer);
		else
			do_anything();
	}
	return 0;
}
