/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <stdio.h>

/* A port that plays what a script says, and a wire that takes as much as it is told. */
static struct {
	const char *text; /* what the other side writes */
	size_t at;
	size_t chunk; /* bytes that are shown at once, at most */
	size_t shown; /* and not taken yet */
	int end;      /* what peek answers after it: 0, QUASH_END, QUASH_GONE */
	bool endless; /* the text comes again and again */
	size_t room;  /* bytes that the wire takes in all for now */
	bool gone;
	char wire[ROOM_FOR(4096)];
	size_t length;
	uint32_t now;
	unsigned peeks, writes;
	unsigned gone_at; /* that peek finds the link gone, whatever is left; 0: none */
	bool pauses; /* the wire takes nothing in its first, third, ... write */
} line;

static int peek_line(void *device_pointer, const uint8_t **bytes)
{
	size_t left = strlen(line.text + line.at);
	assert_ptr_equal(device_pointer, &line);
	line.peeks++;
	if (line.peeks == line.gone_at)
		return QUASH_GONE;
	if (left == 0 && line.endless) {
		line.at = 0;
		left = strlen(line.text);
	}
	line.shown = left < line.chunk ? left : line.chunk;
	*bytes = (const uint8_t *)line.text + line.at;
	return left == 0 ? line.end : (int)line.shown;
}

static void take_line(void *device_pointer, size_t n)
{
	assert_ptr_equal(device_pointer, &line);
	assert_in_range(n, 1, line.shown);
	line.at += n;
	line.shown -= n;
}

