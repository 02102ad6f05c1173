/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <stdio.h>

/* A port that plays what a script says, and a wire that takes as much at a time as it is told. */
static struct {
	const char *text; /* what the other side says */
	size_t at;
	size_t chunk; /* bytes in one read, at most */
	int end;      /* what read says behind it: 0, QUASH_END, QUASH_GONE */
	size_t takes; /* bytes that one write takes, at most */
	size_t room;  /* bytes that the wire takes in all for now */
	bool gone;
	char wire[ROOM_FOR(4096)];
	size_t length;
	uint32_t now;
	unsigned reads, writes;
} line;

static int read_line(void *device_pointer, uint8_t *data, size_t n)
{
	const size_t left = strlen(line.text) - line.at;
	size_t taken = n < left ? n : left;
	assert_ptr_equal(device_pointer, &line);
	assert_int_not_equal(n, 0);
	line.reads++;
	if (left == 0)
		return line.end;
	taken = taken < line.chunk ? taken : line.chunk;
	memcpy(data, line.text + line.at, taken);
	line.at += taken;
	return (int)taken;
}

static int write_line(void *device_pointer, const uint8_t *data, size_t n)
{
	size_t taken = n < line.takes ? n : line.takes;
	assert_ptr_equal(device_pointer, &line);
	assert_int_not_equal(n, 0);
	line.writes++;
	if (line.gone)
		return QUASH_GONE;
	taken = taken < line.room ? taken : line.room;
	assert_room(line.length + taken < sizeof line.wire);
	memcpy(line.wire + line.length, data, taken);
	line.length += taken;
	line.wire[line.length] = '\0';
	line.room -= taken;
	return (int)taken;
}

static uint32_t time_of_line(void *device_pointer)
{
	assert_ptr_equal(device_pointer, &line);
	return line.now;
}

static const quash_port port = { read_line, write_line, time_of_line, &line };

static void pump(void)
{
	quash_pump(&device.peer, &port);
}

static void other_side_says(const char *text)
{
	static char all[ROOM_FOR(4096)];
	assert_room(strlen(text) < sizeof all);
	strcpy(all, quoted(text));
	line.text = all;
	line.at = 0;
}

/* Takes a message from the wire, if one is there, which must be that. */
static bool wire_begins(const char *expected)
{
	const size_t n = strlen(expected);
	if (line.length < n)
		return false;
	assert_memory_equal(line.wire, quoted(expected), n);
	line.length -= n;
	memmove(line.wire, line.wire + n, line.length + 1);
	return true;
}

static void wire_has(const char *expected)
{
	assert_string_equal(line.wire, quoted(expected));
	line.length = 0;
	line.wire[0] = '\0';
}

static int set_up(void **state)
{
	(void)state;
	memset(&line, 0, sizeof line);
	line.text = "";
	line.chunk = line.takes = line.room = SIZE_MAX;
	device_start(&quash_acp);
	return 0;
}

static void test_both_ways(void **state)
{
	(void)state;
	other_side_says(REQUEST("1", "now") "\n" REQUEST("2", "nothing") "\n");
	pump();
	assert_true(quash_step(&device.peer));
	pump();
	wire_has(UNKNOWN("2") RESULT("1", "1"));
}

/* In one pump: out first, then in until there is nothing more. */
static void test_reads_until_there_is_nothing_more(void **state)
{
	(void)state;
	other_side_says(REQUEST("1", "wait") "\n" REQUEST("2", "wait") "\n" REQUEST("3", "wait") "\n" CANCEL(
		"2") "\n");
	line.chunk = 5;
	pump();
	assert_int_equal(line.text[line.at], '\0');
	assert_int_equal(quash_live_count(&device.peer), 2);
	pump();
	wire_has(CANCELLED("2"));
}

static void test_slow_wire(void **state)
{
	(void)state;
	other_side_says("x\ny\n");
	line.takes = 3;
	pump();
	pump();
	wire_has(PARSE_ERROR PARSE_ERROR);
	other_side_says("x\n");
	line.takes = 1000;
	line.room = 10;
	pump();
	pump();
	wire_has("{'jsonrpc'");
	line.room = 1000;
	pump();
	wire_has(&PARSE_ERROR[10]);
}

