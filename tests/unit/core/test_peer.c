/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>

#include "quash/lex.h"

static const quash_dialect *const all_dialects[] = { &quash_acp, &quash_lsp, &quash_mcp, &quash_jsonrpc };

static uint32_t seed;

/* A number below `limit`, the same in every run. */
static unsigned random_below(unsigned limit)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return (unsigned)(seed % limit);
}

/* --- quash_init names the wrong member */

static const char *wrong(void)
{
	const char *const name = quash_init(&device.peer, &device.config);
	device_prepare(&quash_acp);
	return name;
}

#define NAMES_WRONG(member, value) \
	do { \
		device.config.member = (value); \
		assert_string_equal(wrong(), #member); \
	} while (0)

static void test_init_names_what_is_wrong(void **state)
{
	(void)state;
	device_prepare(&quash_acp);
	assert_null(wrong());
	NAMES_WRONG(dialect, NULL);
	NAMES_WRONG(methods, NULL);
	NAMES_WRONG(slots, NULL);
	NAMES_WRONG(ids, NULL);
	NAMES_WRONG(states, NULL);
	NAMES_WRONG(tags, NULL);
	NAMES_WRONG(arena, NULL);
	NAMES_WRONG(tx, NULL);
	NAMES_WRONG(reason, NULL);
	NAMES_WRONG(slot_count, 0);
	NAMES_WRONG(slot_count, 1);
	NAMES_WRONG(slot_count, 255);
	NAMES_WRONG(id_size, 0);
	NAMES_WRONG(id_size, QUASH_ID_MIN - 1);
	NAMES_WRONG(arena_size, QUASH_ARENA_MIN - 1);
	NAMES_WRONG(tx_size, QUASH_TX_MIN - 1);
	NAMES_WRONG(method_count, 251);
	if (sizeof(quash_size) > 2)
		NAMES_WRONG(arena_size, (quash_size)((uint32_t)1 << 24));
}

static void test_init_looks_at_methods_and_dialect(void **state)
{
	quash_method bad = device_methods[0];
	quash_dialect dialect = quash_jsonrpc;
	(void)state;
	device_prepare(&quash_acp);
	device.config.method_count = 1;
	bad.name = NULL;
	NAMES_WRONG(methods, &bad);
	bad = device_methods[0];
	bad.handler = NULL;
	device.config.method_count = 1;
	NAMES_WRONG(methods, &bad);
	bad = device_methods[0];
	bad.deadline = 1 + (uint32_t)INT32_MAX;
	device.config.method_count = 1;
	NAMES_WRONG(methods, &bad);
	dialect.framing = QUASH_CONTENT_LENGTH;
	NAMES_WRONG(dialect, &dialect);
	dialect = quash_acp;
	dialect.cancel_method = NULL;
	NAMES_WRONG(dialect, &dialect);
	dialect = quash_acp;
	dialect.cancel_id = NULL;
	NAMES_WRONG(dialect, &dialect);
}

static void test_smallest_config(void **state)
{
	(void)state;
	device_prepare(&quash_acp);
	device.config.slot_count = 2;
	device.config.id_size = QUASH_ID_MIN;
	device.config.arena_size = QUASH_ARENA_MIN;
	device.config.tx_size = QUASH_TX_MIN;
	device.config.states = NULL;
	device.config.state_size = 0;
	device.config.tags = NULL;
	device.config.tag_size = 0;
	device.config.reason = NULL;
	device.config.reason_size = 0;
	device_begin();
	say(REQUEST("-9007199254740992", "now"));
	say(REQUEST("'12345678901234567'", "now"));
	say(REQUEST("'123456789012345678'", "now"));
	steps(2);
	ANSWERS(BUSY("'12345678901234567'") INVALID("null") RESULT("-9007199254740992", "1"));
	device_prepare(&quash_acp);
	device.config.methods = NULL;
	device.config.method_count = 0;
	device_begin();
	say(REQUEST("1", "now"));
	ANSWERS(UNKNOWN("1"));
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
	assert_int_equal(sizeof store.ids, 60);
	assert_null(quash_init(&device.peer, &config));
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
	quash_end(&device.peer);
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
	quash_end(&device.peer);
	quash_end(&device.peer);
	ANSWERS(PARSE_ERROR);
	device_start(&quash_acp);
	say(REQUEST("1", "now"));
	quash_end(&device.peer);
	step();
	ANSWERS(RESULT("1", "1"));
	device_start(&quash_lsp);
	loop_say(&device, "Content-Length: 10\r\n\r\n{\"a\"");
	quash_end(&device.peer);
	step();
	ANSWERS("");
}

static void test_end_of_a_cancel(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say(REQUEST("1", "wait"));
	loop_say(&device, quoted(CANCEL("1")));
	quash_end(&device.peer);
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
	assert_int_equal(quash_room(&device.peer), 0);
	assert_int_equal(quash_feed(&device.peer, (const uint8_t *)"x", 1), 0);
	quash_notify(&device.peer, "n");
	assert_int_equal(quash_notify_send(&device.peer), QUASH_DONE);
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
	assert_true(quash_room(&device.peer) > 0);
	say(REQUEST_WITH("1", "stubborn", "{'steps':1}"));
	say(REQUEST("2", "now"));
	steps(4);
	ANSWERS(RESULT("2", "1") RESULT("1", "'done'"));
	COUNTED(cancelled[QUASH_BY_LINK], 1);
	COUNTED(duplicate_ids, 0);
	assert_int_equal(quash_live_count(&device.peer), 0);
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
	quash_end(&device.peer);
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
	quash_lost(&device.peer, 5);
	loop_say(&device, "\"method\":\"now\"}\n");
	say(REQUEST("3", "now"));
	step();
	ANSWERS(RESULT("3", "1"));
	COUNTED(lost, 5);
	COUNTED(parse_errors, 0);
	assert_int_equal(quash_live_count(&device.peer), 1);
	quash_lost(&device.peer, UINT32_MAX);
	quash_lost(&device.peer, UINT32_MAX);
	assert_int_equal(device.peer.counters.lost, (quash_count)-1);
}

static void test_lost_bytes_of_a_body(void **state)
{
	(void)state;
	device_start(&quash_lsp);
	loop_say(&device, "Content-Length: 100\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":2,");
	quash_lost(&device.peer, 70);
	loop_say(&device, "\"x\"}");
	say(REQUEST("3", "now"));
	step();
	ANSWERS(RESULT("3", "1"));
	COUNTED(lost, 70);
	loop_say(&device, "Conte");
	quash_lost(&device.peer, 9);
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
	quash_lost(&device.peer, 1);
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

/* --- Room and feed */

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

/* Feed takes at least as much as room says, whatever the bytes are; there is room unless something waits. */
static void check_room(void)
{
	uint8_t bytes[256];
	size_t waiting;
	const size_t room = quash_room(&device.peer);
	if (room == 0) {
		(void)quash_out(&device.peer, &waiting);
		assert_int_not_equal(waiting, 0);
		return;
	}
	const size_t n = random_below(4) == 0 ? sizeof bytes : room < sizeof bytes ? room : sizeof bytes;
	for (size_t i = 0; i < n; i++)
		bytes[i] = soup_byte();
	const size_t taken = quash_feed(&device.peer, bytes, n);
	assert_in_range(taken, room < n ? room : n, n);
}

static void soup(const quash_dialect *dialect, uint8_t slots, quash_size tx)
{
	device_prepare(dialect);
	device.config.slot_count = slots;
	device.config.tx_size = tx;
	device.config.trace = NULL;
	device_begin();
	for (unsigned i = 0; i < ROUNDS_OF(3000); i++) {
		check_room();
		if (random_below(3) == 0)
			leave(random_below(100));
		if (random_below(8) == 0)
			quash_step(&device.peer);
		if (random_below(16) == 0)
			quash_cancel_all(&device.peer);
		if (random_below(64) == 0)
			quash_lost(&device.peer, 1);
		if (i % 100 == 0)
			device_forget();
	}
}

static void test_room_and_feed(void **state)
{
	static const quash_size sizes[] = { 64, 65, 103, 104, 105, 127, 200, 208, 300, 512 };
	(void)state;
	seed = 2463534242u;
	for (size_t k = 0; k < COUNT_OF(all_dialects); k++) {
		for (size_t i = 0; i < COUNT_OF(sizes); i++) {
			soup(all_dialects[k], 2, sizes[i]);
			soup(all_dialects[k], 8, sizes[i]);
		}
	}
}

/* The shortest messages that are refused, as many as there is room for. */
static void test_room_for_refusals(void **state)
{
	static const char *const shortest[] = { "1\n", "{}\n", "[\n", "]\n", "x\n", "\"\n" };
	(void)state;
	for (size_t k = 0; k < COUNT_OF(shortest); k++) {
		for (quash_size tx = 64; tx <= LOOP_TX; tx++) {
			char text[64];
			device_prepare(&quash_acp);
			device.config.tx_size = tx;
			device_begin();
			const size_t room = quash_room(&device.peer);
			assert_in_range(room, 1, sizeof text - 3);
			for (size_t i = 0; i < room; i++)
				text[i] = shortest[k][i % strlen(shortest[k])];
			assert_int_equal(quash_feed(&device.peer, (const uint8_t *)text, room), room);
		}
	}
}

/* Feed stops when an answer cannot be said, and goes on once TX moves. */
static void test_feed_stops_and_goes_on(void **state)
{
	const char *const text = "x\nx\nx\nx\n";
	size_t at = 0;
	(void)state;
	device_prepare(&quash_acp);
	device.config.tx_size = 80;
	device_begin();
	at += quash_feed(&device.peer, (const uint8_t *)text, 8);
	assert_int_equal(at, 4); /* one answer is in TX, the other one waits */
	assert_int_equal(quash_room(&device.peer), 0);
	assert_int_equal(quash_feed(&device.peer, (const uint8_t *)text + at, 8 - at), 0);
	leave(1000);
	leave(0);
	assert_int_not_equal(quash_room(&device.peer), 0);
	at += quash_feed(&device.peer, (const uint8_t *)text + at, 8 - at);
	assert_int_equal(at, 6);
	COUNTED(parse_errors, 3);
	leave(1000);
	leave(1000);
	leave(1000);
	at += quash_feed(&device.peer, (const uint8_t *)text + at, 8 - at);
	assert_int_equal(at, 8);
	COUNTED(parse_errors, 4);
}

/* --- Whatever is said: lines that are JSON, at most one answer for each id, and no end without */

enum { IDS = ROUNDS_OF(4096) };
static uint8_t answers[IDS];
static unsigned last_id;

static void check_line(const char *line, size_t n)
{
	quash_lex lex;
	size_t at = 0;
	quash_lex_event event;
	quash_lex_init(&lex);
	do {
		event = quash_lex_run(&lex, (const uint8_t *)line, n, &at);
		assert_int_not_equal(event, QUASH_LEX_ERROR);
	} while (event != QUASH_LEX_MORE);
	assert_true(quash_lex_complete(&lex));
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

/* Where a refusal waits behind a long reply, a step is what goes on with it. */
static void feed_all(const char *text, size_t n)
{
	size_t at = 0;
	for (unsigned tries = 0; at < n; tries++) {
		const size_t taken = quash_feed(&device.peer, (const uint8_t *)text + at, n - at);
		assert_in_range(tries, 0, 1000);
		if (taken == 0)
			loop_step(&device, 0);
		at += taken;
	}
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
	feed_all(quoted(text), strlen(text));
}

static void hubbub(const quash_dialect *dialect, uint8_t slots, quash_size tx, quash_size arena,
	bool nonsense)
{
	memset(answers, 0, sizeof answers);
	last_id = 0;
	device_prepare(dialect);
	device.config.slot_count = slots;
	device.config.tx_size = tx;
	device.config.arena_size = arena;
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
		for (uint8_t slots = 2; slots <= LOOP_SLOTS; slots = (uint8_t)(slots + 2)) {
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
	for (uint8_t slots = 2; slots <= LOOP_SLOTS; slots = (uint8_t)(slots + 3)) {
		hubbub(&quash_acp, slots, 64, 100, true);
		hubbub(&quash_jsonrpc, slots, 100, 1000, true);
		hubbub(&quash_mcp, slots, 500, 50, true);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_init_names_what_is_wrong),
		cmocka_unit_test(test_init_looks_at_methods_and_dialect),
		cmocka_unit_test(test_smallest_config),
		cmocka_unit_test(test_init_again),
		cmocka_unit_test(test_context),
		cmocka_unit_test(test_storage),
		cmocka_unit_test(test_end_ends_the_open_line),
		cmocka_unit_test(test_end_of_half_a_line),
		cmocka_unit_test(test_end_of_a_cancel),
		cmocka_unit_test(test_gone),
		cmocka_unit_test(test_reopen),
		cmocka_unit_test(test_reopen_with_headers),
		cmocka_unit_test(test_reopen_after_end),
		cmocka_unit_test(test_lost_bytes_of_a_line),
		cmocka_unit_test(test_lost_bytes_of_a_body),
		cmocka_unit_test(test_lost_bytes_of_a_batch),
		cmocka_unit_test(test_cut_everywhere),
		cmocka_unit_test(test_room_and_feed),
		cmocka_unit_test(test_room_for_refusals),
		cmocka_unit_test(test_feed_stops_and_goes_on),
		cmocka_unit_test(test_exactly_one_answer),
		cmocka_unit_test(test_at_most_one_answer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
