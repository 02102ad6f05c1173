/* SPDX-License-Identifier: MIT
 * Receiving as a whole: what finds no room is kept until a step has run, and however bytes are cut the output is the
 * same. */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>

static void start(const quash_dialect *dialect, uint8_t slots)
{
	device_prepare(dialect);
	device.config.slot_count = slots;
	device_begin();
}

static int set_up(void **state)
{
	(void)state;
	start(&quash_acp, 1);
	return 0;
}

/* --- Kept for a step */

static void test_kept_and_served(void **state)
{
	(void)state;
	device.config.trace = device_trace;
	device_begin();
	say(REQUEST("1", "now"));
	say(REQUEST("2", "now"));
	DID("received parked received kept");
	assert_int_equal(quash_live_count(&device.peer), 2);
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	takes_nothing(REQUEST("3", "now") "\n");
	device.stalled = true;
	step();
	DID("started now(1) recorded written freed parked");
	device.stalled = false;
	step();
	ANSWERS(RESULT("1", "1") RESULT("2", "1"));
	COUNTED(kept, 1);
	COUNTED(busy, 0);
	COUNTED(requests, 2);
	assert_true(quash_is_at_rest(&device.peer));
}

static void test_kept_and_refused(void **state)
{
	(void)state;
	say(REQUEST("1", "wait"));
	say(REQUEST("2", "now"));
	assert_false(quash_is_at_rest(&device.peer));
	step();
	ANSWERS(BUSY("2"));
	assert_int_equal(quash_live_count(&device.peer), 1);
	say(REQUEST("2", "now")); /* the next one waits a step of its own */
	ANSWERS("");
	COUNTED(kept, 2);
	say_on(CANCEL("1") "\n");
	steps(2);
	ANSWERS(BUSY("2") CANCELLED("1"));
	COUNTED(busy, 2);
}

/* Handled notifications are kept like requests, and then dropped; what nobody handles waits for nothing. */
static void test_kept_notification(void **state)
{
	(void)state;
	say(REQUEST("1", "wait"));
	takes_all(NOTE("nobody") "\n" NOTE("now") "\n");
	COUNTED(ignored, 2);
	say(NOTE("note"));
	COUNTED(kept, 1);
	takes_nothing(NOTE("nobody") "\n");
	step();
	COUNTED(busy, 1);
	COUNTED(notifications, 0);
	takes_all(NOTE("nobody") "\n");
	say(NOTE("note"));
	quash_cancel(live("1"));
	step();
	step();
	COUNTED(notifications, 1);
	DID("wait(1) wait(1) end(1) note(-) end(-)");
}

/* What a request needs no slot for is not kept: its refusal takes the place of the next id. */
static void test_refusal_without_a_slot(void **state)
{
	size_t n;
	(void)state;
	say(REQUEST("1", "wait"));
	assert_int_equal(offer(REQUEST("2", "other") "\n" NOTE("nobody") "\n"), strlen(REQUEST("2", "other")) + 1);
	takes_nothing(NOTE("nobody") "\n");
	COUNTED(kept, 0);
	(void)quash_out(&device.peer, &n);
	assert_int_equal(n, strlen(UNKNOWN("2")));
	takes_all(NOTE("nobody") "\n");
	ANSWERS(UNKNOWN("2"));
}

/* Slots whose answers wait for TX will come free: receiving waits for them, however long it takes. */
static void test_waits_for_tx(void **state)
{
	(void)state;
	fill_tx();
	say(REQUEST("1", "now"));
	step();
	say(REQUEST("2", "now"));
	for (unsigned i = 0; i < 100; i++) {
		step();
		takes_nothing("\n");
		assert_int_equal(quash_idle_ms(&device.peer), UINT32_MAX);
	}
	assert_int_equal(quash_live_count(&device.peer), 2);
	drain_fill();
	ANSWERS(RESULT("1", "1"));
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	takes_all("\n");
	step();
	ANSWERS(RESULT("2", "1"));
	COUNTED(busy, 0);
}