static int write_line(void *device_pointer, const uint8_t *data, size_t n)
{
	assert_ptr_equal(device_pointer, &line);
	assert_int_not_equal(n, 0);
	line.writes++;
	if (line.gone)
		return QUASH_GONE;
	if (line.pauses && line.writes % 2 == 1)
		return 0;
	const size_t taken = n < line.room ? n : line.room;
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

static const quash_port port = { peek_line, take_line, write_line, time_of_line, &line };

static void pump(void)
{
	quash_pump(&device.peer, &port);
}

static void other_side_writes(const char *text)
{
	static char all[ROOM_FOR(4096)];
	assert_room(strlen(text) < sizeof all);
	strcpy(all, quoted(text));
	line.text = all;
	line.at = 0;
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
	line.chunk = line.room = SIZE_MAX;
	device_start(&quash_acp);
	return 0;
}

/* In one pump: out first, then in until there is nothing more. */
static void test_reads_until_there_is_nothing_more(void **state)
{
	(void)state;
	other_side_writes(REQUEST("1", "wait") "\n" REQUEST("2", "wait") "\n" REQUEST("3", "wait") "\n" CANCEL(
		"2") "\n");
	line.chunk = 5;
	pump();
	assert_int_equal(line.text[line.at], '\0');
	assert_int_equal(quash_live_count(&device.peer), 2);
	pump();
	wire_has(CANCELLED("2"));
}

/* A wire that takes nothing at first, and then does: what it makes room for is read in the same pump. */
static void test_a_wire_that_goes_on_meanwhile(void **state)
{
	char text[200] = "";
	(void)state;
	for (unsigned i = 0; i < 40; i++)
		strcat(text, "x\n");
	other_side_writes(text);
	line.room = 0;
	pump();
	pump();
	const size_t stalled_at = line.at;
	assert_in_range(stalled_at, 2, 79);
	line.room = SIZE_MAX;
	line.pauses = true;
	line.writes = 0;
	pump();
	assert_true(line.at > stalled_at);
}

/* What finds no slot stays in the port until a step has run: each is served. */
static void test_flood(void **state)
{
	char text[1600] = "";
	unsigned turns = 0;
	(void)state;
	for (unsigned i = 1; i <= 30; i++)
		sprintf(text + strlen(text), REQUEST("%u", "now") "\n", i);
	device.config.slot_count = 3;
	device_begin();
	other_side_writes(text);
	pump();
	assert_true(line.shown > 0);
	const unsigned peeks = line.peeks;
	pump();
	assert_in_range(line.peeks, peeks + 1, peeks + 2);
	for (; quash_idle_ms(&device.peer) == 0; turns++) {
		(void)quash_step(&device.peer);
		pump();
	}
	const unsigned before = line.peeks;
	pump();
	assert_int_equal(line.peeks, before + 1); /* nothing is there */
	assert_int_equal(line.text[line.at], '\0');
	COUNTED(results, 30);
	COUNTED(busy, 0);
	assert_in_range(turns, 9, 31);
}

/* Bytes that are left in the port are a reason to pump as soon as the peer would take them; none when it is gone. */
static void test_idle_while_bytes_are_left(void **state)
{
	(void)state;
	device.config.slot_count = 1;
	device_begin();
	other_side_writes(REQUEST_WITH("1", "wait", "{'steps':5}") "\n" NOTE("note") "\n" NOTE("nobody") "\n");
	pump();
	assert_true(line.shown > 0);
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	(void)quash_step(&device.peer);
	COUNTED(busy, 1);
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	pump();
	assert_int_equal(line.shown, 0);
	COUNTED(ignored, 1);
	other_side_writes(REQUEST("2", "wait") "\n" REQUEST("3", "wait") "\n");
	pump();
	assert_true(line.shown > 0);
	line.gone = true;
	quash_gone(&device.peer);
	while (quash_live_count(&device.peer) > 0)
		(void)quash_step(&device.peer);
	assert_int_equal(quash_idle_ms(&device.peer), UINT32_MAX);
}

/* The last request has come to its last byte and finds no slot: it goes on though there is no byte more. */
static void test_a_kept_message_goes_on_without_a_byte(void **state)
{
	(void)state;
	device.config.slot_count = 1;
	device_begin();
	other_side_writes(REQUEST("1", "now") "\n" REQUEST("2", "now") "\n");
	line.end = QUASH_END;
	pump();
	for (unsigned i = 0; i < 3; i++) {
		(void)quash_step(&device.peer);
		pump();
	}
	wire_has(RESULT("1", "1") RESULT("2", "1"));
	COUNTED(kept, 1);
}

static void test_endless_input_ends_a_pump(void **state)
{
	(void)state;
	other_side_writes(NOTE("nobody") "\n");
	line.endless = true;
	pump();
	assert_in_range(line.peeks, 10, 1000);
	const unsigned peeks = line.peeks;
	pump();
	assert_true(line.peeks > peeks);
}

static void test_time(void **state)
{
	(void)state;
	line.now = 1234;
	pump();
	assert_int_equal(quash_now(&device.peer), 1234);
	other_side_writes(REQUEST("1", "limited") "\n");
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

static void test_gone_in_read(void **state)
{
	(void)state;
	other_side_writes(REQUEST("1", "wait") "\n");
	pump();
	(void)quash_step(&device.peer);
	line.end = QUASH_GONE;
	pump();
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_LINK);
	COUNTED(cancelled[QUASH_BY_LINK], 1);
	const unsigned peeks = line.peeks;
	pump();
	assert_int_equal(line.peeks, peeks);
	wire_has("");
}

/* One byte is taken, the rest waits: the port is looked at once more. */
static void test_gone_behind_one_byte(void **state)
{
	(void)state;
	device_start_with_slots(&quash_acp, 1);
	other_side_writes(REQUEST("1", "wait") "\n" REQUEST("2", "wait") "\n" REQUEST("3", "wait") "\n");
	line.chunk = strlen(REQUEST("1", "wait") "\n" REQUEST("2", "wait"));
	line.gone_at = 3;
	pump();
	assert_string_equal(line.text + line.at, quoted(REQUEST("3", "wait") "\n"));
	assert_int_equal(line.peeks, 3);
	assert_true(quash_is_gone(&device.peer));
}

static void test_gone_in_write(void **state)
{
	(void)state;
	other_side_writes(REQUEST("1", "wait") "\nx\n");
	line.room = 0;
	pump();
	(void)quash_step(&device.peer);
	line.gone = true;
	other_side_writes("y\n");
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
	assert_false(quash_notify_send(&device.peer));
	pump();
	wire_has("");
	assert_int_equal(line.writes, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_reads_until_there_is_nothing_more, set_up),
		cmocka_unit_test_setup(test_a_wire_that_goes_on_meanwhile, set_up),
		cmocka_unit_test_setup(test_flood, set_up),
		cmocka_unit_test_setup(test_idle_while_bytes_are_left, set_up),
		cmocka_unit_test_setup(test_a_kept_message_goes_on_without_a_byte, set_up),
		cmocka_unit_test_setup(test_endless_input_ends_a_pump, set_up),
		cmocka_unit_test_setup(test_time, set_up),
		cmocka_unit_test_setup(test_gone_in_read, set_up),
		cmocka_unit_test_setup(test_gone_behind_one_byte, set_up),
		cmocka_unit_test_setup(test_gone_in_write, set_up),
		cmocka_unit_test_setup(test_notify_when_gone, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
