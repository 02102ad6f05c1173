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
	quash_tx_begin(w);
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
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
	quash_put_string_open(w);
	for (size_t i = 2, n; i < length; i += n) {
		n = length - i < 26 ? length - i : 26;
		quash_put_string_part(w, &letters[(i + (unsigned char)seed) % 26], n);
	}
	quash_put_string_close(w);
}

static enum tx_result whole(quash_framing framing, size_t length)
{
	quash_tx_begin(w);
	quash_tx_open(w, framing);
	put_body(length, 0);
	return quash_tx_close_whole(w, framing);
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
	assert_int_equal(w->count, 25);
	assert_true(quash_tx_holds(w, QUASH_LINES));
	assert_int_equal(whole(QUASH_LINES, 22), TX_DONE);
	send_all();
	assert_int_equal(wire_length, 41 + 23);
	assert_int_equal(whole(QUASH_LINES, 63), TX_DONE);
}

/* A message is said to fit when it does into an empty TX. */
static void test_holds(void **state)
{
	(void)state;
	for (unsigned headers = 0; headers < 2; headers++) {
		const quash_framing framing = headers ? QUASH_CONTENT_LENGTH : QUASH_LINES;
		for (quash_size length = 30; length < 90; length++) {
			begin(64);
			quash_tx_open(w, framing);
			put_body(length, 0);
			const bool holds = quash_tx_holds(w, framing);
			assert_int_equal(quash_tx_close_whole(w, framing) == TX_DONE, holds);
			assert_int_equal(holds, length <= (headers ? 64 - 22 : 63));
			quash_tx_open_nowhere(w);
			put_body(length, 0);
			assert_int_equal(quash_tx_holds(w, framing), holds);
		}
	}
}

static void test_every_length_in_every_size(void **state)
{
	(void)state;
	enum { LENGTHS = 138, ALL = 66 * LENGTHS };
	for (size_t i = 0; i < ALL; i += STRIDE) {
		const quash_size size = (quash_size)(64 + i / LENGTHS);
		const size_t length = 2 + i % LENGTHS;
		const bool fits = length + 1 <= size;
		begin(size);
		assert_int_equal(whole(QUASH_LINES, length), fits ? TX_DONE : TX_FULL);
		assert_int_equal(quash_tx_empty(w), !fits);
		begin(size);
		const enum tx_result result = whole(QUASH_CONTENT_LENGTH, length);
		/* Room is kept for as many digits as the buffer's size has. */
		assert_int_equal(result, length + 20 + (size < 100 ? 2 : 3) <= size ? TX_DONE : TX_FULL);
	}
}

/* What is opened and not closed leaves nothing. */
static void test_given_up(void **state)
{
	(void)state;
	begin(64);
	assert_int_equal(whole(QUASH_LINES, 5), TX_DONE);
	quash_tx_begin(w);
	quash_tx_open(w, QUASH_LINES);
	quash_put_object(w);
	quash_put_quote_open(w);
	assert_int_equal(whole(QUASH_LINES, 4), TX_DONE);
	send_all();
	assert_string_equal(wire, "\"cde\"\n\"cd\"\n");
}

static void test_open_nowhere(void **state)
{
	(void)state;
	begin(64);
	assert_int_equal(whole(QUASH_LINES, 5), TX_DONE);
	quash_tx_open_nowhere(w);
	put_body(5, 0);
	assert_int_equal(w->count, 5);
	assert_int_equal(quash_tx_close_whole(w, QUASH_LINES), TX_FULL);
	send_all();
	assert_string_equal(wire, "\"cde\"\n");
}

static void test_no_json(void **state)
{
	(void)state;
	begin(64);
	quash_tx_open(w, QUASH_LINES);
	quash_put_key(w, "a");
	assert_int_equal(quash_tx_close_whole(w, QUASH_LINES), TX_VOID);
	quash_tx_begin(w);
	quash_tx_open(w, QUASH_LINES);
	quash_put_end(w);
	assert_int_equal(quash_tx_close(w, QUASH_LINES, true), TX_VOID);
	assert_true(quash_tx_empty(w));
}

