/* SPDX-License-Identifier: MIT
 * Answers that are put in pieces: whatever TX is, each piece is put about once. */
#include "device.h"

#include <stdio.h>

static unsigned count;     /* pieces of the answer */
static unsigned puts_done; /* put calls */
static unsigned lines;     /* bytes of a piece's text */
static unsigned swap_at;   /* from this put call on, pieces are others; 0: never */

static bool put_line(quash_writer *w, const quash_request *request, uint16_t index)
{
	(void)request;
	puts_done++;
	if (index >= count)
		return false;
	if (index == 0)
		quash_put_array(w);
	quash_put_string_open(w);
	quash_put_string_int(w, (int32_t)(index + (swap_at > 0 && puts_done >= swap_at ? 1u : 0u)));
	for (unsigned i = 0; i < lines; i++)
		quash_put_string_part(w, "x", 1);
	quash_put_string_close(w);
	return true;
}

static int32_t list_lines(quash_request *request)
{
	return quash_reply_items(request, put_line);
}

static bool put_nested(quash_writer *w, const quash_request *request, uint16_t index)
{
	(void)request;
	switch (index) {
	case 0:
		quash_put_object(w);
		quash_put_key(w, "a");
		return true;
	case 1: quash_put_array(w); return true;
	case 2: quash_put_text(w, "0123456789012345678901234567890123456789"); return true;
	case 3: quash_put_end(w); return true;
	case 4: quash_put_key(w, "b"); return true;
	case 5: quash_put_object(w); return true;
	case 6: return true; /* a piece may be empty */
	default: return false; /* what is open is closed */
	}
}

static int32_t nested(quash_request *request)
{
	return quash_reply_items(request, put_nested);
}

static bool put_bad(quash_writer *w, const quash_request *request, uint16_t index)
{
	(void)request;
	if (index < 40)
		quash_put_array(w);
	return index < 40;
}

static int32_t bad_list(quash_request *request)
{
	return quash_reply_items(request, put_bad);
}

static bool put_none(quash_writer *w, const quash_request *request, uint16_t index)
{
	(void)w;
	(void)request;
	(void)index;
	return false;
}

static int32_t none(quash_request *request)
{
	return quash_reply_items(request, put_none);
}

static int32_t is_true(quash_request *request)
{
	return quash_reply_bool(request, true);
}

static const quash_method list[] = {
	{ .name = "lines", .handler = list_lines },
	{ .name = "nested", .handler = nested },
	{ .name = "bad", .handler = bad_list },
	{ .name = "none", .handler = none },
	{ .name = "true", .handler = is_true },
};

#define START(dialect, tx, methods) start_with(dialect, tx, methods, COUNT_OF(methods))

static void start_with(const quash_dialect *dialect, quash_size tx, const quash_method *methods, uint8_t method_count)
{
	device_prepare_with(dialect, methods, method_count);
	device.config.tx_size = tx;
	device_begin();
	count = 10;
	lines = 5;
	puts_done = swap_at = 0;
}

static int set_up(void **state)
{
	(void)state;
	START(&quash_acp, LOOP_TX, list);
	return 0;
}