/* The last of them is of no use while another one still moves something. */
static void test_waits_for_tx_beside_what_moves(void **state)
{
	(void)state;
	start(&quash_acp, 2);
	device_at_rest = false;
	fill_tx();
	say(REQUEST("1", "ramp"));
	say(REQUEST("2", "now"));
	step();
	say(REQUEST("3", "now"));
	steps(3);
	takes_nothing("\n");
	drain_fill();
	ANSWERS(RESULT("1", "1") RESULT("2", "1"));
	takes_all("\n");
	step();
	ANSWERS(RESULT("3", "1"));
	COUNTED(busy, 0);
}

/* Deadline and age count from when it gets its slot. */
static void test_time_of_what_is_kept(void **state)
{
	quash_live one = { 0 };
	(void)state;
	say(REQUEST("1", "now"));
	say(REQUEST("2", "limited"));
	device.now += 90;
	quash_tick(&device.peer, device.now);
	loop_step(&device, 0);
	assert_true(quash_next_live(&device.peer, &one));
	assert_int_equal(one.age, 0);
	loop_step(&device, 99);
	assert_int_equal(quash_cancelled(live("2")), QUASH_NOT_CANCELLED);
	loop_step(&device, 1);
	assert_int_equal(quash_live_count(&device.peer), 0);
	COUNTED(cancelled[QUASH_BY_DEADLINE], 1);
}

/* --- What becomes of it */

static void test_shutdown_of_what_is_kept(void **state)
{
	(void)state;
	say(REQUEST("1", "wait"));
	step();
	say(REQUEST("2", "now"));
	quash_cancel_all(&device.peer);
	COUNTED(cancelled[QUASH_BY_SHUTDOWN], 2);
	steps(2);
	ANSWERS(CANCELLED("2") CANCELLED("1"));
	DID("wait(1) wait(1) end(1)");
	assert_true(quash_is_at_rest(&device.peer));
	say(REQUEST("1", "wait"));
	step();
	say(NOTE("note"));
	quash_cancel_all(&device.peer);
	steps(2);
	ANSWERS(CANCELLED("1"));
	COUNTED(notifications, 0);
	assert_true(quash_is_at_rest(&device.peer));
}

static void test_link_gone_while_kept(void **state)
{
	(void)state;
	say(REQUEST("1", "wait"));
	step();
	say(REQUEST("2", "now"));
	quash_gone(&device.peer);
	assert_int_equal(quash_live_count(&device.peer), 1);
	COUNTED(discarded, 2);
	steps(2);
	ANSWERS("");
	quash_reopen(&device.peer);
	say(REQUEST("2", "now"));
	step();
	ANSWERS(RESULT("2", "1"));
	DID("wait(1) wait(1) end(1) now(2)");
}

static void test_input_end_while_kept(void **state)
{
	(void)state;
	say(REQUEST("1", "now"));
	say(REQUEST("2", "now"));
	quash_input_end(&device.peer);
	assert_false(quash_is_at_rest(&device.peer));
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	steps(3);
	ANSWERS(RESULT("1", "1") RESULT("2", "1"));
	assert_true(quash_is_at_rest(&device.peer));
	start(&quash_acp, 1);
	say(REQUEST("1", "now"));
	takes_all(REQUEST("2", "now")); /* its line is open */
	quash_input_end(&device.peer);
	steps(3);
	ANSWERS(RESULT("1", "1") RESULT("2", "1"));
	assert_true(quash_is_at_rest(&device.peer));
}

/* A message that was kept has come whole: the gap is after it. */
static void test_gap_behind_what_is_kept(void **state)
{
	(void)state;
	say(REQUEST("1", "now"));
	say(REQUEST("2", "now"));
	quash_lost(&device.peer);
	steps(2);
	ANSWERS(RESULT("1", "1") RESULT("2", "1"));
}

/* --- The arena is full at a byte */

