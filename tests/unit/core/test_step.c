/* SPDX-License-Identifier: MIT
 * Doing: when handlers and end hooks are called, and how long a program may sleep. */
#include "device.h"

#include <stdio.h>

static int set_up(void **state)
{
	(void)state;
	device_start(&quash_acp);
	return 0;
}

/* --- Order */

static void test_each_once_in_a_step(void **state)
{
	(void)state;
	say(REQUEST("1", "wait"));
	say(REQUEST("2", "wait"));
	say(NOTE("note"));
	assert_true(quash_step(&device.peer));
	DID("wait(1) wait(2) note(-) end(-)");
	assert_true(quash_step(&device.peer));
	DID("wait(1) wait(2)");
}

static void test_nothing_to_do(void **state)
{
	(void)state;
	assert_false(quash_step(&device.peer));
	say(REQUEST("1", "nothing"));
	assert_false(quash_step(&device.peer));
	say(REQUEST("1", "wait"));
	say(CANCEL("1"));
	assert_false(quash_step(&device.peer));
	DID("");
}

static void receive_another(quash_request *request)
{
	(void)request;
	loop_say(&device, quoted(REQUEST("2", "now") "\n"));
	loop_say(&device, quoted(NOTE("note") "\n"));
}

/* What arrives meanwhile starts in the next step. */
static void test_what_arrives_meanwhile(void **state)
{
	(void)state;
	device_turn = receive_another;
	say(REQUEST_WITH("1", "busy", "{'steps':1}"));
	step();
	DID("busy(1)");
	step();
	DID("now(2) note(-) end(-)");
	ANSWERS(RESULT("1", "'was busy'") RESULT("2", "1"));
}

static void step_again(quash_request *request)
{
	(void)request;
	assert_false(quash_step(&device.peer));
}

static void test_no_step_in_a_step(void **state)
{
	(void)state;
	device_turn = step_again;
	say(REQUEST_WITH("1", "busy", "{'steps':3}"));
	say(REQUEST("2", "now"));
	step();
	DID("busy(1) now(2)");
	ANSWERS(RESULT("1", "'was busy'") RESULT("2", "1"));
}

/* --- Receiving and transmitting go on while a handler is busy */

static void receive_everything(quash_request *request)
{
	static unsigned turn;
	static const char *const messages[] = { REQUEST("3", "nothing"), CANCEL("2"), "x", CANCEL("1") };
	say(messages[turn++ % COUNT_OF(messages)]);
	device_note(request, quash_cancelled(request) ? "cancelled" : "going on");
}

static void test_busy(void **state)
{
	(void)state;
	device_turn = receive_everything;
	say(REQUEST_WITH("1", "busy", "{'steps':100}"));
	say(REQUEST("2", "wait"));
	quash_step(&device.peer);
	DID("busy(1) going on(1) going on(1) going on(1) cancelled(1)");
	ANSWERS(CANCELLED("1") CANCELLED("2") UNKNOWN("3") PARSE_ERROR); /* nothing has left meanwhile: oldest first */
}

static void drain_tx(void)
{
	size_t n;
	(void)quash_out(&device.peer, &n);
	quash_sent(&device.peer, n);
}

/* A handler that was called before, and is busy in a later call. */
static int32_t busy_later(quash_request *request)
{
	bool *const called = QUASH_STATE(bool, request);
	size_t at = 0;
	if (!*called) {
		*called = true;
		return QUASH_PENDING;
	}
	for (unsigned turn = 0; turn < 100 && quash_cancelled(request) == QUASH_NOT_CANCELLED; turn++) {
		static const char text[] = "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"nothing\"}\n"
					   "{\"jsonrpc\":\"2.0\",\"method\":\"$/cancel_request\","
					   "\"params\":{\"requestId\":2}}\n";
		at += quash_feed(&device.peer, (const uint8_t *)text + at, sizeof text - 1 - at);
		drain_tx();
	}
	device_note(request, quash_cancelled(request) == QUASH_NOT_CANCELLED ? "not reached" : "cancelled");
	return QUASH_CANCELLED;
}

