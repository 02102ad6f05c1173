/* SPDX-License-Identifier: MIT
 * A whole peer in a world that does anything in any order: bytes, times, steps, a port that drains or stalls,
 * links that end, go and come back, and handlers that answer, wait, cancel, listen and say what they like. */
#include "any.h"
#include "quash.h"

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

/* The longest piece of what is heard at once; the pump has its own. */
#ifdef PUMP
enum { CHUNK = 32 };
#else
enum { CHUNK = 4 };
#endif

enum { METHODS = 7 };

static quash_request slots[SLOTS];
static uint8_t ids[SLOTS * ID];
static uint8_t arena[ARENA];
static uint8_t tx[TX];
#if STATE > 0
static uint8_t states[SLOTS * STATE];
#else
static uint8_t *const states = NULL;
#endif
#if TAG > 0
static uint8_t tags[SLOTS * TAG];
#else
static uint8_t *const tags = NULL;
#endif
#if REASON > 0
static char reason[REASON];
#else
static char *const reason = NULL;
#endif

static quash_peer peer;
static int context;

/* --- What may be done by handlers and by the program alike */

#ifdef PUMP
static int read_some(void *device, uint8_t *data, size_t n)
{
	(void)device;
	any_bytes(data, CHUNK); /* more than the n bytes that a port may touch, as intervals do not say how many are new */
	return Frama_C_interval(QUASH_GONE, (int)n);
}

static int write_some(void *device, const uint8_t *data, size_t n)
{
	(void)device;
	(void)data;
	return Frama_C_interval(QUASH_GONE, n < TX ? (int)n : TX);
}

static uint32_t any_time(void *device)
{
	(void)device;
	return any_uint();
}

static void hear(void)
{
	static const quash_port port = { read_some, write_some, any_time, NULL };
	quash_pump(&peer, &port);
}
#else
static void hear(void)
{
	uint8_t data[CHUNK];
	const size_t n = any_size(CHUNK);
	any_bytes(data, sizeof data);
	(void)quash_feed(&peer, data, n);
}
#endif

static void say(void)
{
	size_t n;
	const uint8_t *data = quash_out(&peer, &n);
	const uint8_t first = n > 0 ? data[0] : 0;
	(void)first;
	quash_sent(&peer, any_size(TX));
}

static void put_anything(quash_writer *w, quash_value value)
{
	while (any_bool()) {
		switch (Frama_C_interval(0, 5)) {
		case 0: quash_put_object(w); break;
		case 1: quash_put_key(w, "key"); break;
		case 2: quash_put_end(w); break;
		case 3: quash_put_int(w, any_int()); break;
		case 4: quash_put_value(w, value); break;
		default: quash_put_text(w, "text"); break;
		}
	}
}

static void notify(void)
{
	put_anything(quash_notify(&peer, "note"), (quash_value){ NULL, 0, 0 });
	if (any_bool())
		(void)quash_notify_send(&peer);
}

static void link(void)
{
	switch (Frama_C_interval(0, 3)) {
	case 0: quash_end(&peer); break;
	case 1: quash_gone(&peer); break;
	case 2: quash_reopen(&peer); break;
	default: quash_lost(&peer, any_uint()); break;
	}
}

static void look(void)
{
	quash_live live = { 0 };
	while (quash_next_live(&peer, &live)) {
		if (live.id != NULL && live.id_length > 0)
			(void)(live.id[0] == live.method[0]);
	}
	(void)quash_room(&peer);
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
	switch (Frama_C_interval(0, 4)) {
	case 0: quash_cancel(request); break;
	case 1: quash_cancel_all(&peer); break;
	case 2: quash_cancel_async(handle); break;
	case 3: (void)quash_handle_cancelled(handle); break;
	default: quash_wake(request); break;
	}
}

static void use_call(void);

static void do_anything(void)
{
	switch (Frama_C_interval(0, 7)) {
	case 0: hear(); break;
	case 1: say(); break;
	case 2: quash_tick(&peer, any_uint()); break;
	case 3: notify(); break;
	case 4: link(); break;
	case 5: look(); break;
	case 6: use_call(); break;
	default: disturb(); break;
	}
}

/* --- Handlers */

