/* SPDX-License-Identifier: MIT
 * A client, a bridge of two peers and a server do at random whatever they may, through links that cut anywhere, stall
 * and break. What was asked ends once, with its own answer; what is relayed keeps its order; at the end all is free. */
#include "hops.h"

#include "quash/forward.h"

enum { CALLS = 6, ROUNDS = 400, STORMS = ROUNDS_OF(2000), PAD = 60, TOKEN = 12 };

static loop client, front, server;
static uint64_t front_states[LOOP_SLOTS * 256 / 8];
static uint32_t chance;
static bool breaks;          /* links do */
static uint32_t last_update, seen; /* of the client's */

static uint32_t any(uint32_t n)
{
	chance = chance * 1664525u + 1013904223u;
	return (chance >> 8) % n;
}

/* --- The client */

struct asked {
	quash_call call;
	uint32_t number;
	char pad[PAD];
	unsigned ends;
};

static struct asked asked[CALLS];
static uint32_t next_number;

static void put_asked(quash_writer *w, const quash_call *call)
{
	const struct asked *const a = call->context;
	quash_put_object(w);
	quash_put_key(w, "n");
	quash_put_uint(w, a->number);
	quash_put_key(w, "pad");
	quash_put_text(w, a->pad);
}

static int32_t ended(quash_call *call)
{
	struct asked *const a = call->context;
	uint32_t n = 0;
	a->ends++;
	if (quash_call_outcome(call) == QUASH_CALL_RESULT) {
		assert_int_equal(quash_uint32(quash_get(quash_call_answer(call), "n"), &n), QUASH_NUMBER_OK);
		assert_int_equal(n, a->number);
		assert_true(quash_is(quash_get(quash_call_answer(call), "pad"), a->pad));
	}
	return any(8) == 0 && !breaks ? (a->ends--, QUASH_PENDING) : QUASH_DONE;
}

static void ask_something(void)
{
	static const char *const names[] = { "plain", "prompt", "dropped", "none" };
	struct asked *const a = &asked[any(CALLS)];
	if (quash_call_in_use(&a->call))
		return;
	assert_int_equal(a->ends, a->number > 0 ? 1 : 0);
	memset(a, 0, sizeof *a);
	a->number = ++next_number;
	memset(a->pad, 'a' + (int)any(26), (size_t)any(PAD));
	a->call = (quash_call){ .method = names[any(16) == 0 ? 3 : any(3)], .put = put_asked, .done = ended, .context = a };
	a->call.deadline = any(6) == 0 ? 1 + any(40) : 0;
	a->call.marks = any(3) == 0 ? QUASH_CALL_ENDS_AT_ONCE : 0;
	assert_true(quash_call_start(&client.peer, &a->call));
}

static void cancel_something(void)
{
	struct asked *const a = &asked[any(CALLS)];
	if (!quash_call_in_use(&a->call))
		return;
	quash_call_cancel(&a->call);
}

static int32_t see_update(quash_request *request)
{
	uint32_t n = 0;
	assert_int_equal(quash_uint32(quash_get(quash_params_of(request), "u"), &n), QUASH_NUMBER_OK);
	assert_true(n > last_update);
	seen++;
	last_update = n;
	return QUASH_DONE;
}

static const quash_method client_methods[] = {
	{ .name = "update", .handler = see_update, .marks = QUASH_NOTIFICATION },
};

/* --- The bridge */

static const quash_route down = { .to = &back.peer };
static const quash_route up = { .to = &front.peer };

static const quash_method front_methods[] = {
	{ .name = "plain", .handler = quash_forward, .data = &down, .state_size = QUASH_FORWARD_STATE(0) },
	{ .name = "prompt", .handler = quash_forward, .data = &down, .state_size = QUASH_FORWARD_STATE(0), .marks = QUASH_PARTIAL },
	{ .name = "dropped", .handler = quash_forward, .data = &down, .state_size = QUASH_FORWARD_STATE(0), .marks = QUASH_DROPS },
};

static const quash_method back_methods[] = {
	{ .name = "update", .handler = quash_relay, .data = &up, .marks = QUASH_NOTIFICATION },
};

/* --- The server */

static uint32_t updates;

struct work { uint32_t steps; bool begun; };

static void put_params(quash_writer *w, const quash_request *request)
{
	quash_put_value(w, quash_params_of(request));
}

static int32_t send_update(quash_peer *peer)
{
	quash_writer *const w = quash_notify(peer, "update");
	quash_put_object(w);
	quash_put_key(w, "u");
	quash_put_uint(w, updates + 1);
	if (!quash_notify_send(peer))
		return QUASH_PENDING;
	updates++;
	return QUASH_DONE;
}

static int32_t serve(quash_request *request)
{
	struct work *const s = QUASH_STATE(struct work, request);
	if (!s->begun)
		s->steps = any(6);
	s->begun = true;
	if (s->steps > 0) {
		s->steps--;
		(void)send_update(quash_peer_of(request));
		return QUASH_PENDING;
	}
	if (quash_cancelled(request) && any(2) == 0)
		return QUASH_CANCELLED;
	return any(8) == 0 ? quash_fail(request, -7, "no") : quash_reply(request, put_params);
}

