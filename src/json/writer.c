/* SPDX-License-Identifier: MIT */
#include "writer.h"

#include "../../include/quash/why.h"
#include "escape.h"
#include "rom.h"
#include "utf8.h"

/* --- The place: what may come next */

void quash_place_begin(quash_place *place)
{
	place->kinds = 0;
	place->begun_count = 0;
	place->depth = 0;
	place->expects = EXPECT_VALUE;
	place->floor = 0;
	place->quote = 0;
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
QUASH_NOINLINE void quash_writer_misuse(quash_writer *w, uint8_t why)
{
	if (w->why == QUASH_WHY_NONE)
		w->why = why;
}

bool quash_writer_expects(quash_writer *w, uint8_t what)
{
	if ((w->place.expects & what) != 0)
		return true;
	quash_writer_misuse(w, QUASH_WHY_UNBALANCED);
	return false;
}

void quash_place_value(quash_writer *w)
{
	const uint8_t what = quash_writer_in_object(w) ? EXPECT_NAME : EXPECT_VALUE;
	const bool inside = w->place.depth > w->place.floor >> 1;
	w->place.expects = (uint8_t)(inside ? what | EXPECT_END | EXPECT_COMMA : EXPECT_NOTHING);
}

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
	quash_checked_byte(c);
	if (w->place.quote != 0 && (c == '"' || c == '\\'))
		put_stored(w, '\\');
	put_stored(w, c);
}

/* Line ends would end the message in some framings, and JSON needs none. */
void quash_put_plain(quash_writer *w, const char *text)
{
	/*@ loop unroll 40; */
	for (size_t i = 0; quash_rom(&text[i]) != '\0'; i++) {
		if ((uint8_t)quash_rom(&text[i]) >= ' ')
			quash_put_byte(w, (uint8_t)quash_rom(&text[i]));
	}
}

void quash_put_before(quash_writer *w, uint8_t what)
{
	(void)quash_writer_expects(w, what);
	if ((w->place.expects & EXPECT_COMMA) != 0)
		quash_put_byte(w, ',');
}

void quash_put_comma(quash_writer *w)
{
	quash_put_before(w, EXPECT_VALUE);
	quash_place_value(w);
}

QUASH_NOINLINE void quash_put_head(quash_writer *w, const char *text)
{
	quash_put_plain(w, text);
	w->place.expects = EXPECT_VALUE;
}

/* --- Containers */

static void put_container(quash_writer *w, uint8_t bracket)
{
	const uint32_t kind = bracket == '{' ? 1 : 0;
	quash_put_before(w, EXPECT_VALUE);
	quash_put_byte(w, bracket);
	if (w->place.depth >= QUASH_DEPTH)
		quash_writer_misuse(w, QUASH_WHY_PUT_DEEP);
	else
		w->place.depth++;
	w->place.kinds = w->place.kinds << 1 | kind;
	w->place.expects = kind != 0 ? EXPECT_NAME | EXPECT_END : EXPECT_VALUE | EXPECT_END;
}

void quash_put_object(quash_writer *w)
{
	put_container(w, '{');
}

void quash_put_array(quash_writer *w)
{
	put_container(w, '[');
}

void quash_put_end(quash_writer *w)
{
	if (quash_writer_is_due(w))
		quash_put_null(w);
	if (!quash_writer_expects(w, EXPECT_END))
		return;
	quash_put_byte(w, quash_writer_in_object(w) ? '}' : ']');
	w->place.kinds >>= 1;
	w->place.depth--;
	quash_place_value(w);
}

/* --- Values of one word */

/* Only the build for tests looks whether it is JSON. */
#ifdef QUASH_CHECKED
static bool is_json(const char *json)
{
	uint8_t text[QUASH_LEX_ROOM];
	quash_lex lex;
	quash_lex_event event = QUASH_LEX_MORE;
	bool again;
	quash_lex_init(&lex, text, sizeof text);
	while (*json != '\0' && event != QUASH_LEX_ERROR) {
		lex.length = 0;
		event = quash_lex_byte(&lex, (uint8_t)*json, &again);
		json += again ? 0 : 1;
	}
	return quash_lex_complete(&lex);
}
#else
static inline bool is_json(const char *json)
{
	(void)json;
	return true;
}
#endif