/* While answers cannot leave, no more is read than feed will take; nothing is lost. */
static void test_stalled_wire(void **state)
{
	char text[200] = "";
	unsigned answers = 0;
	(void)state;
	for (unsigned i = 0; i < 40; i++)
		strcat(text, "x\n");
	other_side_says(text);
	line.room = 0;
	for (unsigned i = 0; i < 10; i++)
		pump();
	assert_in_range(line.at, 2, 79);
	const size_t stalled_at = line.at;
	assert_int_equal(quash_room(&device.peer), 0);
	for (unsigned i = 0; i < 200; i++) {
		line.room = 77;
		pump();
		assert_true(line.at >= stalled_at);
		answers += wire_begins(PARSE_ERROR);
	}
	assert_int_equal(answers, 40);
	assert_int_equal(line.length, 0);
}

static void test_time(void **state)
{
	(void)state;
	line.now = 1234;
	pump();
	assert_int_equal(quash_now(&device.peer), 1234);
	other_side_says(REQUEST("1", "limited") "\n");
	line.now = 5000;
	pump();
	(void)quash_step(&device.peer);
	line.now = 5099;
	pump();
	assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
	line.now = 5100;
	pump();
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_DEADLINE);
}

static void test_end(void **state)
{
	(void)state;
	other_side_says(REQUEST("1", "now"));
	line.end = QUASH_END;
	pump();
	pump();
	(void)quash_step(&device.peer);
	pump();
	wire_has(RESULT("1", "1"));
}

static void test_gone_in_read(void **state)
{
	(void)state;
	other_side_says(REQUEST("1", "wait") "\n");
	pump();
	(void)quash_step(&device.peer);
	line.end = QUASH_GONE;
	pump();
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_LINK);
	COUNTED(cancelled[QUASH_BY_LINK], 1);
	const unsigned reads = line.reads;
	pump();
	assert_int_equal(line.reads, reads);
	wire_has("");
}

static void test_gone_in_write(void **state)
{
	(void)state;
	other_side_says(REQUEST("1", "wait") "\nx\n");
	pump();
	(void)quash_step(&device.peer);
	line.gone = true;
	other_side_says("y\n");
	pump();
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_LINK);
	const unsigned writes = line.writes;
	pump();
	assert_int_equal(line.writes, writes);
	assert_int_equal(line.at, 0);
	wire_has("");
}

/* Nothing is written any more once the link is gone, not even what the program says meanwhile. */
static void test_notify_when_gone(void **state)
{
	(void)state;
	quash_gone(&device.peer);
	(void)quash_notify(&device.peer, "n");
	assert_int_equal(quash_notify_send(&device.peer), QUASH_DONE);
	pump();
	wire_has("");
	assert_int_equal(line.writes, 0);
}

static void pump_once(quash_request *request)
{
	static unsigned turn;
	if (turn++ == 2)
		other_side_says(REQUEST("2", "nothing") "\n" CANCEL("1") "\n");
	line.now++;
	pump();
	device_note(request, "turn");
}

static void test_busy_handler(void **state)
{
	(void)state;
	device_turn = pump_once;
	other_side_says(REQUEST_WITH("1", "busy", "{'steps':100}") "\n");
	pump();
	(void)quash_step(&device.peer);
	DID("busy(1) turn(1) turn(1) turn(1)");
	pump();
	wire_has(UNKNOWN("2") CANCELLED("1"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_both_ways, set_up),
		cmocka_unit_test_setup(test_reads_until_there_is_nothing_more, set_up),
		cmocka_unit_test_setup(test_slow_wire, set_up),
		cmocka_unit_test_setup(test_stalled_wire, set_up),
		cmocka_unit_test_setup(test_time, set_up),
		cmocka_unit_test_setup(test_end, set_up),
		cmocka_unit_test_setup(test_gone_in_read, set_up),
		cmocka_unit_test_setup(test_gone_in_write, set_up),
		cmocka_unit_test_setup(test_notify_when_gone, set_up),
		cmocka_unit_test_setup(test_busy_handler, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
