/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "wire/tx.h"

enum { GUARD = '#' };

static uint8_t *buffer;
static quash_size buffer_size;
static quash_writer writer, *const w = &writer;
static char wire[UNIT_TEXT];
static size_t wire_length;

static void begin(quash_size size)
{
	free(buffer);
	buffer = malloc(size); /* its end is guarded where memory is checked */
	buffer_size = size;
	memset(buffer, GUARD, size);
	quash_tx_init(w, buffer, size);
	wire_length = 0;
	wire[0] = '\0';
	assert_true(quash_tx_empty(w));
}

static int tear_down(void **state)
{
	(void)state;
	free(buffer);
	buffer = NULL;
	return 0;
}

/* Sends up to `most` bytes of what waits. */
static void send_some(size_t most)
{
	const size_t waiting = (size_t)(w->tail - w->sent);
	const size_t n = waiting < most ? waiting : most;
	assert_in_range(w->tail, w->sent, buffer_size);
	assert_room(wire_length + n < sizeof wire);
	memcpy(wire + wire_length, buffer + w->sent, n);
	wire_length += n;
	wire[wire_length] = '\0';
	quash_tx_sent(w, n);
	assert_int_equal(quash_tx_empty(w), n == waiting);
}

static void send_all(void)
{
	send_some(SIZE_MAX);
}

/* A string that makes a body of `length` bytes, without line end, different for every `seed`. */
static void put_body(size_t length, char seed)
{
	quash_put_string_open(w);
	for (size_t i = 2; i < length; i++) {
		const char c = (char)('a' + (i + (unsigned char)seed) % 26);
		quash_put_string_part(w, &c, 1);
	}
	quash_put_string_close(w);
}

static enum tx_result whole(quash_framing framing, size_t length)
{
	quash_tx_open(w, framing, 0);
	put_body(length, 0);
	return quash_tx_close(w, framing, 0);
}

/* --- Whole messages */

static void test_lines(void **state)
{
	(void)state;
	begin(64);
	assert_int_equal(whole(QUASH_LINES, 5), TX_DONE);
	assert_int_equal(whole(QUASH_LINES, 3), TX_DONE);
	send_all();
	assert_string_equal(wire, "\"cde\"\n\"c\"\n");
}

static void test_headers(void **state)
{
	static const size_t lengths[] = { 2, 9, 10, 11, 99, 100, 101, 999, 1000, 1001, 9999, 10000 };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(lengths); i++) {
		char header[64];
		begin(20000);
		assert_int_equal(whole(QUASH_CONTENT_LENGTH, lengths[i]), TX_DONE);
		send_all();
		const int n = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n\"", lengths[i]);
		assert_memory_equal(wire, header, (size_t)n);
		assert_int_equal(wire_length, (size_t)n - 1 + lengths[i]);
		assert_int_equal(wire[wire_length - 1], '"');
		assert_int_equal(quash_tx_length(w), lengths[i]);
	}
}

static void test_several_headers(void **state)
{
	(void)state;
	begin(100);
	assert_int_equal(whole(QUASH_CONTENT_LENGTH, 5), TX_DONE);
	assert_int_equal(whole(QUASH_CONTENT_LENGTH, 12), TX_DONE);
	send_all();
	assert_string_equal(wire, "Content-Length: 5\r\n\r\n\"cde\"Content-Length: 12\r\n\r\n\"cdefghijkl\"");
}

static void test_no_room(void **state)
{
	(void)state;
	begin(64);
	assert_int_equal(whole(QUASH_LINES, 40), TX_DONE);
	assert_int_equal(whole(QUASH_LINES, 24), TX_FULL);
	assert_int_equal(quash_tx_length(w), 25);
	assert_true(quash_tx_holds(w, QUASH_LINES, 25));
	assert_int_equal(whole(QUASH_LINES, 22), TX_DONE);
	send_all();
	assert_int_equal(wire_length, 41 + 23);
	assert_int_equal(whole(QUASH_LINES, 63), TX_DONE);
}

static void test_holds(void **state)
{
	(void)state;
	begin(64);
	assert_true(quash_tx_holds(w, QUASH_LINES, 64));
	assert_false(quash_tx_holds(w, QUASH_LINES, 65));
	for (quash_size length = 30; length < 60; length++) {
		begin(64);
		const enum tx_result result = whole(QUASH_CONTENT_LENGTH, length);
		assert_int_equal(result == TX_DONE, quash_tx_holds(w, QUASH_CONTENT_LENGTH, length));
	}
	assert_false(quash_tx_holds(w, QUASH_CONTENT_LENGTH, UINT32_MAX));
	assert_false(quash_tx_holds(w, QUASH_LINES, UINT32_MAX));
}