static void put_much(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_put_string_open(w);
	for (unsigned i = 0; i < 300; i++)
		quash_put_string_part(w, "x", 1);
	quash_put_string_close(w);
}

static int32_t answers_much(quash_request *request)
{
	return quash_reply(request, put_much);
}

/* A long answer goes on below a busy handler, and the refusal and the cancel that wait after it come through. */
static void test_busy_while_a_long_answer_is_under_way(void **state)
{
	static const quash_method list[] = { { .name = "much", .handler = answers_much },
		{ .name = "busy later", .handler = busy_later, .state_size = sizeof(bool) } };
	(void)state;
	for (uint8_t slots = 2; slots <= 3; slots++) {
		device_prepare(&quash_acp);
		device.config.methods = list;
		device.config.method_count = 2;
		device.config.tx_size = 64;
		device.config.slot_count = slots;
		device_begin();
		say(REQUEST("1", "much"));
		say(REQUEST("2", "busy later"));
		quash_step(&device.peer);
		quash_step(&device.peer);
		DID("cancelled(2)");
		steps(10);
		assert_non_null(strstr(loop_heard(&device), quoted(CANCELLED("2"))));
	}
}

/* No step can run: what finds no room is refused at once. */
static void receive_more(quash_request *request)
{
	size_t n;
	takes_all(REQUEST("2", "now") "\n");
	takes_nothing(NOTE("note") "\n"); /* the refusal found no slot, and stands where the next id would */
	(void)quash_out(&device.peer, &n);
	assert_int_equal(n, strlen(BUSY("2")));
	takes_all(NOTE("note") "\n" NOTE("nobody") "\n");
	device_note(request, "took");
}

static void test_refused_below_a_busy_handler(void **state)
{
	(void)state;
	device_prepare(&quash_acp);
	device.config.slot_count = 1;
	device_begin();
	device_turn = receive_more;
	say(REQUEST_WITH("1", "busy", "{'steps':1}"));
	quash_step(&device.peer);
	COUNTED(kept, 0);
	COUNTED(busy, 2);
	DID("busy(1) took(1)");
	ANSWERS(BUSY("2") RESULT("1", "'was busy'"));
}

/* --- What a handler may return */

static void test_outcomes(void **state)
{
	static const char *const internal[] = { "0", "3", "1000", "-65536", "-2147483648", "2147483647" };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(internal); i++) {
		char message[100];
		set_up(NULL);
		snprintf(message, sizeof message, REQUEST_WITH("1", "returns", "{'code':%s}"), internal[i]);
		say(message);
		step();
		ANSWERS(INTERNAL("1"));
		DID("end(1)");
	}
	say(REQUEST_WITH("1", "returns", "{'code':1}"));
	step();
	ANSWERS("");
	assert_int_equal(quash_live_count(&device.peer), 1);
}

static int32_t goes_on(quash_request *request)
{
	const quash_value params = quash_params_of(request);
	device_note(request, quash_kind_of(params) == QUASH_NONE ? "nothing" : quash_text(quash_get(quash_params_of(request), "0")));
	return QUASH_PENDING;
}

static int32_t releases(quash_request *request)
{
	const int32_t outcome = goes_on(request);
	quash_release_params(request);
	return outcome;
}

/* They are there at every call, until the handler gives them back. */
static void test_params(void **state)
{
	static const quash_method list[] = { { .name = "goes on", .handler = goes_on },
		{ .name = "releases", .handler = releases } };
	(void)state;
	device_prepare(&quash_acp);
	device.config.methods = list;
	device.config.method_count = 2;
	device_begin();
	say(REQUEST_WITH("1", "goes on", "['b']"));
	say(REQUEST_WITH("2", "releases", "['a']"));
	steps(3);
	DID("b(1) a(2) b(1) nothing(2) b(1) nothing(2)");
	quash_cancel(live("2"));
	step();
	DID("b(1) nothing(2)"); /* it is called until it ends */
}