#define LONG_PARAMS "['0123456789012345678901234567890123456789']"

/* A full arena pauses in the middle of the message, which goes on when a step has made room. */
static void test_arena_full_at_a_byte(void **state)
{
	static const char second[] = REQUEST_WITH("2", "echo", LONG_PARAMS) "\n";
	(void)state;
	device_prepare(&quash_acp);
	device.config.arena_size = 70;
	device_begin();
	say(REQUEST_WITH("1", "echo", LONG_PARAMS));
	const size_t taken = offer(second);
	assert_in_range(taken, 50, sizeof second - 20);
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	takes_nothing(second + taken);
	step();
	takes_all(second + taken);
	step();
	ANSWERS(RESULT("1", LONG_PARAMS) RESULT("2", LONG_PARAMS));
	COUNTED(busy, 0);
	COUNTED(kept, 1);
}

#define THIRTY "a name of thirty characters.. "
#define NAME_OF_150 THIRTY THIRTY THIRTY THIRTY THIRTY

/* A name that has not come whole stands where the request would. */
static void test_arena_full_in_a_name(void **state)
{
	static union {
		quash_word word;
		uint8_t bytes[UINT8_MAX];
	} wide;
	static const char second[] = REQUEST_WITH("2", "echo", "{'" NAME_OF_150 "':1}") "\n";
	(void)state;
	device_prepare(&quash_acp);
	device.config.arena_size = 180;
	device.config.word = &wide.word;
	device.config.word_size = sizeof wide.bytes;
	device.config.trace = device_trace;
	device_begin();
	say(REQUEST_WITH("1", "echo", LONG_PARAMS));
	const size_t taken = offer(second);
	DID("received parked kept");
	step();
	takes_all(second + taken);
	step();
	ANSWERS(RESULT("1", LONG_PARAMS) RESULT("2", "{'" NAME_OF_150 "':1}"));
}

/* Params wait until their answer has left, so for TX. */
static void test_arena_waits_for_tx(void **state)
{
	static const char second[] = REQUEST_WITH("2", "echo", LONG_PARAMS) "\n";
	(void)state;
	device_prepare(&quash_acp);
	device.config.arena_size = 70;
	device_begin();
	fill_tx();
	say(REQUEST_WITH("1", "echo", LONG_PARAMS));
	step();
	const size_t taken = offer(second);
	for (unsigned i = 0; i < 20; i++) {
		step();
		takes_nothing(second + taken);
	}
	drain_fill();
	ANSWERS(RESULT("1", LONG_PARAMS));
	takes_all(second + taken);
	step();
	ANSWERS(RESULT("2", LONG_PARAMS));
	COUNTED(busy, 0);
}

/* A cancel waits for no room, whatever else it carries, also while TX is stalled. */
static void test_cancel_with_a_full_arena(void **state)
{
	(void)state;
	device_prepare(&quash_acp);
	device.config.arena_size = 140;
	device_begin();
	say(REQUEST_WITH("1", "wait", LONG_PARAMS));
	step();
	fill_tx();
	say(REQUEST_WITH("2", "echo", LONG_PARAMS));
	step();
	takes_all(NOTE_WITH("$/cancel_request", "{'requestId':1,'more':" LONG_PARAMS "}") "\n");
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_OTHER_SIDE);
	COUNTED(kept, 0);
	drain_fill();
	step();
	ANSWERS(RESULT("2", LONG_PARAMS) CANCELLED("1"));
}

/* --- Floods */