static const char *expected_lines(const char *id)
{
	static char text[ROOM_FOR(60000)];
	int n = sprintf(text, "{'jsonrpc':'2.0','id':%s,'result':", id);
	if (count == 0)
		n += sprintf(text + n, "null");
	for (unsigned i = 0; i < count; i++)
		n += sprintf(text + n, "%s'%u%.*s'", i == 0 ? "[" : ",", i, (int)lines,
			"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
	strcpy(text + n, count == 0 ? "}\n" : "]}\n");
	return text;
}

static void test_through_any_tx(void **state)
{
	static const quash_dialect *const dialects[] = { &quash_acp, &quash_lsp };
	static const quash_size sizes[] = { 64, 65, 99, 200, 512 };
	static const unsigned widths[] = { 0, 5, 60, 100 };
	(void)state;
	for (unsigned i = 0; i < COUNT_OF(sizes) * COUNT_OF(widths) * 2; i++) {
		for (unsigned n = 0; n < 60; n += 7) {
			START(dialects[i & 1], sizes[i / 2 % COUNT_OF(sizes)], list);
			count = n;
			lines = widths[i / 2 / COUNT_OF(sizes)];
			say(REQUEST("1", "lines"));
			say(REQUEST("2", "true"));
			loop_settle(&device, 5);
			const char *const heard = loop_heard(&device);
			if (dialects[i & 1] == &quash_acp) {
				assert_memory_equal(heard, quoted(expected_lines("1")), strlen(expected_lines("1")));
				assert_string_equal(heard + strlen(expected_lines("1")), quoted(RESULT("2", "true")));
			}
			COUNTED(results, 2);
			COUNTED(changed, 0);
			COUNTED(misuses, 0);
		}
	}
}

/* On lines each piece is put once, and once more where a window ends in it: one pass in all. */
static void test_linear(void **state)
{
	(void)state;
	for (count = 1; count < ROUNDS_OF(2000); count += 211) {
		const unsigned now = count;
		START(&quash_acp, 100, list);
		count = now;
		say(REQUEST("1", "lines"));
		loop_settle(&device, 5);
		const size_t length = strlen(expected_lines("1"));
		ANSWERS(expected_lines("1"));
		assert_in_range(puts_done, count + 1, count + 1 + length / 100 * 2 + 2);
	}
}

/* With headers the length is measured first: two passes. */
static void test_linear_with_headers(void **state)
{
	(void)state;
	for (count = 1; count < ROUNDS_OF(2000); count += 211) {
		const unsigned now = count;
		START(&quash_lsp, 100, list);
		count = now;
		say(REQUEST("1", "lines"));
		loop_settle(&device, 5);
		COUNTED(results, 1);
		assert_in_range(puts_done, count + 1, 2 * (count + 1) + strlen(expected_lines("1")) / 100 * 2 + 4);
		loop_heard(&device);
	}
}

static void test_pieces_of_anything(void **state)
{
	static const quash_size sizes[] = { 64, 512 };
	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		START(i & 1 ? &quash_lsp : &quash_acp, sizes[i / 2], list);
		say(REQUEST("1", "nested"));
		say(REQUEST("2", "none"));
		loop_settle(&device, 5);
		ANSWERS(RESULT("1", "{'a':['0123456789012345678901234567890123456789'],'b':{}}") RESULT("2", "null"));
	}
}

static void test_pieces_that_are_no_json(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		START(i ? &quash_lsp : &quash_acp, 64, list);
		say(REQUEST("1", "bad"));
		say(REQUEST("2", "true"));
		loop_settle(&device, 5);
		const char *const heard = loop_heard(&device);
		assert_non_null(strstr(heard, quoted("'id':1,'error':{'code':-32603,'message':'Internal error'}}")));
		assert_non_null(strstr(heard, quoted("'id':2,'result':true}")));
		COUNTED(misuses, 1);
	}
}

/* A change within the piece in which the next window begins is seen. */
static void test_pieces_that_change(void **state)
{
	(void)state;
	lines = 60;
	device.config.tx_size = 64;
	device_begin();
	device.stalled = true;
	say(REQUEST("1", "lines"));
	say_and_step(REQUEST("2", "true"));
	swap_at = puts_done + 1;
	device.stalled = false;
	loop_settle(&device, 5);
	const char *const heard = loop_heard(&device);
	const char *const second = strchr(heard, '\n') + 1;
	assert_string_equal(second, quoted(INTERNAL("1") RESULT("2", "true")));
	COUNTED(changed, 1);
}