/* --- The end hook: once on every way out of what was called, whatever becomes of the answer */

static void check_hook(const char *message, void (*way_out)(void), const char *expected)
{
	device_prepare(&quash_acp);
	device.config.trace = device_trace;
	device_begin();
	say(message);
	step();
	if (way_out)
		way_out();
	steps(3);
	DID(expected);
	assert_int_equal(quash_live_count(&device.peer), 0);
}

static void other_side(void)
{
	say(CANCEL("1"));
}

static void local_code(void)
{
	quash_cancel(live("1"));
}

static void link_gone(void)
{
	quash_gone(&device.peer);
}

static void link_reopened(void)
{
	quash_reopen(&device.peer);
}

static void test_end_hook(void **state)
{
	(void)state;
	check_hook(REQUEST_WITH("1", "wait", "{'steps':0}"), NULL,
		"received parked started wait(1) recorded end(1) written freed");
	check_hook(REQUEST_WITH("1", "returns", "{'code':-5}"), NULL,
		"received parked started recorded(-5) end(1) written(-5) freed");
	check_hook(REQUEST("1", "returns"), NULL,
		"received parked started misused recorded(-32603) end(1) written(-32603) freed");
	check_hook(REQUEST_WITH("1", "returns", "{'code':-32800}"), NULL,
		"received parked started flagged(4) recorded(-32800) end(1) written(-32800) freed");
	check_hook(REQUEST("1", "wait"), other_side,
		"received parked started wait(1) flagged(1) wait(1) recorded(-32800) end(1) written(-32800) freed");
	check_hook(REQUEST("1", "wait"), local_code,
		"received parked started wait(1) flagged(5) wait(1) recorded(-32800) end(1) written(-32800) freed");
	check_hook(REQUEST("1", "partial"), other_side,
		"received parked started partial(1) flagged(1) partial(1) recorded end(1) written freed");
	check_hook(REQUEST("1", "wait"), link_gone,
		"received parked started wait(1) flagged(9) silenced wait(1) end(1) freed");
	check_hook(REQUEST("1", "drops"), link_reopened,
		"received parked started drops(1) flagged(9) silenced end(1) freed");
	check_hook(REQUEST("1", "ramp"), NULL, "received parked started now(1) recorded end(1) written released(1) freed");
	check_hook(NOTE("note"), NULL, "received parked started note(-) end(-) freed");
}

/* What is moved comes to rest in its own time: the answer does not wait, the slot does, and `released` is last. */
static void test_end_hook_that_pends(void **state)
{
	(void)state;
	device_prepare(&quash_acp);
	device.config.trace = device_trace;
	device.config.slot_count = 1;
	device_begin();
	device_at_rest = false;
	say(REQUEST("1", "ramp"));
	step();
	ANSWERS(RESULT("1", "1"));
	DID("received parked started now(1) recorded end(1) written");
	assert_int_equal(quash_live_count(&device.peer), 1);
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	assert_false(quash_is_at_rest(&device.peer));
	step();
	DID("end(1)");
	say(REQUEST("2", "now")); /* it counts as held */
	step();
	ANSWERS(BUSY("2"));
	COUNTED(kept, 1);
	device_forget();
	device_at_rest = true;
	step();
	DID("end(1) released(1) freed");
	assert_true(quash_is_at_rest(&device.peer));
}

/* It is called again until it is done, whatever becomes of the request and its link. */
static void test_end_hook_that_pends_when_all_goes(void **state)
{
	(void)state;
	device_at_rest = false;
	say(REQUEST("1", "ramp"));
	step();
	quash_cancel_all(&device.peer);
	quash_reopen(&device.peer);
	step();
	assert_int_equal(quash_live_count(&device.peer), 1);
	device_at_rest = true;
	step();
	assert_int_equal(quash_live_count(&device.peer), 0);
	DID("now(1) end(1) end(1) end(1) released(1)");
}

