/* SPDX-License-Identifier: MIT */
#include "writer.h"

#include "../../include/quash/why.h"
#include "rom.h"
#include "utf8.h"

/* --- Bytes */

uint16_t quash_sum(uint16_t sum, uint8_t c)
{
	return (uint16_t)(((uint32_t)sum << 5) - sum + c);
}

static void put_stored(quash_writer *w, uint8_t c)
{
	const uint32_t count = w->count;
	const quash_size at = w->at;
	w->count = count + 1;
	if (count < w->skip) {
		if (count >= w->from)
			w->sum = quash_sum(w->sum, c);
	} else if (at < w->size) {
		w->buffer[at] = c;
		w->at = (quash_size)(at + 1);
	} else {
		w->full = true;
	}
}

void quash_put_byte(quash_writer *w, uint8_t c)
{
	if (w->place.quote != 0 && (c == '"' || c == '\\'))
		put_stored(w, '\\');
	put_stored(w, c);
}

void quash_put_plain(quash_writer *w, const char *text)
{
	/*@ loop unroll 40; */
	for (size_t i = 0; quash_rom(&text[i]) != '\0'; i++)
		quash_put_byte(w, (uint8_t)quash_rom(&text[i]));
}

/* --- The place */

void quash_place_begin(quash_place *place)
{
	static const quash_place fresh = { .expects = EXPECT_VALUE };
	*place = fresh;
}

bool quash_writer_in_object(const quash_writer *w)
{
	return (w->place.kinds & 1u) != 0;
}

bool quash_writer_is_due(const quash_writer *w)
{
	return (w->place.expects & (EXPECT_VALUE | EXPECT_END)) == EXPECT_VALUE;
}

/* The first misuse is the one to know: others follow from it. */
static void misuse(quash_writer *w, uint8_t why)
{
	if (w->why == QUASH_WHY_NONE)
		w->why = why;
}

static void expect(quash_writer *w, uint8_t what)
{
	if ((w->place.expects & what) == 0)
		misuse(w, QUASH_WHY_UNBALANCED);
}

static void put_before(quash_writer *w, uint8_t what)
{
	expect(w, what);
	if ((w->place.expects & EXPECT_COMMA) != 0)
		quash_put_byte(w, ',');
}

static void expect_inside(quash_writer *w, uint8_t comma)
{
	const uint8_t what = quash_writer_in_object(w) ? EXPECT_NAME : EXPECT_VALUE;
	w->place.expects = (uint8_t)(what | EXPECT_END | comma);
}

static void value_put(quash_writer *w)
{
	if (w->place.depth > w->place.floor >> 1)
		expect_inside(w, EXPECT_COMMA);
	else
		w->place.expects = EXPECT_NOTHING;
}

void quash_put_comma(quash_writer *w)
{
	put_before(w, EXPECT_VALUE);
	value_put(w);
}

void quash_put_head(quash_writer *w, const char *text)
{
	quash_put_plain(w, text);
	w->place.expects = EXPECT_VALUE;
}

/* --- Containers */

static void put_container(quash_writer *w, bool object)
{
	put_before(w, EXPECT_VALUE);
	quash_put_byte(w, object ? '{' : '[');
	if (w->place.depth >= QUASH_DEPTH)
		misuse(w, QUASH_WHY_PUT_DEEP);
	else
		w->place.depth++;
	w->place.kinds = w->place.kinds << 1 | (object ? 1u : 0u);
	expect_inside(w, 0);
}

void quash_put_object(quash_writer *w)
{
	put_container(w, true);
}

void quash_put_array(quash_writer *w)
{
	put_container(w, false);
}

void quash_put_end(quash_writer *w)
{
	if (quash_writer_is_due(w))
		quash_put_null(w);
	if ((w->place.expects & EXPECT_END) == 0) {
		misuse(w, QUASH_WHY_UNBALANCED);
		return;
	}
	quash_put_byte(w, quash_writer_in_object(w) ? '}' : ']');
	w->place.kinds >>= 1;
	w->place.depth--;
	value_put(w);
}