static void test_every_length_in_every_size(void **state)
{
	(void)state;
	for (quash_size size = 64; size < 130; size++) {
		for (size_t length = 2; length < 140; length++) {
			begin(size);
			const bool fits = length + 1 <= size;
			assert_int_equal(whole(QUASH_LINES, length), fits ? TX_DONE : TX_FULL);
			assert_int_equal(quash_tx_empty(w), !fits);
			begin(size);
			const enum tx_result result = whole(QUASH_CONTENT_LENGTH, length);
			/* Room is kept for as many digits as the buffer's size has. */
			assert_int_equal(
				result, length + 20 + (size < 100 ? 2 : 3) <= size ? TX_DONE : TX_FULL);
		}
	}
}

static void test_rewind(void **state)
{
	(void)state;
	begin(64);
	assert_int_equal(whole(QUASH_LINES, 5), TX_DONE);
	quash_tx_open(w, QUASH_LINES, 0);
	quash_put_object(w);
	quash_put_quote_open(w);
	put_body(30, 0);
	quash_tx_rewind(w);
	assert_int_equal(whole(QUASH_LINES, 4), TX_DONE);
	send_all();
	assert_string_equal(wire, "\"cde\"\n\"cd\"\n");
}

static void test_open_full(void **state)
{
	(void)state;
	begin(64);
	assert_int_equal(whole(QUASH_LINES, 5), TX_DONE);
	quash_tx_open_full(w);
	put_body(5, 0);
	assert_int_equal(quash_tx_close(w, QUASH_LINES, 0), TX_FULL);
	send_all();
	assert_string_equal(wire, "\"cde\"\n");
}

static void test_sent_in_part_and_packed(void **state)
{
	(void)state;
	begin(64);
	assert_int_equal(whole(QUASH_LINES, 29), TX_DONE);
	assert_int_equal(whole(QUASH_LINES, 29), TX_DONE);
	send_some(50);
	assert_int_equal(whole(QUASH_LINES, 29), TX_FULL);
	quash_tx_pack(w);
	assert_int_equal(whole(QUASH_LINES, 29), TX_DONE);
	send_some(7);
	send_all();
	assert_string_equal(wire,
		"\"cdefghijklmnopqrstuvwxyzabc\"\n\"cdefghijklmnopqrstuvwxyzabc\"\n"
		"\"cdefghijklmnopqrstuvwxyzabc\"\n");
}

static void test_sent_more_than_there_is(void **state)
{
	(void)state;
	begin(64);
	assert_int_equal(whole(QUASH_LINES, 5), TX_DONE);
	quash_tx_sent(w, 1000);
	assert_true(quash_tx_empty(w));
	assert_int_equal(whole(QUASH_LINES, 5), TX_DONE);
	quash_tx_sent(w, 1);
	quash_tx_sent(w, SIZE_MAX);
	assert_true(quash_tx_empty(w));
	assert_int_equal(whole(QUASH_LINES, 4), TX_DONE);
	send_all();
	assert_string_equal(wire, "\"cd\"\n");
}

static void test_clear(void **state)
{
	(void)state;
	begin(64);
	assert_int_equal(whole(QUASH_LINES, 50), TX_DONE);
	quash_tx_clear(w);
	assert_true(quash_tx_empty(w));
	assert_int_equal(whole(QUASH_LINES, 60), TX_DONE);
}

/* --- Windows */

static enum tx_result window(quash_framing framing, size_t length, uint32_t total, char seed)
{
	quash_tx_open(w, framing, total);
	put_body(length, seed);
	return quash_tx_close(w, framing, total);
}