static bool slow_is_done;

static int32_t end_slowly(quash_request *request)
{
	device_note(request, "end");
	return slow_is_done ? QUASH_DONE : quash_wait(request, 20);
}

static int32_t ends(quash_request *request)
{
	return quash_reply_null(request);
}

static void test_end_hook_that_waits(void **state)
{
	static const quash_method list[] = { { .name = "slow", .handler = ends, .end = end_slowly } };
	(void)state;
	device_prepare(&quash_acp);
	device.config.methods = list;
	device.config.method_count = 1;
	device_begin();
	slow_is_done = false;
	say(REQUEST("1", "slow"));
	loop_step(&device, 0);
	DID("end(1)");
	assert_int_equal(quash_idle_ms(&device.peer), 20);
	assert_false(loop_step(&device, 19));
	assert_true(loop_step(&device, 1));
	DID("end(1)");
	slow_is_done = true;
	quash_wake(&device.slots[0]);
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	assert_true(loop_step(&device, 0));
	DID("end(1)");
	assert_int_equal(quash_live_count(&device.peer), 0);
}

/* --- Groups: one at a time, until `end` is done */

static quash_group five, six;

/* An earlier test has left them held. */
static void free_groups(void)
{
	quash_group_reset(&five);
	quash_group_reset(&six);
}

static void start_groups(void)
{
	static quash_method list[3];
	free_groups();
	list[0] = list[1] = device_methods[13 - 1]; /* ramp */
	list[1].name = "other ramp";
	list[2] = device_methods[2]; /* wait */
	list[0].group = list[1].group = list[2].group = &five;
	device_prepare(&quash_acp);
	device.config.methods = list;
	device.config.method_count = COUNT_OF(list);
	device_begin();
}

#define HELD(id) ERROR(id, "-32010", "Busy: one at a time")

static void test_group(void **state)
{
	(void)state;
	start_groups();
	say(REQUEST_WITH("1", "wait", "{'steps':1}"));
	say(REQUEST("2", "other ramp"));
	step();
	ANSWERS(HELD("2"));
	DID("wait(1)"); /* a refused one has no hooks */
	COUNTED(held, 1);
	step();
	ANSWERS(RESULT("1", "'waited'"));
	say(REQUEST("3", "ramp"));
	device_at_rest = false;
	step();
	ANSWERS(RESULT("3", "1"));
	say(REQUEST("4", "wait")); /* still held: the motor moves */
	step();
	ANSWERS(HELD("4"));
	device_at_rest = true;
	step();
	say(REQUEST_WITH("5", "wait", "{'steps':0}"));
	step();
	ANSWERS(RESULT("5", "'waited'"));
	COUNTED(held, 2);
}

/* It is held although its answer waits for TX no more than its `end`. */
static void test_group_is_free_before_the_answer_has_left(void **state)
{
	(void)state;
	start_groups();
	fill_tx();
	say(REQUEST("1", "ramp"));
	step();
	say(REQUEST("2", "ramp"));
	step();
	drain_fill();
	ANSWERS(RESULT("1", "1") RESULT("2", "1"));
	COUNTED(held, 0);
}

static bool got;

static int32_t holds_both(quash_request *request)
{
	(void)request;
	got = quash_hold(request, &six);
	return quash_hold(request, &five) ? QUASH_PENDING : QUASH_BUSY; /* again: it is held */
}

