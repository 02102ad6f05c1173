/* SPDX-License-Identifier: MIT
 * The writer's strings. */
#include "writer.h"

#include "escape.h"
#include "rom.h"
#include "utf8.h"

static uint8_t hex_of(uint8_t digit)
{
	return (uint8_t)(digit < 10 ? '0' + digit : 'a' + digit - 10);
}

static void put_control(quash_writer *w, uint8_t c)
{
	if (c >= '\b' && c <= '\r' && c != '\v') {
		quash_put_byte(w, (uint8_t)quash_rom(&quash_escapes[c - '\b']));
		return;
	}
	quash_put_plain(w, "u00");
	quash_put_byte(w, (uint8_t)('0' + (c >> 4)));
	quash_put_byte(w, hex_of(c & 15));
}

static void put_ascii(quash_writer *w, uint8_t c)
{
	if (c < 0x20 || c == '"' || c == '\\')
		quash_put_byte(w, '\\');
	if (c < 0x20)
		put_control(w, c);
	else
		quash_put_byte(w, c);
}

QUASH_NOINLINE static void put_replacement_character(quash_writer *w)
{
	w->place.begun_count = 0;
	quash_put_plain(w, "\xEF\xBF\xBD");
}

/* What has begun and did not go on is no character. */
static void put_begun(quash_writer *w)
{
	if (w->place.begun_count > 0)
		put_replacement_character(w);
}

/* It goes out when all of it is there. */
static bool put_continued(quash_writer *w, uint8_t c)
{
	quash_place *const place = &w->place;
	const uint8_t count = place->begun_count;
	const uint16_t next = quash_utf8_next(count == 1 ? place->begun[0] : 0);
	if (c < (uint8_t)next || c > next >> 8)
		return false;
	if (count + 1 < quash_utf8_length(place->begun[0]) && count < sizeof place->begun) {
		place->begun[count] = c;
		place->begun_count = (uint8_t)(count + 1);
		return true;
	}
	place->begun_count = 0;
	for (uint_fast8_t i = 0; i < count && i < sizeof place->begun; i++)
		quash_put_byte(w, place->begun[i]);
	quash_put_byte(w, c);
	return true;
}

void quash_put_escaped(quash_writer *w, uint8_t c)
{
	if (w->place.begun_count > 0) {
		if (put_continued(w, c))
			return;
		put_replacement_character(w);
	}
	if (c < 0x80) {
		put_ascii(w, c);
	} else if (quash_utf8_begins(c)) {
		w->place.begun[0] = c;
		w->place.begun_count = 1;
	} else {
		put_replacement_character(w);
	}
}

/* A string, or a name. */
static void open_text(quash_writer *w, uint8_t what)
{
	quash_put_before(w, what);
	quash_put_byte(w, '"');
	w->place.expects = what == EXPECT_NAME ? EXPECT_PART | EXPECT_COLON : EXPECT_PART;
}

void quash_put_string_open(quash_writer *w)
{
	open_text(w, EXPECT_VALUE);
}

void quash_put_name_open(quash_writer *w)
{
	open_text(w, EXPECT_NAME);
}

void quash_put_string_part(quash_writer *w, const char *text, size_t length)
{
	(void)quash_writer_expects(w, EXPECT_PART);
	for (size_t i = 0; i < length; i++)
		quash_put_escaped(w, (uint8_t)quash_rom(&text[i]));
}

void quash_put_string_int(quash_writer *w, int32_t value)
{
	(void)quash_writer_expects(w, EXPECT_PART);
	put_begun(w);
	quash_put_signed(w, value);
}

void quash_put_string_close(quash_writer *w)
{
	(void)quash_writer_expects(w, EXPECT_PART);
	put_begun(w);
	quash_put_byte(w, '"');
	if ((w->place.expects & EXPECT_COLON) == 0) {
		quash_place_value(w);
		return;
	}
	quash_put_byte(w, ':');
	w->place.expects = EXPECT_VALUE;
}

void quash_put_string(quash_writer *w, const char *text, size_t length)
{
	quash_put_string_open(w);
	quash_put_string_part(w, text, length);
	quash_put_string_close(w);
}

static void put_whole(quash_writer *w, uint8_t what, const char *text)
{
	open_text(w, what);
	/*@ loop unroll 40; */
	for (size_t i = 0; quash_rom(&text[i]) != '\0'; i++)
		quash_put_escaped(w, (uint8_t)quash_rom(&text[i]));
	quash_put_string_close(w);
}

void quash_put_text(quash_writer *w, const char *text)
{
	put_whole(w, EXPECT_VALUE, text);
}

void quash_put_key(quash_writer *w, const char *key)
{
	put_whole(w, EXPECT_NAME, key);
}