/* The whole message through a buffer of that size, `drain` bytes leaving between windows. */
static void through(quash_framing framing, size_t length, quash_size size, size_t drain)
{
	char header[64] = "";
	enum tx_result result;
	begin(size);
	assert_int_equal(window(framing, length, 0, 0), TX_FULL);
	const uint32_t total = quash_tx_length(w);
	assert_false(quash_tx_holds(w, framing, total));
	for (size_t tries = 0; (result = window(framing, length, total, 0)) == TX_WINDOW; tries++) {
		assert_in_range(tries, 0, 40000);
		send_some(drain);
	}
	assert_int_equal(result, TX_DONE);
	send_all();
	if (framing == QUASH_CONTENT_LENGTH)
		snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", length);
	const size_t n = strlen(header);
	assert_int_equal(wire_length, n + length + (framing == QUASH_LINES ? 1 : 0));
	assert_memory_equal(wire, header, n);
	assert_int_equal(wire[n], '"');
	for (size_t i = 2; i < length; i++)
		assert_int_equal(wire[n + i - 1], (char)('a' + i % 26));
	assert_int_equal(whole(framing, 4), TX_DONE); /* and the next one is whole again */
	send_all();
	assert_non_null(strstr(wire + n + length - 1, "\"cd\""));
}

static void test_windows_of_lines(void **state)
{
	static const size_t drains[] = { 1, 7, 63, 64, 1000 };
	(void)state;
	for (size_t length = 64; length < 200; length += 13) {
		for (size_t i = 0; i < COUNT_OF(drains); i++)
			through(QUASH_LINES, length, 64, drains[i]);
	}
	through(QUASH_LINES, 5000, 64, 64);
	through(QUASH_LINES, 101, 100, 1);
}

static void test_windows_with_headers(void **state)
{
	static const size_t lengths[] = { 45, 64, 99, 100, 101, 127, 999, 1000, 1001, 9999, 10000 };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(lengths); i++) {
		through(QUASH_CONTENT_LENGTH, lengths[i], 64, 64);
		through(QUASH_CONTENT_LENGTH, lengths[i], 64, 23);
	}
	through(QUASH_CONTENT_LENGTH, 150, 64, 1);
}

/* A message that is written in windows says TX_CHANGED as soon as what was sent is not the same again. */
static void changed(size_t length, size_t other, char seed)
{
	begin(64);
	assert_int_equal(window(QUASH_LINES, length, 0, 0), TX_FULL);
	const uint32_t total = quash_tx_length(w);
	assert_int_equal(window(QUASH_LINES, length, total, 0), TX_WINDOW);
	send_all();
	assert_int_equal(window(QUASH_LINES, other, total, seed), TX_CHANGED);
	assert_true(quash_tx_empty(w));
	wire_length = 0;
	assert_int_equal(whole(QUASH_LINES, 4), TX_DONE);
	send_all();
	assert_string_equal(wire, "\"cd\"\n");
}

static void test_changed(void **state)
{
	(void)state;
	changed(100, 100, 1);
	changed(100, 101, 0);
	changed(100, 99, 0);
	changed(100, 50, 0);
	changed(100, 5, 0);
	changed(100, 1000, 0);
}

/* Any single byte of the part that was sent. */
static void test_one_byte_changed(void **state)
{
	(void)state;
	for (size_t at = 0; at < 64; at++) {
		char text[101];
		memset(text, 'x', 100);
		text[100] = '\0';
		begin(64);
		quash_tx_open(w, QUASH_LINES, 101);
		quash_put_raw(w, text);
		assert_int_equal(quash_tx_close(w, QUASH_LINES, 101), TX_WINDOW);
		send_all();
		text[at] = 'y';
		quash_tx_open(w, QUASH_LINES, 101);
		quash_put_raw(w, text);
		assert_int_equal(quash_tx_close(w, QUASH_LINES, 101), TX_CHANGED);
	}
}

static void test_first_window_of_another_length(void **state)
{
	(void)state;
	begin(64);
	assert_int_equal(window(QUASH_LINES, 100, 102, 0), TX_CHANGED);
	assert_true(quash_tx_empty(w));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_several_headers),
		cmocka_unit_test(test_no_room),
		cmocka_unit_test(test_holds),
		cmocka_unit_test(test_every_length_in_every_size),
		cmocka_unit_test(test_rewind),
		cmocka_unit_test(test_open_full),
		cmocka_unit_test(test_sent_in_part_and_packed),
		cmocka_unit_test(test_sent_more_than_there_is),
		cmocka_unit_test(test_clear),
		cmocka_unit_test(test_windows_of_lines),
		cmocka_unit_test(test_windows_with_headers),
		cmocka_unit_test(test_changed),
		cmocka_unit_test(test_one_byte_changed),
		cmocka_unit_test(test_first_window_of_another_length),
	};
	return cmocka_run_group_tests(tests, NULL, tear_down);
}