/* Who holds a group keeps it, whatever else is asked for. */
static void test_second_group(void **state)
{
	static const quash_method list[] = { { .name = "both", .handler = holds_both, .group = &five } };
	(void)state;
	free_groups();
	device_prepare(&quash_acp);
	device.config.methods = list;
	device.config.method_count = COUNT_OF(list);
	device.config.trace = device_trace;
	device_begin();
	say(REQUEST("1", "both"));
	device_forget();
	quash_step(&device.peer);
	assert_false(got);
	DID("started misused");
	say(REQUEST("2", "both"));
	steps(2);
	ANSWERS(HELD("2"));
	COUNTED(held, 1);
	COUNTED(misuses, 3); /* one in each step */
}

static int32_t holds(quash_request *request)
{
	got = quash_hold(request, &five);
	return QUASH_PENDING;
}

static void test_hold(void **state)
{
	static quash_method list[2];
	(void)state;
	free_groups();
	list[0] = (quash_method){ .name = "holds", .handler = holds };
	list[1] = device_methods[2];
	list[1].group = &five;
	device_prepare(&quash_acp);
	device.config.methods = list;
	device.config.method_count = 2;
	device_begin();
	say(REQUEST("1", "wait"));
	say(REQUEST("2", "holds"));
	step();
	assert_false(got);
	say(CANCEL("1"));
	step();
	assert_true(got);
	step();
	assert_true(got); /* again is no harm */
	ANSWERS(CANCELLED("1"));
	say(REQUEST("3", "wait"));
	step();
	ANSWERS(HELD("3"));
}

/* Dropped requests are answered at once; the hook runs in the next step, and only then the slot is free. */
static void test_end_hook_of_what_is_dropped(void **state)
{
	(void)state;
	say(REQUEST("1", "drops"));
	step();
	say(CANCEL("1"));
	ANSWERS(CANCELLED("1"));
	assert_int_equal(quash_live_count(&device.peer), 1);
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	assert_true(quash_step(&device.peer));
	assert_int_equal(quash_live_count(&device.peer), 0);
	DID("drops(1) end(1)");
}

static void test_no_end_hook_without_a_call(void **state)
{
	(void)state;
	say(REQUEST("1", "wait"));
	say(REQUEST("2", "drops"));
	say(CANCEL("1"));
	quash_cancel_all(&device.peer);
	steps(2);
	DID("");
	say(REQUEST("1", "wait"));
	say(NOTE("note"));
	quash_gone(&device.peer);
	steps(2);
	DID("");
	assert_int_equal(quash_live_count(&device.peer), 0);
}

/* The answer waits for room in TX: the hook does not. */
static void test_end_hook_does_not_wait_for_tx(void **state)
{
	(void)state;
	fill_tx();
	say(REQUEST_WITH("1", "returns", "{'code':-5}"));
	say(REQUEST("2", "drops"));
	say(REQUEST("3", "ramp"));
	quash_step(&device.peer);
	DID("end(1) drops(2) now(3) end(3)");
	quash_cancel(live("2"));
	quash_step(&device.peer);
	DID("end(2)");
	quash_step(&device.peer);
	DID("");
	assert_int_equal(quash_live_count(&device.peer), 3);
	drain_fill();
	ANSWERS(ERROR("1", "-5", "Server error") CANCELLED("2") RESULT("3", "1"));
	assert_int_equal(quash_live_count(&device.peer), 1); /* `released` runs in the next step */
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	step();
	DID("released(3)");
	assert_int_equal(quash_live_count(&device.peer), 0);
}

/* --- Waiting */

static int32_t waits(quash_request *request)
{
	int32_t ms = 0;
	device_note(request, "waits");
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	(void)quash_int32(quash_get(quash_params_of(request), "0"), &ms);
	return quash_wait(request, ms < 0 ? UINT32_MAX : (uint32_t)ms);
}

static void start_waits(uint32_t now)
{
	static const quash_method list[] = { { .name = "waits", .handler = waits, .deadline = 100000 } };
	device_prepare(&quash_acp);
	device.config.methods = list;
	device.config.method_count = 1;
	device.now = now;
	device_begin();
}