static void flood(const quash_dialect *dialect, uint8_t slots, quash_size tx, unsigned count)
{
	static char text[80], framed[120];
	unsigned answered = 0;
	device_prepare(dialect);
	device.config.slot_count = slots;
	device.config.tx_size = tx;
	device_begin();
	for (unsigned i = 1; i <= count; i++) {
		const int n = snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"now\"}", i);
		if (dialect->framing == QUASH_LINES)
			snprintf(framed, sizeof framed, "%s\n", text);
		else
			snprintf(framed, sizeof framed, "Content-Length: %d\r\n\r\n%s", n, text);
		for (size_t at = 0, length = strlen(framed); at < length;) {
			const size_t taken = quash_feed(&device.peer, (const uint8_t *)framed + at, length - at);
			at += taken;
			if (taken == 0)
				loop_step(&device, 0);
		}
		if (device.heard_length > sizeof device.heard / 2 || i == count) {
			loop_settle(&device, 3);
			for (const char *at = loop_heard(&device); (at = strstr(at, "\"id\":")) != NULL; at++)
				assert_int_equal(strtoul(at + 5, NULL, 10), ++answered);
			device_forget();
		}
		if (i % 1000 == 0)
			device_forget();
	}
	assert_int_equal(answered, count);
	COUNTED(busy, 0);
	COUNTED(errors, 0);
	assert_true(quash_is_at_rest(&device.peer));
}

/* Each of them is answered, in its order, with any number of slots and any TX. */
static void test_flood(void **state)
{
	(void)state;
	flood(&quash_acp, 1, 64, ROUNDS_OF(100000));
	flood(&quash_lsp, 1, 64, ROUNDS_OF(5000));
	flood(&quash_mcp, 2, 512, ROUNDS_OF(5000));
	flood(&quash_jsonrpc, 8, 100, ROUNDS_OF(5000));
}

/* Each is refused while the first one runs: it counts as live until nothing is. */
static void test_marks_of_what_is_refused(void **state)
{
	(void)state;
	start(&quash_acp, 1);
	say_on(REQUEST("1", "wait") "\n" REQUEST("2", "now") "\n" REQUEST("3", "now") "\n");
	steps(2);
	COUNTED(busy, 2);
	COUNTED(most_live, 3);
	say_on(CANCEL("1") "\n");
	steps(2);
	say_on(REQUEST("4", "now") "\n");
	steps(2);
	COUNTED(most_live, 3);
	assert_int_equal(device.peer.live, 0);
}

/* --- Between messages */

static void test_empty_lines(void **state)
{
	(void)state;
	takes_all("\n\r\n \t\n" REQUEST("1", "now") "\n\n\r\n");
	step();
	ANSWERS(RESULT("1", "1"));
	COUNTED(parse_errors, 0);
	COUNTED(life_signs, 5);
	start(&quash_lsp, 1);
	takes_all("\r\n\n\r\n");
	say(REQUEST("1", "now"));
	takes_all("\r\n");
	step();
	ANSWERS(RESULT("1", "1"));
	COUNTED(bad_headers, 0);
	COUNTED(life_signs, 4);
}

/* A body of length 0 is a message, and a broken one. */
static void test_empty_body(void **state)
{
	(void)state;
	start(&quash_lsp, 1);
	takes_all("Content-Length: 0\r\n\r\n");
	ANSWERS(PARSE_ERROR);
}

/* A length that is not believed is a bad header; what follows is found. */
static void test_body_limit(void **state)
{
	(void)state;
	device_prepare(&quash_lsp);
	device.config.body_limit = 60;
	device_begin();
	takes_all("Content-Length: 61\r\n\r\n");
	COUNTED(bad_headers, 1);
	takes_all("Content-Length: 4294967295\r\n\r\n");
	COUNTED(bad_headers, 2);
	say(REQUEST("1", "now"));
	step();
	ANSWERS(RESULT("1", "1"));
	say(REQUEST_WITH("1", "echo", "['this has more than 60 bytes']"));
	COUNTED(bad_headers, 3);
	say(REQUEST("1", "now"));
	step();
	ANSWERS(RESULT("1", "1"));
}

/* A limit of one digit too. */
static void test_small_body_limit(void **state)
{
	(void)state;
	device_prepare(&quash_lsp);
	device.config.body_limit = 5;
	device_begin();
	takes_all("Content-Length: 9\r\n\r\n");
	COUNTED(bad_headers, 1);
	takes_all("\r\nContent-Length: 5\r\n\r\nfalse");
	COUNTED(bad_headers, 1);
	ANSWERS(INVALID("null"));
}

