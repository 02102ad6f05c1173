/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>

#include "chance.h"

static const quash_dialect *const all_dialects[] = { &quash_acp, &quash_lsp, &quash_mcp, &quash_jsonrpc };

/* --- quash_init, see test_check.c */

static void test_smallest_config(void **state)
{
	(void)state;
	device_prepare(&quash_acp);
	device.config.slot_count = 1;
	device.config.id_size = QUASH_ID_MIN;
	device.config.arena_size = QUASH_ARENA_MIN;
	device.config.tx_size = QUASH_TX_MIN;
	device.config.states = NULL;
	device.config.state_size = 0;
	device.config.tags = NULL;
	device.config.tag_size = 0;
	device.config.reason = NULL;
	device.config.reason_size = 0;
	device.config.method_count = 2; /* which need no state */
	device_begin();
	say_on(REQUEST("-9007199254740992", "now") "\n" REQUEST("'12345678901234567'", "now") "\n"
		REQUEST("'123456789012345678'", "now") "\n");
	steps(2);
	/* The refusal found no slot, so it is written first. */
	ANSWERS(RESULT("-9007199254740992", "1") INVALID("null") RESULT("'12345678901234567'", "1"));
	device_prepare(&quash_acp);
	device.config.methods = NULL;
	device.config.method_count = 0;
	device_begin();
	say(REQUEST("1", "now"));
	ANSWERS(UNKNOWN("1"));
}

/* --- Counters */

/* Answers, refusals, cancels, what is lost: all that is counted otherwise. */
static const char *a_conversation(void)
{
	static char heard[2000];
	say(REQUEST("1", "now"));
	say(REQUEST("2", "none"));
	say(REQUEST("3", "wait"));
	say(REQUEST("3", "wait"));
	say(NOTE("note"));
	say(NOTE("none"));
	say("{");
	say("[]");
	say(REQUEST("[]", "now"));
	step();
	say(CANCEL("3"));
	say(CANCEL("3"));
	say(CANCEL("{}"));
	say("{'jsonrpc':'2.0','id':9,'result':1}");
	steps(3);
	say(REQUEST("4", "stubborn"));
	step();
	quash_lost(&device.peer);
	say("");
	say("");
	quash_put_uint(quash_notify(&device.peer, "note"), 1);
	assert_true(quash_notify_send(&device.peer));
	quash_new_session(&device.peer);
	steps(3);
	say(REQUEST("5", "wait"));
	step();
	quash_cancel_all(&device.peer);
	steps(3);
	assert_in_range(strlen(loop_heard(&device)), 1, sizeof heard - 1);
	strcpy(heard, device.heard);
	return heard;
}

static void test_without_counters(void **state)
{
	static char counted[2000];
	(void)state;
	device_start(&quash_acp);
	assert_ptr_equal(quash_counters_of(&device.peer), &device.counters);
	strcpy(counted, a_conversation());
	COUNTED(requests, 4);
	device_prepare(&quash_acp);
	device.config.counters = NULL;
	device_begin();
	assert_null(quash_counters_of(&device.peer));
	assert_string_equal(a_conversation(), counted);
	COUNTED(requests, 0);
}

static void test_init_again(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say(REQUEST("1", "wait"));
	step();
	loop_say(&device, "{\"half");
	loop_start(&device);
	assert_int_equal(quash_live_count(&device.peer), 0);
	COUNTED(requests, 0);
	say(REQUEST("1", "now"));
	steps(2);
	ANSWERS(RESULT("1", "1"));
	DID("wait(1) now(1)");
}

static void test_context(void **state)
{
	(void)state;
	device_start(&quash_acp);
	assert_ptr_equal(quash_context(&device.peer), &device);
}

QUASH_STORAGE(store, 3, 20, 12, 100, 64);

static void test_storage(void **state)
{
	static const quash_config config = { QUASH_STORED(store), .dialect = &quash_mcp,
		.methods = device_methods, .method_count = 1 };
	(void)state;
	assert_int_equal(config.slot_count, 3);
	assert_int_equal(config.id_size, 20);
	assert_int_equal(config.state_size, 16);
	assert_int_equal(config.arena_size, 100);
	assert_int_equal(config.tx_size, 64);
	assert_in_range(sizeof store.states, 48, 64);
	assert_int_equal(sizeof store.ids, 80);
	assert_true(quash_init(&device.peer, &config, NULL));
}