/* In a batch each answer goes on where it stopped, and the answers after it follow. */
static void test_in_a_batch(void **state)
{
	char expected[ROOM_FOR(8000)];
	(void)state;
	for (quash_size tx = 64; tx < 400; tx = (quash_size)(tx + 37)) {
		START(&quash_jsonrpc, tx, list);
		count = 50;
		say("[" REQUEST("0", "true") "," REQUEST("1", "lines") "," REQUEST("2", "lines") "," REQUEST("3", "true") "]");
		loop_settle(&device, 9);
		sprintf(expected, "[{'jsonrpc':'2.0','id':0,'result':true},");
		for (unsigned i = 1; i < 3; i++) {
			strcat(expected, expected_lines(i == 1 ? "1" : "2"));
			expected[strlen(expected) - 1] = ',';
		}
		strcat(expected, "{'jsonrpc':'2.0','id':3,'result':true}]\n");
		ANSWERS(expected);
		assert_in_range(puts_done, 102, 102 + strlen(expected) / tx * 2 + 6);
	}
}

static bool put_open_quote(quash_writer *w, const quash_request *request, uint16_t index)
{
	(void)request;
	if (index == 0)
		quash_put_quote_open(w);
	if (index == 1)
		quash_put_text(w, "quoted");
	return index < 2;
}

static int32_t lists_in_a_quote(quash_request *request)
{
	return quash_reply_items(request, put_open_quote);
}

/* A quote that is left open spoils its own answer alone. */
static void test_a_quote_is_left_open(void **state)
{
	static const quash_method both[] = { { .name = "quote", .handler = lists_in_a_quote }, { .name = "none", .handler = none } };
	(void)state;
	START(&quash_acp, LOOP_TX, both);
	say(REQUEST("1", "quote"));
	ANSWERS_TO(REQUEST("2", "none"), 1, INTERNAL("1") RESULT("2", "null"));
	COUNTED(misuses, 1);
}

static bool put_key_at_last(quash_writer *w, const quash_request *request, uint16_t index)
{
	(void)request;
	if (index == 0)
		quash_put_array(w);
	if (index < 20)
		quash_put_text(w, "0123456789");
	else
		quash_put_key(w, "no place for a key");
	return index < 21;
}

static int32_t lists_badly_at_last(quash_request *request)
{
	return quash_reply_items(request, put_key_at_last);
}

/* What takes the place of the rest is shown at once: a port that is shown nothing takes it for the end. */
static void test_the_port_is_shown_all_without_a_step(void **state)
{
	static const quash_method both[] = { { .name = "late", .handler = lists_badly_at_last }, { .name = "none", .handler = none } };
	char text[600];
	size_t length = 0, n;
	(void)state;
	START(&quash_acp, 64, both);
	say(REQUEST("1", "late"));
	say(REQUEST("2", "none"));
	(void)quash_step(&device.peer);
	for (const uint8_t *out = quash_out(&device.peer, &n); n > 0; out = quash_out(&device.peer, &n)) {
		assert_in_range(n, 1, sizeof text - 1 - length);
		memcpy(&text[length], out, n);
		length += n;
		quash_sent(&device.peer, n);
	}
	text[length] = '\0';
	assert_non_null(strstr(text, quoted("\n" INTERNAL("1") RESULT("2", "null"))));
	COUNTED(misuses, 1);
}

static bool put_no_end(quash_writer *w, const quash_request *request, uint16_t index)
{
	(void)request;
	puts_done++;
	if (index == 0)
		quash_put_array(w);
	quash_put_int(w, 7);
	return true;
}

static int32_t lists_without_end(quash_request *request)
{
	return quash_reply_items(request, put_no_end);
}

/* A list whose pieces never end does: their numbers have 16 bits. */
static void test_a_list_without_end(void **state)
{
	static const quash_method only[] = { { .name = "endless", .handler = lists_without_end } };
	const uint32_t most = UINT32_C(2) * UINT16_MAX + 40;
	uint32_t length = 0;
	size_t n;
	(void)state;
	START(&quash_acp, LOOP_TX, only);
	say(REQUEST("1", "endless"));
	(void)quash_step(&device.peer);
	while ((void)quash_out(&device.peer, &n), n > 0) {
		assert_in_range(length, 0, most);
		length += (uint32_t)n;
		quash_sent(&device.peer, n);
	}
	assert_int_equal(length, UINT32_C(2) * (UINT16_MAX - 1) - 1 + strlen(RESULT("1", "[]")));
	COUNTED(misuses, 0);
	COUNTED(changed, 0);
}