/* Without one, and with one beyond it, the longest that is believed is 16 MiB - 1. */
static void test_longest_body(void **state)
{
	static const uint32_t limits[] = { 0, 0xFFFFFF, 0x1000000, UINT32_MAX };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(limits); i++) {
		device_prepare(&quash_lsp);
		device.config.body_limit = limits[i];
		device_begin();
		takes_all("Content-Length: 16777216\r\n\r\n");
		COUNTED(bad_headers, 1);
		takes_all("Content-Length: 16777215\r\n\r\n");
		COUNTED(bad_headers, 1);
	}
}

/* --- Sleeping */

/* Zero when a step or a feed would do something with what was left, else not. */
static void test_idle_after_a_partial_feed(void **state)
{
	(void)state;
	say(REQUEST("1", "wait"));
	step();
	(void)quash_wait(live("1"), 500);
	step();
	assert_int_not_equal(offer(REQUEST("2", "now") "\n" NOTE("nobody") "\n"), 0);
	assert_int_equal(quash_idle_ms(&device.peer), 0); /* a step would refuse it */
	assert_true(quash_step(&device.peer));            /* and there is something to write */
	assert_false(quash_step(&device.peer));
	assert_int_equal(quash_idle_ms(&device.peer), 0); /* the rest would be taken now */
	takes_all(NOTE("nobody") "\n");
	ANSWERS(BUSY("2"));
	(void)quash_wait(live("1"), 500);
	assert_int_equal(quash_idle_ms(&device.peer), 500);
}

/* --- However the input is cut */

static uint32_t seed;

static unsigned random_below(unsigned limit)
{
	seed = seed * 1664525u + 1013904223u;
	return (unsigned)((seed >> 8) % limit);
}

static unsigned last_id;
static size_t pending_length;
static uint8_t pending[ROOM_FOR(8192)];

/* What the peer takes of what has come so far, in pieces of `cut` bytes. */
static void feed_pending(size_t cut)
{
	size_t at = 0, taken;
	do {
		const size_t n = pending_length - at < cut ? pending_length - at : cut;
		taken = quash_feed(&device.peer, pending + at, n);
		at += taken;
	} while (taken > 0 && at < pending_length);
	pending_length -= at;
	memmove(pending, pending + at, pending_length);
	device_check();
}

static void arrives(void)
{
	static const char *const methods[] = { "now", "echo", "wait", "stubborn", "drops", "partial", "note", "nothing", "ramp" };
	char text[200], framed[260];
	const unsigned id = ++last_id;
	switch (random_below(8)) {
	case 0: snprintf(text, sizeof text, CANCEL("%u"), id % 16 + 1); break;
	case 1: snprintf(text, sizeof text, LSP_CANCEL("%u"), id % 16 + 1); break;
	case 2: snprintf(text, sizeof text, "%s", random_below(2) ? NOTE("note") : NOTE("nobody")); break;
	case 3: snprintf(text, sizeof text, "[" REQUEST("%u", "now") "," NOTE("note") "," REQUEST("%u", "wait") "]", id % 16, (id + 1) % 16); break;
	case 4: strcpy(text, random_below(2) ? "x" : ""); break;
	default:
		snprintf(text, sizeof text, REQUEST_WITH("%u", "%s", "{'steps':%u,'text':'%.*s'}"), id % 16,
			methods[random_below(COUNT_OF(methods))], random_below(4), (int)random_below(40),
			"0123456789012345678901234567890123456789");
		break;
	}
	const char *const json = quoted(text);
	if (device.config.dialect->framing == QUASH_LINES)
		snprintf(framed, sizeof framed, "%s\n", json);
	else
		snprintf(framed, sizeof framed, "Content-Length: %zu\r\n\r\n%s", strlen(json), json);
	if (pending_length + strlen(framed) > sizeof pending)
		return;
	memcpy(pending + pending_length, framed, strlen(framed));
	pending_length += strlen(framed);
}