/* --- End, gone, reopen, lost */

static void test_end_ends_the_open_line(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say(REQUEST("1", "wait"));
	step();
	loop_say(&device, quoted(REQUEST("2", "now")));
	ANSWERS("");
	quash_input_end(&device.peer);
	step();
	ANSWERS(RESULT("2", "1"));
	quash_cancel(live("1"));
	step();
	ANSWERS(CANCELLED("1"));
}

static void test_end_of_half_a_line(void **state)
{
	(void)state;
	device_start(&quash_acp);
	loop_say(&device, "{\"jsonrpc\"");
	quash_input_end(&device.peer);
	quash_input_end(&device.peer);
	ANSWERS(PARSE_ERROR);
	device_start(&quash_acp);
	say(REQUEST("1", "now"));
	quash_input_end(&device.peer);
	step();
	ANSWERS(RESULT("1", "1"));
	device_start(&quash_lsp);
	loop_say(&device, "Content-Length: 10\r\n\r\n{\"a\"");
	quash_input_end(&device.peer);
	step();
	ANSWERS("");
}

static void test_end_of_a_cancel(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say(REQUEST("1", "wait"));
	loop_say(&device, quoted(CANCEL("1")));
	quash_input_end(&device.peer);
	ANSWERS(CANCELLED("1"));
}

static void test_gone(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say(REQUEST("1", "wait"));
	say(REQUEST("2", "stubborn"));
	quash_step(&device.peer);
	say(REQUEST("3", "nothing"));
	quash_gone(&device.peer);
	quash_gone(&device.peer);
	assert_true(quash_is_gone(&device.peer));
	assert_int_equal(quash_feed(&device.peer, (const uint8_t *)"x", 1), 0);
	quash_notify(&device.peer, "n");
	assert_false(quash_notify_send(&device.peer));
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_LINK);
	steps(3);
	ANSWERS("");
	DID("wait(1) stubborn(2) wait(1) end(1) stubborn(2) stubborn(2) stubborn(2)");
	COUNTED(cancelled[QUASH_BY_LINK], 2);
	assert_int_equal(quash_live_count(&device.peer), 1);
}

/* What still runs stays mute on the new link, and its slots and ids come back. */
static void test_reopen(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say(REQUEST_WITH("1", "stubborn", "{'steps':3}"));
	step();
	say(REQUEST("2", "nothing"));
	loop_say(&device, "{\"half a mess");
	quash_reopen(&device.peer);
	ANSWERS("");
	assert_false(quash_is_gone(&device.peer));
	say(REQUEST_WITH("1", "stubborn", "{'steps':1}"));
	say(REQUEST("2", "now"));
	steps(4);
	ANSWERS(RESULT("2", "1") RESULT("1", "'done'"));
	COUNTED(cancelled[QUASH_BY_LINK], 1);
	COUNTED(duplicate_ids, 0);
	assert_int_equal(quash_live_count(&device.peer), 0);
}

/* A message that is kept goes with its link, and is not counted on the next one. */
static void test_reopen_with_a_kept_message(void **state)
{
	(void)state;
	device_prepare(&quash_acp);
	device.config.slot_count = 1;
	device_begin();
	say(REQUEST("1", "wait"));
	say(REQUEST("2", "now"));
	assert_int_equal(quash_live_count(&device.peer), 2);
	quash_gone(&device.peer);
	steps(2);
	quash_reopen(&device.peer);
	assert_int_equal(quash_live_count(&device.peer), 0);
	say(REQUEST("3", "now"));
	step();
	ANSWERS(RESULT("3", "1"));
}

static void test_reopen_with_headers(void **state)
{
	(void)state;
	device_start(&quash_lsp);
	loop_say(&device, "Content-Length: 1000\r\n\r\n{");
	quash_gone(&device.peer);
	quash_reopen(&device.peer);
	say(REQUEST("1", "now"));
	step();
	ANSWERS(RESULT("1", "1"));
}