static void read_request(const quash_request *request)
{
	const char c = quash_reason(request)[0];
	(void)c;
	(void)quash_cancelled(request);
	(void)quash_may_report(request);
	(void)quash_data(request);
}

static void keep_state(quash_request *request)
{
#if STATE > 0
	uint8_t *state = quash_state(request);
	state[any_size(STATE - 1)] = any_byte();
#else
	(void)request;
#endif
}

static void answer(quash_request *request, quash_value params)
{
	switch (Frama_C_interval(0, 3)) {
	case 0: put_anything(quash_reply(request), params); break;
	case 1: put_anything(quash_error_reply(request, any_int(), "text"), params); break;
	case 2: (void)quash_fail(request, any_int(), "text"); break;
	default: (void)quash_send(request); break;
	}
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

static int32_t handle(quash_request *request, quash_value params)
{
	read_params(params);
	while (any_bool()) {
		switch (Frama_C_interval(0, 5)) {
		case 0: answer(request, params); break;
		case 1: (void)quash_wait(request, any_uint()); break;
		case 2: quash_deadline(request, any_uint()); break;
		case 3: keep_state(request); break;
		case 4: read_request(request); break;
		default: do_anything(); break;
		}
	}
	return any_int();
}

static void end(quash_request *request)
{
	keep_state(request);
	read_request(request);
	while (any_bool())
		disturb();
}

static void trace(quash_peer *of, quash_event event, const quash_request *request, int32_t detail)
{
	(void)of;
	(void)event;
	(void)detail;
	if (request != NULL)
		read_request(request);
}

static const quash_method methods[METHODS] = {
	{ .name = "plain", .handler = handle },
	{ .name = "drops", .handler = handle, .end = end, .marks = QUASH_DROPS },
	{ .name = "partial", .handler = handle, .marks = QUASH_PARTIAL },
	{ .name = "long", .handler = handle, .marks = QUASH_LONG },
	{ .name = "session/prompt", .handler = handle, .cancelled = "{}" },
	{ .name = "initialize", .handler = handle, .deadline = 10 },
	{ .name = "$/note", .handler = handle, .end = end, .marks = QUASH_NOTIFICATION },
};

static const quash_config config = {
	.dialect = &DIALECT,
	.methods = methods,
	.slots = slots,
	.ids = ids,
	.states = states,
	.tags = tags,
	.arena = arena,
	.tx = tx,
	.reason = reason,
	.trace = trace,
	.context = &context,
	.arena_size = ARENA,
	.tx_size = TX,
	.state_size = STATE,
	.method_count = METHODS,
	.slot_count = SLOTS,
	.id_size = ID,
	.tag_size = TAG,
	.reason_size = REASON,
};

/* --- Calls */

#if CALLS > 0
#include "calls.h"
#else
static void use_call(void)
{
}
#endif

static void be_any_slot(quash_request *slot)
{
	slot->state = (uint8_t)Frama_C_interval(0, 4);
	slot->flags = any_byte();
	slot->more = any_byte();
	slot->cause = (uint8_t)Frama_C_interval(0, QUASH_CAUSES - 1);
	slot->woken = any_byte();
	slot->async = (quash_generation)any_uint();
	slot->generation = (quash_generation)any_uint();
	slot->tape = (quash_size)any_size(ARENA);
	slot->tape_size = (quash_size)any_size(ARENA);
	slot->born = any_uint();
	slot->deadline = any_uint();
	slot->wake = any_uint();
}

int main(void)
{
	if (quash_init(&peer, &config) != NULL)
		return 1;
#if CALLS > 0
	try_call();
#endif
	/* What may be anything is so from the beginning on: there is less to find out. */
	any_bytes(tx, sizeof tx);
	any_bytes(arena, sizeof arena);
	any_bytes(ids, sizeof ids);
	any_bytes((uint8_t *)&peer.counters, sizeof peer.counters);
#if CALLS > 0
	begin_calls();
#endif
	/*@ loop unroll SLOTS; */
	for (int i = 0; i < SLOTS; i++)
		be_any_slot(&slots[i]);
	/*@ widen_hints global:"all", 1, 2, 3, 4, CHUNK; */
	while (any_bool()) {
		if (any_bool())
			(void)quash_step(&peer);
		else
			do_anything();
	}
	return 0;
}