static void test_wait(void **state)
{
	(void)state;
	start_waits(0);
	say(REQUEST_WITH("1", "waits", "[20]"));
	loop_step(&device, 0);
	DID("waits(1)");
	assert_int_equal(quash_idle_ms(&device.peer), 20);
	assert_false(loop_step(&device, 19));
	assert_int_equal(quash_idle_ms(&device.peer), 1);
	assert_true(loop_step(&device, 1));
	DID("waits(1)");
	assert_int_equal(quash_idle_ms(&device.peer), 20);
	assert_false(loop_step(&device, 0));
}

static void test_wait_across_the_wrap(void **state)
{
	(void)state;
	start_waits(UINT32_MAX - 9);
	say(REQUEST_WITH("1", "waits", "[20]"));
	loop_step(&device, 0);
	assert_int_equal(quash_idle_ms(&device.peer), 20);
	assert_false(loop_step(&device, 19));
	assert_true(loop_step(&device, 1));
}

/* Ticks alone, as of a program that receives for weeks while something keeps it from stepping. */
static void test_wait_that_is_long_over(void **state)
{
	static const uint32_t ticks[] = { 0x40000000, 0x80000010, 0x80000020 };
	(void)state;
	start_waits(0);
	say(REQUEST_WITH("1", "waits", "[20]"));
	loop_step(&device, 0);
	DID("waits(1)");
	for (size_t i = 0; i < sizeof ticks / sizeof ticks[0]; i++) {
		quash_deadline(live("1"), UINT32_MAX); /* no cancel is to end it */
		quash_tick(&device.peer, ticks[i]);
		assert_int_equal(quash_idle_ms(&device.peer), 0);
	}
	device.now = ticks[2];
	assert_true(loop_step(&device, 0));
	DID("waits(1)");
}

static void test_longest_wait(void **state)
{
	(void)state;
	start_waits(0);
	say(REQUEST_WITH("1", "waits", "[-1]"));
	loop_step(&device, 0);
	assert_int_equal(quash_idle_ms(&device.peer), 100000);
	quash_deadline(live("1"), UINT32_MAX);
	assert_int_equal(quash_idle_ms(&device.peer), INT32_MAX);
}

static void test_wake(void **state)
{
	(void)state;
	start_waits(0);
	say(REQUEST_WITH("1", "waits", "[1000]"));
	loop_step(&device, 0);
	quash_wake(live("1"));
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	assert_true(loop_step(&device, 0));
	DID("waits(1) waits(1)");
	start_waits(0);
	say(REQUEST_WITH("1", "waits", "[1000]"));
	quash_wake(live("1")); /* before it waits: harmless, and it makes no difference */
	loop_step(&device, 0);
	assert_int_equal(quash_idle_ms(&device.peer), 1000);
	assert_false(loop_step(&device, 0));
}

static int32_t is_woken(quash_request *request)
{
	device_note(request, "called");
	quash_wake(request); /* an interrupt that comes while the handler makes up its mind */
	return quash_wait(request, 1000);
}

static void test_wake_while_the_handler_runs(void **state)
{
	static const quash_method list[] = { { .name = "woken", .handler = is_woken } };
	(void)state;
	device_prepare(&quash_acp);
	device.config.methods = list;
	device.config.method_count = 1;
	device_begin();
	say(REQUEST("1", "woken"));
	steps(3);
	DID("called(1) called(1) called(1)");
}

static void test_cancel_ends_a_wait(void **state)
{
	(void)state;
	start_waits(0);
	say(REQUEST_WITH("1", "waits", "[1000]"));
	loop_step(&device, 0);
	say(CANCEL("1"));
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	step();
	ANSWERS(CANCELLED("1"));
	DID("waits(1) waits(1)");
}

static void test_deadline_ends_a_wait(void **state)
{
	(void)state;
	start_waits(0);
	say(REQUEST_WITH("1", "waits", "[1000]"));
	loop_step(&device, 0);
	quash_deadline(live("1"), 7);
	assert_int_equal(quash_idle_ms(&device.peer), 7);
	loop_step(&device, 7);
	ANSWERS(CANCELLED("1"));
}