static void test_reopen_after_end(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say(REQUEST("1", "wait"));
	quash_input_end(&device.peer);
	quash_reopen(&device.peer);
	ANSWERS("");
	COUNTED(cancelled[QUASH_BY_LINK], 1);
	say(REQUEST("1", "now"));
	step();
	ANSWERS(RESULT("1", "1"));
}

static void test_lost_bytes_of_a_line(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say(REQUEST("1", "wait"));
	loop_say(&device, "{\"jsonrpc\":\"2.0\",\"id\":2,");
	quash_lost(&device.peer);
	loop_say(&device, "\"method\":\"now\"}\n");
	say(REQUEST("3", "now"));
	step();
	ANSWERS(RESULT("3", "1"));
	COUNTED(lost, 1);
	COUNTED(parse_errors, 0);
	assert_int_equal(quash_live_count(&device.peer), 1);
}

static void test_lost_bytes_of_a_body(void **state)
{
	(void)state;
	device_start(&quash_lsp);
	loop_say(&device, "Content-Length: 100\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":2,");
	quash_lost(&device.peer);
	loop_say(&device, "\"x\"}");
	say(REQUEST("3", "now"));
	step();
	ANSWERS(RESULT("3", "1"));
	COUNTED(lost, 1);
	loop_say(&device, "Conte");
	quash_lost(&device.peer);
	loop_say(&device, "\r\n{}");
	say(REQUEST("4", "now"));
	step();
	ANSWERS(RESULT("4", "1"));
}

static void test_lost_bytes_of_a_batch(void **state)
{
	(void)state;
	device_start(&quash_jsonrpc);
	loop_say(&device, quoted("[" REQUEST("1", "now") ","));
	quash_lost(&device.peer);
	loop_say(&device, quoted(REQUEST("2", "now") "]\n"));
	say(REQUEST("1", "now"));
	steps(2);
	ANSWERS(RESULT("1", "1"));
	DID("now(1)");
	assert_int_equal(quash_live_count(&device.peer), 0);
}

/* --- However the input is cut */

static const char *const conversation[] = {
	REQUEST("1", "now"),
	REQUEST_WITH("'zwei'", "echo", "[1.50,'\\u00e9\\ud83d\\ude00',{'a':null}]"),
	"{",
	"[]",
	"",
	REQUEST("3", "wait"),
	CANCEL("3"),
	NOTE("note"),
	REQUEST("4", "nothing"),
	"{'id':5}",
	REQUEST_WITH("6", "wait", "{'steps':0}"),
	LSP_CANCEL("6"),
	REQUEST("7", "drops"),
	REQUEST("7", "now"),
	MCP_CANCEL_FOR("7", "'why'"),
	"[" REQUEST("8", "now") "," NOTE("note") ",1]",
};

static size_t whole_conversation(char *text, size_t size)
{
	size_t at = 0;
	for (size_t i = 0; i < COUNT_OF(conversation); i++) {
		const char *const message = quoted(conversation[i]);
		if (device.config.dialect->framing == QUASH_LINES)
			at += (size_t)snprintf(text + at, size - at, "%s\n", message);
		else
			at += (size_t)snprintf(text + at, size - at, "Content-Length: %zu\r\n\r\n%s",
				strlen(message), message);
		assert_room(at < size);
	}
	return at;
}

static void test_cut_everywhere(void **state)
{
	static char text[ROOM_FOR(4096)], expected[ROOM_FOR(8192)];
	(void)state;
	for (size_t k = 0; k < COUNT_OF(all_dialects); k++) {
		device_start(all_dialects[k]);
		const size_t n = whole_conversation(text, sizeof text);
		for (size_t cut = 0; cut <= n; cut += STRIDE) {
			device_start(all_dialects[k]);
			loop_say_bytes(&device, text, cut);
			loop_say_bytes(&device, text + cut, n - cut);
			steps(3);
			const char *const heard = loop_heard(&device);
			assert_room(strlen(heard) < sizeof expected);
			if (cut == 0)
				strcpy(expected, heard);
			assert_string_equal(heard, expected);
		}
		device_start(all_dialects[k]);
		for (size_t i = 0; i < n; i++)
			loop_say_bytes(&device, text + i, 1);
		steps(3);
		assert_string_equal(loop_heard(&device), expected);
		assert_non_null(strstr(expected, "1.50"));
	}
}

/* --- Whatever is fed */

/* Bytes that are likely to mean something. */
static uint8_t soup_byte(void)
{
	static const char likely[] = "{}[],:\"\n\n\n\n12-e.truefalsenull\\u \r";
	static const char *const words[] = { "\"jsonrpc\":\"2.0\",", "\"id\":1,", "\"id\":\"a\",",
		"\"method\":\"now\",", "\"method\":\"wait\"}\n", "\"params\":{",
		"[{\"id\":", "Content-Length: 5\r\n\r\n", "\"result\":1", "{}\n", "[]\n", "1\n",
		"Content-Length: 0\r\n\r\n" };
	static const char *word = "";
	if (*word)
		return (uint8_t)*word++;
	switch (random_below(8)) {
	case 0: return (uint8_t)random_below(256);
	case 1: word = words[random_below(COUNT_OF(words))]; return (uint8_t)*word++;
	default: return (uint8_t)likely[random_below(sizeof likely - 1)];
	}
}

static void leave(size_t most)
{
	size_t n;
	(void)quash_out(&device.peer, &n);
	quash_sent(&device.peer, n < most ? n : most);
}

static void feed_soup(void)
{
	uint8_t bytes[256];
	const size_t n = 1 + random_below(random_below(4) == 0 ? sizeof bytes : 16);
	for (size_t i = 0; i < n; i++)
		bytes[i] = soup_byte();
	assert_in_range(quash_feed(&device.peer, bytes, n), 0, n);
}

static void soup(const quash_dialect *dialect, uint8_t slots, quash_size tx)
{
	device_prepare(dialect);
	device.config.slot_count = slots;
	device.config.tx_size = tx;
	device_begin();
	for (unsigned i = 0; i < ROUNDS_OF(3000); i++) {
		feed_soup();
		device_check();
		if (random_below(3) == 0)
			leave(random_below(100));
		if (random_below(8) == 0)
			quash_step(&device.peer);
		if (random_below(16) == 0)
			quash_cancel_all(&device.peer);
		if (random_below(64) == 0)
			quash_lost(&device.peer);
		if (random_below(200) == 0)
			quash_new_session(&device.peer);
		device_check();
		if (i % 100 == 0)
			device_forget();
	}
	quash_cancel_all(&device.peer);
	loop_settle(&device, 50); /* and nothing is stuck */
	loop_heard(&device);
}

static void test_soup(void **state)
{
	static const quash_size sizes[] = { 64, 65, 103, 104, 105, 127, 200, 208, 300, 512 };
	(void)state;
	seed = 2463534242u;
	for (size_t k = 0; k < COUNT_OF(all_dialects); k++) {
		for (size_t i = 0; i < COUNT_OF(sizes) && sizes[i] <= LOOP_TX; i++) {
			soup(all_dialects[k], 1, sizes[i]);
			soup(all_dialects[k], LOOP_SLOTS, sizes[i]);
		}
	}
}

/* --- Whatever is fed: lines that are JSON, at most one answer for each id, and no end without */

enum { IDS = ROUNDS_OF(4096) };
static uint8_t answers[IDS];
static unsigned last_id;

static void check_line(const char *line, size_t n)
{
	assert_json(line, n);
	assert_memory_equal(line, "{\"jsonrpc\":\"2.0\",", 17);
}

static void count_answer(const char *line)
{
	unsigned id;
	if (sscanf(line, "{\"jsonrpc\":\"2.0\",\"id\":%u,", &id) != 1)
		return;
	assert_in_range(id, 1, last_id);
	assert_int_equal(answers[id], 0);
	answers[id]++;
}

static void check_heard(void)
{
	const char *line = loop_heard(&device);
	for (const char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
		check_line(line, (size_t)(end - line));
		count_answer(line);
	}
	device.heard_length = strlen(line); /* a long answer's windows so far */
	memmove(device.heard, line, device.heard_length);
}

static void say_something(bool nonsense)
{
	static const char *const methods[] = { "now", "echo", "wait", "stubborn", "drops", "partial",
		"limited", "constant", "session/prompt", "returns", "nothing" };
	char text[256];
	const unsigned old = 1 + random_below(last_id + 1);
	switch (random_below(nonsense ? 8 : 6)) {
	case 0: snprintf(text, sizeof text, CANCEL("%u"), old); break;
	case 1:
		snprintf(text, sizeof text, NOTE_WITH("session/cancel", "{'sessionId':'%u'}"),
			random_below(3));
		break;
	case 7:
		memset(text, 0, sizeof text);
		for (size_t i = 0; i < 40; i++)
			text[i] = (char)soup_byte();
		text[40] = '\0';
		break;
	case 6: strcpy(text, NOTE_WITH("$/cancel_request", "{'requestId':[1]}")); break;
	default:
		if (last_id + 1 < IDS)
			last_id++;
		else
			return;
		snprintf(text, sizeof text,
			REQUEST_WITH("%u", "%s", "{'steps':%u,'code':-%u,'sessionId':'%u'}"), last_id,
			methods[random_below(COUNT_OF(methods))], random_below(5), random_below(60000),
			random_below(3));
		break;
	}
	strcat(text, "\n");
	feed_on(quoted(text), strlen(text));
}

static void hubbub(const quash_dialect *dialect, uint8_t slots, quash_size tx, quash_size arena,
	bool nonsense)
{
	memset(answers, 0, sizeof answers);
	last_id = 0;
	device_prepare(dialect);
	device.config.slot_count = slots;
	device.config.tx_size = tx < LOOP_TX ? tx : LOOP_TX;
	device.config.arena_size = arena < LOOP_ARENA ? arena : LOOP_ARENA;
	device_begin();
	for (unsigned i = 0; i < ROUNDS_OF(2000); i++) {
		say_something(nonsense);
		if (random_below(2) == 0)
			loop_step(&device, random_below(20));
		if (random_below(50) == 0)
			quash_cancel_all(&device.peer);
		check_heard();
		device_forget();
	}
	quash_cancel_all(&device.peer);
	loop_settle(&device, 20);
	check_heard();
	assert_int_equal(device.heard_length, 0);
	device_forget();
	if (nonsense)
		return;
	unsigned silent = 0;
	for (unsigned id = 1; id <= last_id; id++) {
		if (answers[id] == 0 && dialect != &quash_mcp)
			fail_msg("request %u has no answer", id);
		silent += answers[id] == 0;
	}
	COUNTED(silenced, silent);
}

static void test_exactly_one_answer(void **state)
{
	static const quash_size sizes[] = { 64, 100, 500 };
	(void)state;
	seed = 88172645u;
	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		for (uint8_t slots = 1; slots <= LOOP_SLOTS; slots = (uint8_t)(slots + 2)) {
			hubbub(&quash_acp, slots, sizes[i], 100, false);
			hubbub(&quash_jsonrpc, slots, sizes[i], 1000, false);
			hubbub(&quash_mcp, slots, sizes[i], 50, false);
		}
	}
}

