/* SPDX-License-Identifier: MIT
 * Two peers: requests that one of them receives are asked of the other, for which answers, cancels, ends of either link
 * and times come in any order. Cancels run down from the one to the other, and callbacks cancel upwards. */
#include "any.h"
#include "quash.h"

#define SLOTS 2
#define ARENA 40
#define TX 72

enum { CHUNK = 4, CALLS = 2 };

struct side {
	quash_request slots[SLOTS];
	quash_word word;
	quash_counters counters;
	uint8_t ids[(SLOTS + 1) * QUASH_ID_MIN], arena[ARENA], tx[TX];
};

static struct side near_side, far_side;
static quash_peer near, far;
static quash_call calls[CALLS];

#include "lexer.h"

static void write_rooms(void)
{
	any_bytes(near_side.word.text, sizeof near_side.word.text);
	any_bytes(near_side.arena, ARENA);
	any_bytes(far_side.word.text, sizeof far_side.word.text);
	any_bytes(far_side.arena, ARENA);
}

/* --- What becomes of a call */

static void put_params(quash_writer *w, const quash_call *call)
{
	quash_request *parent = call->parent;
	if (parent != NULL)
		quash_put_value(w, quash_params_of(parent));
	else
		quash_put_object(w);
}

static int32_t call_ended(quash_call *call)
{
	quash_put_value(quash_notify(&near, "ended"), quash_call_answer(call));
	if (any_bool())
		(void)quash_notify_send(&near);
	if (any_bool())
		quash_call_cancel_parent(call);
	if (any_bool())
		(void)quash_call_start_for(&near_side.slots[any_size(SLOTS - 1)], &far, call);
	return any_int();
}

static void prepare(quash_call *call)
{
	if (quash_call_in_use(call))
		return;
	call->put = any_bool() ? put_params : NULL;
	call->done = any_bool() ? call_ended : NULL;
	call->deadline = any_uint();
	call->marks = any_byte();
}

static void end_call(quash_call *call)
{
	switch (Frama_C_interval(0, 3)) {
	case 0: quash_call_cancel(call); break;
	case 1: quash_call_cancel_parent(call); break;
	case 2: quash_call_let_go(call); break;
	default: (void)quash_call_release(call); break;
	}
}

static void use_call(quash_request *parent)
{
	quash_call *call = &calls[any_size(CALLS - 1)];
	switch (Frama_C_interval(0, 4)) {
	case 0: prepare(call); break;
	case 1: (void)quash_call_start(&far, call); break;
	case 2: (void)quash_call_start_for(parent, &far, call); break;
	case 3: (void)quash_call_has_ended(call); break;
	default: end_call(call); break;
	}
}

/* --- Handlers */

static void put_answer(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_put_value(w, quash_call_answer(&calls[any_size(CALLS - 1)]));
}

static int32_t pass_on(quash_request *request)
{
	use_call(request);
	if (any_bool())
		return any_int();
	return quash_reply(request, put_answer);
}

static int32_t end(quash_request *request)
{
	use_call(request);
	return any_int();
}

static int32_t relay(quash_request *request)
{
	quash_put_value(quash_notify(&near, "relayed"), quash_params_of(request));
	return quash_notify_send(&near) ? QUASH_DONE : QUASH_PENDING;
}

static const quash_method near_methods[] = {
	{ .name = "pass", .handler = pass_on, .motion = { .end = end, .longest = QUASH_NO_LIMIT }, .marks = QUASH_FINISHES },
	{ .name = "partial", .handler = pass_on, .marks = QUASH_PARTIAL },
};

static const quash_method far_methods[] = { { .name = "note", .handler = relay, .marks = QUASH_NOTIFICATION } };

#define SIDE(of) \
	.slots = (of).slots, .word = &(of).word, .word_size = QUASH_WORD, .counters = &(of).counters, \
	.ids = (of).ids, .arena = (of).arena, .tx = (of).tx, .arena_size = ARENA, .tx_size = TX, \
	.slot_count = SLOTS, .id_size = QUASH_ID_MIN, .calls = &quash_calls

static const quash_config near_config = {
	SIDE(near_side), .dialect = &quash_acp, .methods = near_methods, .method_count = 2 };
static const quash_config far_config = {
	SIDE(far_side), .dialect = &quash_mcp, .methods = far_methods, .method_count = 1 };

/* --- The world */

static void receive(quash_peer *peer)
{
	uint8_t data[CHUNK];
	const size_t n = any_size(CHUNK);
	any_bytes(data, sizeof data);
	(void)quash_feed(peer, data, n);
}

static void transmit(quash_peer *peer)
{
	size_t n;
	(void)quash_out(peer, &n);
	quash_sent(peer, any_size(TX));
}

static void link(quash_peer *peer)
{
	switch (Frama_C_interval(0, 3)) {
	case 0: quash_input_end(peer); break;
	case 1: quash_gone(peer); break;
	case 2: quash_new_session(peer); break;
	default: quash_reopen(peer); break;
	}
}

static void turn(quash_peer *peer)
{
	switch (Frama_C_interval(0, 5)) {
	case 0: receive(peer); break;
	case 1: transmit(peer); break;
	case 2: quash_tick(peer, any_uint()); break;
	case 3: link(peer); break;
	case 4: (void)quash_idle_ms(peer); break;
	default: (void)quash_step(peer); break;
	}
}

static void begin(void)
{
	/*@ loop unroll CALLS; */
	for (int i = 0; i < CALLS; i++) {
		calls[i].method = i == 0 ? "initialize" : "resources/read"; /* one is never cancelled on the wire */
		prepare(&calls[i]);
		(void)quash_call_start(&far, &calls[i]);
	}
	any_bytes(near_side.tx, TX);
	any_bytes(near_side.arena, ARENA);
	any_bytes(near_side.ids, sizeof near_side.ids);
	any_bytes(far_side.tx, TX);
	any_bytes(far_side.arena, ARENA);
	any_bytes(far_side.ids, sizeof far_side.ids);
	near.out.call = &calls[any_size(CALLS - 1)];
	far.out.call = &calls[any_size(CALLS - 1)];
	any_bytes((uint8_t *)&near_side.counters, sizeof near_side.counters);
	any_bytes((uint8_t *)&far_side.counters, sizeof far_side.counters);
}

/* As in peer.c, the prover is not to find out that a form says what stands in the unions. */
static void begin_slot(quash_request *slot)
{
	slot->put.value = put_answer;
}

int main(void)
{
	quash_start_with_(&near, &near_config);
	quash_start_with_(&far, &far_config);
	begin();
	/*@ loop unroll SLOTS; */
	for (int i = 0; i < SLOTS; i++) {
		begin_slot(&near_side.slots[i]);
		begin_slot(&far_side.slots[i]);
	}
	/*@ widen_hints global:"all", 1, 2, 3, 4, CHUNK; */
	while (any_bool()) {
		turn(&near);
		turn(&far);
		use_call(&near_side.slots[any_size(SLOTS - 1)]);
	}
	return 0;
}