void quash_put_raw(quash_writer *w, const char *json)
{
	if (!is_json(json))
		quash_writer_misuse(w, QUASH_WHY_UNBALANCED);
	quash_put_comma(w);
	quash_put_plain(w, json);
}

QUASH_NOINLINE void quash_put_null(quash_writer *w)
{
	quash_put_raw(w, "null");
}

void quash_put_bool(quash_writer *w, bool value)
{
	quash_put_raw(w, value ? "true" : "false");
}

static uint32_t power_of_ten(uint_fast8_t exponent)
{
	uint32_t power = 1;
	for (; exponent > 0; exponent--)
		power *= 10;
	return power;
}

/* Nothing is divided: a small processor would need the compiler's library for that. */
void quash_put_digits(quash_writer *w, uint32_t value)
{
	bool begun = false;
	for (uint_fast8_t place = 10; place > 0; place--) {
		const uint32_t power = power_of_ten((uint_fast8_t)(place - 1));
		uint8_t digit = '0';
		for (; value >= power; value -= power)
			digit++;
		begun = begun || digit != '0' || place == 1;
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

QUASH_NOINLINE void quash_put_int(quash_writer *w, int32_t value)
{
	quash_put_comma(w);
	quash_put_signed(w, value);
}

/* --- Strings */

static void put_control(quash_writer *w, uint8_t c)
{
	if (c >= '\b' && c <= '\r' && c != '\v') {
		quash_put_byte(w, (uint8_t)quash_rom(&quash_escapes[c - '\b']));
		return;
	}
	const uint8_t low = c & 15;
	quash_put_plain(w, "u00");
	quash_put_byte(w, (uint8_t)('0' + (c >> 4)));
	quash_put_byte(w, (uint8_t)(low < 10 ? '0' + low : 'a' + low - 10));
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

/* A character that has begun and did not go on is none. */
static void put_begun(quash_writer *w)
{
	if (w->place.begun_count > 0)
		put_replacement_character(w);
}

/* A character is put when all its bytes are there. */
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

QUASH_OUTLINED_ void quash_put_string_part(quash_writer *w, const char *text, size_t length)
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

void quash_put_string_text(quash_writer *w, const char *text)
{
	/*@ loop unroll 40; */
	for (size_t i = 0; quash_rom(&text[i]) != '\0'; i++)
		quash_put_escaped(w, (uint8_t)quash_rom(&text[i]));
}

static QUASH_NOINLINE void put_whole(quash_writer *w, uint8_t what, const char *text)
{
	open_text(w, what);
	quash_put_string_text(w, text);
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

/* --- Texts inside of a text: one value at a place where another writer goes on */

/* A comma that is expected is put with the value. */
static uint8_t fix_floor(quash_writer *w, uint8_t quoted)
{
	const uint8_t floor = w->place.floor;
	w->place.floor = (uint8_t)(w->place.depth << 1 | quoted);
	w->place.expects = (uint8_t)(EXPECT_VALUE | (w->place.expects & EXPECT_COMMA));
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
	quash_place_value(w);
}

static bool is_quoted(const quash_writer *w)
{
	return (w->place.floor & 1u) != 0;
}

/* Down to the floor. */
void quash_put_ends(quash_writer *w)
{
	if (quash_writer_is_due(w))
		quash_put_null(w);
	while ((w->place.expects & EXPECT_END) != 0)
		quash_put_end(w);
	if (w->place.expects != EXPECT_NOTHING || is_quoted(w))
		quash_writer_misuse(w, QUASH_WHY_UNBALANCED);
}

/* JSON inside of JSON inside of JSON would need two more escapes. */
void quash_put_quote_open(quash_writer *w)
{
	quash_put_comma(w);
	if (w->place.quote != 0)
		quash_writer_misuse(w, QUASH_WHY_UNBALANCED);
	quash_put_byte(w, '"');
	w->place.expects = EXPECT_NOTHING;
	w->place.quote = (uint8_t)(fix_floor(w, 1) + 1);
}

void quash_put_quote_close(quash_writer *w)
{
	if (!is_quoted(w))
		quash_writer_misuse(w, QUASH_WHY_UNBALANCED);
	w->place.floor &= 0xFE;
	quash_put_ends(w);
	w->place.floor = (uint8_t)(w->place.quote - 1);
	w->place.quote = 0;
	quash_put_byte(w, '"');
	quash_place_value(w);
}