/* --- Ends of texts */

static void put_ends(quash_writer *w)
{
	if (quash_writer_is_due(w))
		quash_put_null(w);
	while ((w->place.expects & EXPECT_END) != 0)
		quash_put_end(w);
	if (w->place.expects != EXPECT_NOTHING)
		misuse(w, QUASH_WHY_UNBALANCED);
}

static bool is_quoted(const quash_writer *w)
{
	return (w->place.floor & 1u) != 0;
}

void quash_put_ends(quash_writer *w)
{
	put_ends(w);
	if (is_quoted(w))
		misuse(w, QUASH_WHY_UNBALANCED);
}

/* The comma stays expected: it is put with the value. */
static uint8_t fix_floor(quash_writer *w, uint8_t quoted)
{
	const uint8_t floor = w->place.floor;
	w->place.floor = (uint8_t)(w->place.depth << 1 | quoted);
	w->place.expects = EXPECT_VALUE | (w->place.expects & EXPECT_COMMA);
	return floor;
}

uint8_t quash_place_enter(quash_writer *w)
{
	return fix_floor(w, 0);
}

void quash_place_leave(quash_writer *w, uint8_t floor)
{
	quash_put_ends(w);
	w->place.floor = floor;
	value_put(w);
}

/* JSON inside of JSON inside of JSON would need two more escapes. */
void quash_put_quote_open(quash_writer *w)
{
	quash_put_comma(w);
	if (w->place.quote != 0)
		misuse(w, QUASH_WHY_UNBALANCED);
	quash_put_byte(w, '"');
	w->place.expects = EXPECT_NOTHING;
	w->place.quote = (uint8_t)(fix_floor(w, 1) + 1);
}

void quash_put_quote_close(quash_writer *w)
{
	if (!is_quoted(w)) {
		misuse(w, QUASH_WHY_UNBALANCED);
		return;
	}
	put_ends(w);
	w->place.floor = (uint8_t)(w->place.quote - 1);
	w->place.quote = 0;
	quash_put_byte(w, '"');
	value_put(w);
}

/* --- Values of one word */

/* Line ends would end the message in some framings, and JSON needs none. */
void quash_put_raw(quash_writer *w, const char *json)
{
	quash_put_comma(w);
	/*@ loop unroll 40; */
	for (size_t i = 0; quash_rom(&json[i]) != '\0'; i++) {
		if ((uint8_t)quash_rom(&json[i]) >= ' ')
			quash_put_byte(w, (uint8_t)quash_rom(&json[i]));
	}
}

void quash_put_null(quash_writer *w)
{
	quash_put_raw(w, "null");
}

void quash_put_bool(quash_writer *w, bool value)
{
	quash_put_raw(w, value ? "true" : "false");
}

void quash_put_digits(quash_writer *w, uint32_t value)
{
	static const uint32_t powers[10] = { 1000000000, 100000000, 10000000, 1000000, 100000,
					     10000, 1000, 100, 10, 1 };
	bool begun = false;
	for (uint8_t i = 0; i < 10; i++) {
		uint8_t digit = '0';
		for (; value >= powers[i]; value -= powers[i])
			digit++;
		begun = begun || digit > '0' || i == 9;
		if (begun)
			quash_put_byte(w, digit);
	}
}

void quash_put_signed(quash_writer *w, int32_t value)
{
	if (value < 0)
		quash_put_byte(w, '-');
	quash_put_digits(w, value < 0 ? 0u - (uint32_t)value : (uint32_t)value);
}

void quash_put_uint(quash_writer *w, uint32_t value)
{
	quash_put_comma(w);
	quash_put_digits(w, value);
}

void quash_put_int(quash_writer *w, int32_t value)
{
	quash_put_comma(w);
	quash_put_signed(w, value);
}

/* --- Strings */

static uint8_t hex_of(uint8_t digit)
{
	return (uint8_t)(digit < 10 ? '0' + digit : 'a' + digit - 10);
}