static const quash_method server_methods[] = {
	{ .name = "plain", .handler = serve, .state_size = sizeof(struct work) },
	{ .name = "prompt", .handler = serve, .state_size = sizeof(struct work), .marks = QUASH_PARTIAL },
	{ .name = "dropped", .handler = serve, .state_size = sizeof(struct work) },
};

/* --- Links */

static const quash_dialect *any_dialect(void)
{
	static const quash_dialect *const all[] = { &quash_acp, &quash_lsp, &quash_mcp, &quash_jsonrpc };
	return all[any(COUNT_OF(all))];
}

static void begin(loop *l, const quash_dialect *dialect, const quash_method *methods, uint8_t count)
{
	loop_init(l, dialect, methods, count);
	l->config.calls = &quash_calls;
	l->config.slot_count = (uint8_t)(1 + any(4));
	l->config.tx_size = (quash_size)(110 + any(200)); /* an update always fits */
	l->config.arena_size = (quash_size)(150 + any(300));
	if (l == &front) {
		l->config.states = front_states;
		l->config.state_size = sizeof front_states / LOOP_SLOTS;
	}
	loop_start(l);
}

static void move(loop *from, loop *to, bool whole)
{
	size_t n;
	const uint8_t *const bytes = quash_out(&from->peer, &n);
	const size_t some = whole ? n : (size_t)any((uint32_t)n + 1);
	quash_sent(&from->peer, quash_feed(&to->peer, bytes, some));
}

static void take_step(loop *l)
{
	l->now += any(3);
	quash_tick(&l->peer, l->now);
	(void)quash_step(&l->peer);
}

static void break_link(loop *a, loop *b)
{
	switch (any(3)) {
	case 0:
		quash_gone(&a->peer);
		take_step(any(2) == 0 ? a : b);
		quash_reopen(&b->peer);
		break;
	case 1: quash_reopen(&b->peer); break;
	default: quash_new_session(&b->peer); quash_reopen(&b->peer); break;
	}
	quash_reopen(&a->peer);
}

static void do_something(void)
{
	switch (any(breaks ? 40 : 30)) {
	case 0: case 1: case 2: ask_something(); break;
	case 3: cancel_something(); break;
	case 4: case 5: take_step(&client); break;
	case 6: case 7: take_step(&front); break;
	case 8: case 9: take_step(&back); break;
	case 10: case 11: take_step(&server); break;
	case 12: case 13: case 14: move(&client, &front, false); break;
	case 15: case 16: case 17: move(&front, &client, false); break;
	case 18: case 19: case 20: move(&back, &server, false); break;
	case 21: case 22: case 23: move(&server, &back, false); break;
	case 30: break_link(&client, &front); break;
	case 31: break_link(&back, &server); break;
	default: break;
	}
}

/* --- At the end */

static bool is_quiet(void)
{
	return quash_call_count(&client.peer) + quash_call_count(&back.peer) == 0 && quash_is_at_rest(&client.peer) &&
		quash_is_at_rest(&front.peer) && quash_is_at_rest(&back.peer) && quash_is_at_rest(&server.peer);
}

static void calm_down(void)
{
	unsigned turn = 0;
	while (!is_quiet()) {
		if (turn++ > 5000)
			fail_msg("it never ends");
		move(&client, &front, true);
		move(&back, &server, true);
		take_step(&client);
		take_step(&front);
		take_step(&back);
		take_step(&server);
		move(&server, &back, true);
		move(&front, &client, true);
	}
}

static void check_peer(const loop *l)
{
	const quash_counters *const c = &l->counters;
	assert_int_equal(c->changed + c->misuses + c->parse_errors + c->invalid + c->duplicate_ids, 0);
	if (!breaks)
		assert_int_equal(c->stray_responses + c->discarded, 0);
}

static void storm(uint32_t seed)
{
	const quash_dialect *first, *second;
	chance = seed;
	breaks = seed % 2 == 1;
	first = any_dialect();
	second = any_dialect();
	memset(asked, 0, sizeof asked);
	next_number = last_update = seen = updates = 0;
	begin(&client, first, client_methods, COUNT_OF(client_methods));
	begin(&front, first, front_methods, COUNT_OF(front_methods));
	begin(&back, second, back_methods, COUNT_OF(back_methods));
	begin(&server, second, server_methods, COUNT_OF(server_methods));
	for (unsigned i = 0; i < ROUNDS; i++)
		do_something();
	calm_down();
	for (unsigned i = 0; i < CALLS; i++)
		assert_int_equal(asked[i].ends, asked[i].number > 0 ? 1 : 0);
	check_peer(&client);
	check_peer(&front);
	check_peer(&back);
	check_peer(&server);
	if (!breaks) /* only those that found every slot held are not there */
		assert_true(updates - seen <= back.counters.busy + client.counters.busy);
}

static void test_storms(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < STORMS; i++)
		storm(i);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_storms),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