static void test_at_most_one_answer(void **state)
{
	(void)state;
	seed = 314159265u;
	for (uint8_t slots = 1; slots <= LOOP_SLOTS; slots = (uint8_t)(slots + 3)) {
		hubbub(&quash_acp, slots, 64, 100, true);
		hubbub(&quash_jsonrpc, slots, 100, 1000, true);
		hubbub(&quash_mcp, slots, 500, 50, true);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_smallest_config),
		cmocka_unit_test(test_without_counters),
		cmocka_unit_test(test_init_again),
		cmocka_unit_test(test_context),
		cmocka_unit_test(test_storage),
		cmocka_unit_test(test_end_ends_the_open_line),
		cmocka_unit_test(test_end_of_half_a_line),
		cmocka_unit_test(test_end_of_a_cancel),
		cmocka_unit_test(test_gone),
		cmocka_unit_test(test_reopen),
		cmocka_unit_test(test_reopen_with_a_kept_message),
		cmocka_unit_test(test_reopen_with_headers),
		cmocka_unit_test(test_reopen_after_end),
		cmocka_unit_test(test_lost_bytes_of_a_line),
		cmocka_unit_test(test_lost_bytes_of_a_body),
		cmocka_unit_test(test_lost_bytes_of_a_batch),
		cmocka_unit_test(test_cut_everywhere),
		cmocka_unit_test(test_soup),
		cmocka_unit_test(test_exactly_one_answer),
		cmocka_unit_test(test_at_most_one_answer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