static void put_ascii(quash_writer *w, uint8_t c)
{
	static const char letters[6] = { 'b', 't', 'n', 0, 'f', 'r' };
	if (c >= 0x20 && c != '"' && c != '\\') {
		quash_put_byte(w, c);
		return;
	}
	quash_put_byte(w, '\\');
	if (c >= 0x20) {
		quash_put_byte(w, c);
	} else if (c >= '\b' && c <= '\r' && c != '\v') {
		quash_put_byte(w, (uint8_t)letters[c - '\b']);
	} else {
		quash_put_plain(w, "u00");
		quash_put_byte(w, hex_of(c >> 4));
		quash_put_byte(w, hex_of(c & 15));
	}
}

static void put_character(quash_writer *w, uint32_t bytes)
{
	/*@ loop unroll 4; */
	for (uint8_t left = 4; left > 0; left--, bytes <<= 8) {
		if (bytes >> 24 != 0)
			put_stored(w, (uint8_t)(bytes >> 24));
	}
}

/* What has begun and did not go on is no character. */
static void put_begun(quash_writer *w)
{
	if (w->place.begun == 0)
		return;
	w->place.begun = 0;
	put_character(w, 0xEFBFBD);
}

/* Says whether the bytes of a character are all there, with one more behind `begun`. */
static bool is_last_byte(uint32_t begun)
{
	return begun < 0x100 ? begun < 0xE0 : begun > 0xFFFF || begun < 0xF000;
}

static bool put_continued(quash_writer *w, uint8_t c)
{
	const uint32_t begun = w->place.begun;
	const uint32_t next = quash_utf8_next(begun);
	if (begun == 0 || c < (uint8_t)next || c > next >> 8)
		return false;
	w->place.begun = is_last_byte(begun) ? 0 : begun << 8 | c;
	if (w->place.begun == 0)
		put_character(w, begun << 8 | c);
	return true;
}

void quash_put_escaped(quash_writer *w, uint8_t c)
{
	if (put_continued(w, c))
		return;
	put_begun(w);
	if (c < 0x80) {
		put_ascii(w, c);
		return;
	}
	w->place.begun = c;
	if (!quash_utf8_begins(c))
		put_begun(w);
}

static void open_text(quash_writer *w, uint8_t what, uint8_t expects)
{
	put_before(w, what);
	quash_put_byte(w, '"');
	w->place.expects = expects;
}

void quash_put_string_open(quash_writer *w)
{
	open_text(w, EXPECT_VALUE, EXPECT_PART);
}

void quash_put_name_open(quash_writer *w)
{
	open_text(w, EXPECT_NAME, EXPECT_PART | EXPECT_COLON);
}

void quash_put_string_part(quash_writer *w, const char *text, size_t length)
{
	expect(w, EXPECT_PART);
	for (size_t i = 0; i < length; i++)
		quash_put_escaped(w, (uint8_t)quash_rom(&text[i]));
}

void quash_put_string_int(quash_writer *w, int32_t value)
{
	expect(w, EXPECT_PART);
	put_begun(w);
	quash_put_signed(w, value);
}

void quash_put_string_close(quash_writer *w)
{
	expect(w, EXPECT_PART);
	put_begun(w);
	quash_put_byte(w, '"');
	if ((w->place.expects & EXPECT_COLON) != 0)
		quash_put_head(w, ":");
	else
		value_put(w);
}

void quash_put_string(quash_writer *w, const char *text, size_t length)
{
	quash_put_string_open(w);
	quash_put_string_part(w, text, length);
	quash_put_string_close(w);
}

static void put_text_and_close(quash_writer *w, const char *text)
{
	/*@ loop unroll 40; */
	for (size_t i = 0; quash_rom(&text[i]) != '\0'; i++)
		quash_put_escaped(w, (uint8_t)quash_rom(&text[i]));
	quash_put_string_close(w);
}

void quash_put_text(quash_writer *w, const char *text)
{
	quash_put_string_open(w);
	put_text_and_close(w, text);
}

void quash_put_key(quash_writer *w, const char *key)
{
	quash_put_name_open(w);
	put_text_and_close(w, key);
}