/* --- Sleeping */

static void test_idle(void **state)
{
	(void)state;
	assert_int_equal(quash_idle_ms(&device.peer), UINT32_MAX);
	say(REQUEST("1", "wait"));
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	step();
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	quash_cancel(live("1"));
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	step();
	assert_int_equal(quash_idle_ms(&device.peer), UINT32_MAX);
	say(NOTE("note"));
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	step();
	assert_int_equal(quash_idle_ms(&device.peer), UINT32_MAX);
}

static void test_idle_while_an_answer_waits(void **state)
{
	(void)state;
	say(REQUEST("1", "wait"));
	fill_tx();
	quash_cancel(live("1"));
	assert_int_equal(quash_idle_ms(&device.peer), UINT32_MAX); /* room in TX ends the sleep */
}

/* Everything that is live, kept, written or to be written is a reason not to rest. */
static void test_at_rest(void **state)
{
	(void)state;
	assert_true(quash_is_at_rest(&device.peer));
	say(REQUEST("1", "now"));
	assert_false(quash_is_at_rest(&device.peer));
	quash_step(&device.peer);
	assert_int_equal(quash_live_count(&device.peer), 0);
	assert_false(quash_is_at_rest(&device.peer)); /* its answer is in TX */
	ANSWERS(RESULT("1", "1"));
	assert_true(quash_is_at_rest(&device.peer));
	quash_input_end(&device.peer);
	assert_true(quash_is_at_rest(&device.peer));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_each_once_in_a_step, set_up),
		cmocka_unit_test_setup(test_nothing_to_do, set_up),
		cmocka_unit_test_setup(test_what_arrives_meanwhile, set_up),
		cmocka_unit_test_setup(test_no_step_in_a_step, set_up),
		cmocka_unit_test_setup(test_busy, set_up),
		cmocka_unit_test_setup(test_busy_while_a_long_answer_is_under_way, set_up),
		cmocka_unit_test_setup(test_refused_below_a_busy_handler, set_up),
		cmocka_unit_test_setup(test_outcomes, set_up),
		cmocka_unit_test_setup(test_params, set_up),
		cmocka_unit_test_setup(test_end_hook, set_up),
		cmocka_unit_test_setup(test_end_hook_of_what_is_dropped, set_up),
		cmocka_unit_test_setup(test_no_end_hook_without_a_call, set_up),
		cmocka_unit_test_setup(test_end_hook_does_not_wait_for_tx, set_up),
		cmocka_unit_test_setup(test_end_hook_that_pends, set_up),
		cmocka_unit_test_setup(test_end_hook_that_pends_when_all_goes, set_up),
		cmocka_unit_test_setup(test_end_hook_that_waits, set_up),
		cmocka_unit_test_setup(test_group, set_up),
		cmocka_unit_test_setup(test_group_is_free_before_the_answer_has_left, set_up),
		cmocka_unit_test_setup(test_second_group, set_up),
		cmocka_unit_test_setup(test_hold, set_up),
		cmocka_unit_test_setup(test_wait, set_up),
		cmocka_unit_test_setup(test_wait_across_the_wrap, set_up),
		cmocka_unit_test_setup(test_wait_that_is_long_over, set_up),
		cmocka_unit_test_setup(test_longest_wait, set_up),
		cmocka_unit_test_setup(test_wake, set_up),
		cmocka_unit_test_setup(test_wake_while_the_handler_runs, set_up),
		cmocka_unit_test_setup(test_cancel_ends_a_wait, set_up),
		cmocka_unit_test_setup(test_deadline_ends_a_wait, set_up),
		cmocka_unit_test_setup(test_idle, set_up),
		cmocka_unit_test_setup(test_idle_while_an_answer_waits, set_up),
		cmocka_unit_test_setup(test_at_rest, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