/* The script is made of its number alone. */
static const char *play(unsigned number, size_t cut)
{
	static const quash_dialect *const dialects[] = { &quash_acp, &quash_lsp, &quash_mcp, &quash_jsonrpc };
	static const quash_size sizes[] = { 64, 100, 300 };
	seed = number;
	pending_length = last_id = 0;
	device_prepare(dialects[random_below(4)]);
	device.config.slot_count = (uint8_t)(1 + random_below(4));
	device.config.arena_size = (quash_size)(60 + random_below(300));
	device.config.tx_size = sizes[random_below(3)];
	device_begin();
	for (unsigned i = 0; i < 60; i++) {
		const unsigned most = random_below(100);
		size_t n;
		for (unsigned k = random_below(4); k > 0; k--)
			arrives();
		feed_pending(cut);
		switch (random_below(8)) {
		case 0: quash_tick(&device.peer, device.now += random_below(50)); break;
		case 1:
		case 2: break;
		case 3: quash_cancel_all(&device.peer); break;
		case 4: device_at_rest = random_below(2); break;
		default: (void)quash_step(&device.peer); break;
		}
		const uint8_t *const out = quash_out(&device.peer, &n);
		n = n < most ? n : most;
		assert_room(device.heard_length + n < sizeof device.heard);
		memcpy(device.heard + device.heard_length, out, n);
		device.heard_length += n;
		quash_sent(&device.peer, n);
		device_check();
	}
	device.heard[device.heard_length] = '\0';
	return device.heard;
}

static void test_however_it_is_cut(void **state)
{
	static char whole[ROOM_FOR(16384)];
	(void)state;
	for (unsigned number = 1; number <= ROUNDS_OF(2000); number++) {
		strcpy(whole, play(number, SIZE_MAX));
		const char *const bytes = play(number, 1);
		if (strcmp(bytes, whole) != 0)
			fail_msg("script %u: whole:\n%s\nbyte by byte:\n%s", number, whole, bytes);
		assert_string_equal(play(number, 1 + number % 40), whole);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_kept_and_served, set_up),
		cmocka_unit_test_setup(test_kept_and_refused, set_up),
		cmocka_unit_test_setup(test_kept_notification, set_up),
		cmocka_unit_test_setup(test_refusal_without_a_slot, set_up),
		cmocka_unit_test_setup(test_waits_for_tx, set_up),
		cmocka_unit_test_setup(test_waits_for_tx_beside_what_moves, set_up),
		cmocka_unit_test_setup(test_time_of_what_is_kept, set_up),
		cmocka_unit_test_setup(test_shutdown_of_what_is_kept, set_up),
		cmocka_unit_test_setup(test_link_gone_while_kept, set_up),
		cmocka_unit_test_setup(test_input_end_while_kept, set_up),
		cmocka_unit_test_setup(test_gap_behind_what_is_kept, set_up),
		cmocka_unit_test_setup(test_arena_full_at_a_byte, set_up),
		cmocka_unit_test_setup(test_arena_full_in_a_name, set_up),
		cmocka_unit_test_setup(test_arena_waits_for_tx, set_up),
		cmocka_unit_test_setup(test_cancel_with_a_full_arena, set_up),
		cmocka_unit_test_setup(test_marks_of_what_is_refused, set_up),
		cmocka_unit_test_setup(test_flood, set_up),
		cmocka_unit_test_setup(test_empty_lines, set_up),
		cmocka_unit_test_setup(test_empty_body, set_up),
		cmocka_unit_test_setup(test_body_limit, set_up),
		cmocka_unit_test_setup(test_small_body_limit, set_up),
		cmocka_unit_test(test_longest_body),
		cmocka_unit_test_setup(test_idle_after_a_partial_feed, set_up),
		cmocka_unit_test_setup(test_however_it_is_cut, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