/* What a message still lacks: blanks up to its length, or the end of its line. */
static void test_fill(void **state)
{
	(void)state;
	begin(64);
	assert_int_equal(quash_tx_fill(w, QUASH_CONTENT_LENGTH, 100), 36);
	assert_int_equal(quash_tx_fill(w, QUASH_CONTENT_LENGTH, 36), 36);
	send_all();
	assert_int_equal(quash_tx_fill(w, QUASH_CONTENT_LENGTH, 36), 0);
	send_all();
	assert_int_equal(wire_length, 100);
	assert_int_equal(strspn(wire, " "), 100);
	assert_int_equal(quash_tx_fill(w, QUASH_LINES, 1), 0);
	send_all();
	assert_string_equal(wire + 100, "\n");
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
	quash_tx_init(w, w->buffer, w->size);
	quash_tx_begin(w);
	assert_true(quash_tx_empty(w));
	assert_int_equal(whole(QUASH_LINES, 60), TX_DONE);
}

/* --- Windows */

static enum tx_result window(quash_framing framing, size_t length, char seed)
{
	quash_tx_open(w, framing);
	put_body(length, seed);
	return quash_tx_close(w, framing, true);
}

/* The whole message through a buffer of that size, `drain` bytes leaving between passes. */
static void through(quash_framing framing, size_t length, quash_size size, size_t drain)
{
	char header[64] = "";
	enum tx_result result;
	begin(size);
	for (size_t tries = 0; (result = window(framing, length, 0)) != TX_DONE; tries++) {
		assert_in_range(tries, 0, 40000);
		assert_true(result == TX_WINDOW || result == TX_FULL);
		if (result == TX_WINDOW)
			assert_true(quash_tx_begun(w));
		send_some(drain);
	}
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

/* Passes are the length by the size, and one more; with a header one to measure. */
static void test_number_of_passes(void **state)
{
	(void)state;
	for (size_t length = 10; length < 1000; length += 9) {
		for (unsigned headers = 0; headers < 2; headers++) {
			unsigned passes = 1;
			begin(64);
			while (window(headers ? QUASH_CONTENT_LENGTH : QUASH_LINES, length, 0) != TX_DONE) {
				send_all();
				passes++;
			}
			assert_in_range(passes, 1, (length + 24 + 63) / 64 + 1);
		}
	}
}

/* A window goes out only where TX was empty; what a begun message lacks is known. */
static void test_windows_of_an_empty_tx(void **state)
{
	(void)state;
	begin(64);
	assert_int_equal(window(QUASH_LINES, 100, 0), TX_WINDOW);
	assert_int_equal(window(QUASH_LINES, 100, 0), TX_FULL);
	send_some(63);
	assert_int_equal(window(QUASH_LINES, 100, 0), TX_FULL);
	send_some(1);
	assert_int_equal(window(QUASH_LINES, 100, 0), TX_DONE);
	begin(64);
	assert_int_equal(window(QUASH_CONTENT_LENGTH, 100, 0), TX_FULL);
	assert_int_equal(window(QUASH_CONTENT_LENGTH, 100, 0), TX_WINDOW);
	assert_int_equal(quash_content_length.rest(w), 23 + 100 - 64);
}

/* A message that is written in windows is TX_CHANGED as soon as what was sent is not the same again, or not of the length
 * that was promised. */
static void changes(quash_framing framing, size_t length, size_t other, char seed)
{
	enum tx_result result;
	begin(64);
	while ((result = window(framing, length, 0)) == TX_FULL)
		;
	assert_int_equal(result, TX_WINDOW);
	send_all();
	assert_int_equal(window(framing, other, seed), TX_CHANGED);
	assert_true(quash_tx_empty(w));
	wire_length = 0;
	assert_int_equal(whole(QUASH_LINES, 4), TX_DONE);
	send_all();
	assert_string_equal(wire, "\"cd\"\n");
}

static void test_changed(void **state)
{
	(void)state;
	changes(QUASH_LINES, 100, 100, 1);
	changes(QUASH_LINES, 100, 50, 0);
	changes(QUASH_LINES, 100, 5, 0);
	changes(QUASH_CONTENT_LENGTH, 100, 100, 1);
	changes(QUASH_CONTENT_LENGTH, 100, 101, 0);
	changes(QUASH_CONTENT_LENGTH, 100, 99, 0);
	changes(QUASH_CONTENT_LENGTH, 100, 5, 0);
	changes(QUASH_CONTENT_LENGTH, 100, 1000, 0);
}

/* Any single byte of the part that was sent. */
static void test_one_byte_changed(void **state)
{
	(void)state;
	for (size_t at = 1; at < 64; at++) {
		char text[101];
		memset(text, 'x', 100);
		text[0] = text[99] = '"';
		text[100] = '\0';
		begin(64);
		quash_tx_open(w, QUASH_LINES);
		quash_put_raw(w, text);
		assert_int_equal(quash_tx_close(w, QUASH_LINES, true), TX_WINDOW);
		send_all();
		text[at] = 'y';
		quash_tx_open(w, QUASH_LINES);
		quash_put_raw(w, text);
		assert_int_equal(quash_tx_close(w, QUASH_LINES, true), TX_CHANGED);
	}
}

/* What was measured must come: before a byte has left that too is a change. */
static void test_first_window_of_another_length(void **state)
{
	(void)state;
	begin(64);
	assert_int_equal(window(QUASH_CONTENT_LENGTH, 100, 0), TX_FULL);
	assert_int_equal(window(QUASH_CONTENT_LENGTH, 101, 0), TX_CHANGED);
	assert_true(quash_tx_empty(w));
	assert_false(quash_tx_begun(w));
}

/* --- Pieces */

static unsigned put_calls; /* pieces that were put, in all passes */
static unsigned next; /* piece that the next window begins in */

/* A pass over a list of `count` numbers of four digits. False when it was not put to its end. */
static bool put_list(unsigned count)
{
	if (next == 0)
		quash_put_array(w);
	for (unsigned i = next > 0 ? next - 1 : 0; i < count; i++) {
		if (quash_tx_piece(w))
			next = i + 1;
		else if (w->full)
			return false;
		quash_put_uint(w, 1000 + i);
		put_calls++;
	}
	quash_put_end(w);
	return true;
}

static void list_through(unsigned count, quash_size size, size_t drain)
{
	enum tx_result result;
	begin(size);
	put_calls = next = 0;
	do {
		quash_tx_open(w, QUASH_LINES);
		result = quash_tx_close(w, QUASH_LINES, put_list(count));
		if (!quash_tx_begun(w))
			next = 0;
		send_some(drain);
	} while (result != TX_DONE);
	send_all();
	assert_int_equal(wire_length, 5 * count + 2);
	for (unsigned i = 0; i < count; i++)
		assert_int_equal(strtoul(wire + 1 + 5 * i, NULL, 10), 1000 + i);
	assert_string_equal(wire + wire_length - 2, "]\n");
}

/* Each piece is put once, and once more where a window ends in it: linear. */
static void test_pieces(void **state)
{
	(void)state;
	for (unsigned count = 1; count < 1000; count += 37) {
		list_through(count, 64, SIZE_MAX);
		assert_in_range(put_calls, count, count + 2 * (5 * count / 64 + 2));
		list_through(count, 100, 1);
	}
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
		cmocka_unit_test(test_given_up),
		cmocka_unit_test(test_open_nowhere),
		cmocka_unit_test(test_no_json),
		cmocka_unit_test(test_fill),
		cmocka_unit_test(test_sent_in_part_and_packed),
		cmocka_unit_test(test_sent_more_than_there_is),
		cmocka_unit_test(test_clear),
		cmocka_unit_test(test_windows_of_lines),
		cmocka_unit_test(test_windows_with_headers),
		cmocka_unit_test(test_number_of_passes),
		cmocka_unit_test(test_windows_of_an_empty_tx),
		cmocka_unit_test(test_changed),
		cmocka_unit_test(test_one_byte_changed),
		cmocka_unit_test(test_first_window_of_another_length),
		cmocka_unit_test(test_pieces),
	};
	return cmocka_run_group_tests(tests, NULL, tear_down);
}