/* A link is lost while an answer that is given up is filled to its length: on the next link nothing of it is left. */
static void test_the_rest_of_an_answer_goes_with_its_link(void **state)
{
	size_t n;
	(void)state;
	START(&quash_lsp, 64, list);
	count = 40;
	say(REQUEST("1", "lines"));
	(void)quash_step(&device.peer);
	(void)quash_out(&device.peer, &n);
	quash_sent(&device.peer, n);
	swap_at = puts_done + 1;
	(void)quash_out(&device.peer, &n);
	COUNTED(changed, 1);
	quash_gone(&device.peer);
	quash_reopen(&device.peer);
	ANSWERS_TO(REQUEST("2", "true"), 1, RESULT("2", "true"));
}

/* A batch whose answer is given up half written is answered again, with every member. */
static void test_a_batch_is_given_up(void **state)
{
	char text[800];
	size_t length = 0, n;
	(void)state;
	START(&quash_jsonrpc, 64, list);
	count = 6;
	lines = 60;
	say("[" REQUEST("0", "true") "," REQUEST("1", "lines") "," REQUEST("2", "true") "]");
	(void)quash_step(&device.peer);
	for (unsigned windows = 1;; windows++) {
		const uint8_t *const out = quash_out(&device.peer, &n);
		if (n == 0)
			break;
		assert_in_range(n, 1, sizeof text - 1 - length);
		memcpy(&text[length], out, n);
		length += n;
		quash_sent(&device.peer, n);
		if (windows == 2)
			swap_at = puts_done + 1;
	}
	text[length] = '\0';
	assert_non_null(strstr(text, quoted("\n[{'jsonrpc':'2.0','id':0,'result':true},"
		"{'jsonrpc':'2.0','id':1,'error':{'code':-32603,'message':'Internal error'}},{'jsonrpc':'2.0','id':2,'result':true}]\n")));
	COUNTED(changed, 1);
	step();
	assert_true(quash_is_at_rest(&device.peer));
}

/* A request that was silenced takes no pieces, and its handler none of the blame. */
static int32_t lists_in_the_end(quash_request *request)
{
	if (quash_cancelled(request) == QUASH_NOT_CANCELLED)
		return QUASH_PENDING;
	assert_int_equal(quash_reply_items(request, put_line), QUASH_DONE);
	return QUASH_DONE;
}

static void test_of_a_request_that_was_silenced(void **state)
{
	static const quash_method only[] = { { .name = "ends", .handler = lists_in_the_end } };
	(void)state;
	START(&quash_mcp, LOOP_TX, only);
	say_and_step(REQUEST("1", "ends"));
	ANSWERS_TO(MCP_CANCEL("1"), 2, "");
	assert_int_equal(puts_done, 0);
	COUNTED(misuses, 0);
	assert_true(quash_is_at_rest(&device.peer));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_quote_is_left_open),
		cmocka_unit_test(test_a_list_without_end),
		cmocka_unit_test(test_a_batch_is_given_up),
		cmocka_unit_test_setup(test_the_rest_of_an_answer_goes_with_its_link, set_up),
		cmocka_unit_test(test_the_port_is_shown_all_without_a_step),
		cmocka_unit_test(test_of_a_request_that_was_silenced),
		cmocka_unit_test_setup(test_through_any_tx, set_up),
		cmocka_unit_test_setup(test_linear, set_up),
		cmocka_unit_test_setup(test_linear_with_headers, set_up),
		cmocka_unit_test_setup(test_pieces_of_anything, set_up),
		cmocka_unit_test_setup(test_pieces_that_are_no_json, set_up),
		cmocka_unit_test_setup(test_pieces_that_change, set_up),
		cmocka_unit_test_setup(test_in_a_batch, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
