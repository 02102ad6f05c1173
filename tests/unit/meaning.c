/* SPDX-License-Identifier: MIT */
#include "meaning.h"

#include <stdlib.h>

char written[UNIT_TEXT];
size_t written_length;

static void write_down(char c)
{
	assert_room(written_length < sizeof written - 1);
	written[written_length++] = c;
	written[written_length] = '\0';
}

/* --- Text: what the lexer has written since it was looked at last */

enum { GUARD = 0xA5 };

quash_size text_size = 16;
bool parted;

static uint8_t room[TEXT_SIZE_MOST + 1];

static void write_text(quash_lex *lex)
{
	assert_in_range(lex->length, 0, text_size);
	assert_int_equal(room[text_size], GUARD);
	for (quash_size i = 0; i < lex->length; i++)
		write_down((char)(room[i] ? room[i] : '~'));
	lex->length = 0;
}

static void write_event(quash_lex *lex, quash_lex_event event)
{
	static const char marks[] = { 0, 'z', 'f', 't', 'n', 's', '[', '{', 'k', '>', ']', '}', '^', 0, '!' };
	const bool full = lex->length + QUASH_LEX_ROOM > text_size;
	assert_int_equal(event == QUASH_LEX_TEXT, full);
	if (event == QUASH_LEX_TEXT || event == QUASH_LEX_END || event == QUASH_LEX_ERROR)
		write_text(lex);
	if (event == QUASH_LEX_TEXT && parted)
		write_down('|');
	if (event == QUASH_LEX_ERROR && written_length >= 2 && memcmp(written + written_length - 2, "n<", 2) == 0)
		written_length -= 2;
	assert_in_range(event, 0, COUNT_OF(marks) - 1);
	if (marks[event])
		write_down(marks[event]);
	if (event == QUASH_LEX_KEY || event == QUASH_LEX_STRING || event == QUASH_LEX_NUMBER) {
		assert_int_equal(lex->length, 0);
		write_down('<');
	}
}

bool read_piece(quash_lex *lex, const uint8_t *piece, size_t n)
{
	size_t at = 0;
	for (size_t events = 0;; events++) {
		const size_t before = at;
		const quash_lex_event event = quash_lex_run(lex, piece, n, &at);
		assert_in_range(at, before, n);
		assert_in_range(events, 0, 4 * n + 4);
		write_event(lex, event);
		if (event == QUASH_LEX_ERROR)
			return false;
		if (event == QUASH_LEX_MORE) {
			assert_int_equal(at, n);
			return true;
		}
	}
}

void begin(quash_lex *lex)
{
	assert_in_range(text_size, QUASH_LEX_ROOM, TEXT_SIZE_MOST);
	memset(room, GUARD, sizeof room);
	quash_lex_init(lex, room, text_size);
	assert_int_equal(lex->length, 0);
	written_length = 0;
	written[0] = '\0';
}

static bool complete;

static const char *finish(quash_lex *lex)
{
	complete = quash_lex_complete(lex);
	write_text(lex);
	if (complete)
		write_down('=');
	return written;
}

const char *in_pieces(const char *text, size_t n, size_t size)
{
	quash_lex lex;
	begin(&lex);
	/* Copies, so that nothing can look beyond them. */
	for (size_t at = 0; at < n; at += size) {
		const size_t length = n - at < size ? n - at : size;
		uint8_t *const piece = malloc(length);
		memcpy(piece, text + at, length);
		const bool good = read_piece(&lex, piece, length);
		free(piece);
		if (!good)
			break;
	}
	return finish(&lex);
}

static const char *cut_at(const char *text, size_t n, size_t cut)
{
	quash_lex lex;
	begin(&lex);
	if (read_piece(&lex, (const uint8_t *)text, cut))
		(void)read_piece(&lex, (const uint8_t *)text + cut, n - cut);
	return finish(&lex);
}

static const char *byte_by_byte(const char *text, size_t n)
{
	quash_lex lex;
	begin(&lex);
	for (size_t at = 0, calls = 0; at < n; calls++) {
		bool again = true;
		const quash_lex_event event = quash_lex_byte(&lex, (uint8_t)text[at], &again);
		assert_in_range(calls, 0, 5 * n);
		write_event(&lex, event);
		if (event == QUASH_LEX_ERROR)
			break;
		if (!again)
			at++;
	}
	return finish(&lex);
}

const char *meaning(const char *text)
{
	return in_pieces(text, strlen(text), strlen(text) + 1);
}

void cut_everywhere(const char *text, size_t n)
{
	static char whole[UNIT_TEXT];
	strcpy(whole, in_pieces(text, n, n + 1));
	for (size_t cut = 0; cut <= n; cut++)
		assert_string_equal(cut_at(text, n, cut), whole);
	for (size_t size = 1; size < 8; size++)
		assert_string_equal(in_pieces(text, n, size), whole);
	assert_string_equal(byte_by_byte(text, n), whole);
}

bool accepted(const char *text, size_t n)
{
	(void)in_pieces(text, n, n + 1);
	return complete;
}
