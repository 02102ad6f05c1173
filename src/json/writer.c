/* SPDX-License-Identifier: MIT */
#include "writer.h"

#include "../../include/quash/why.h"
#include "rom.h"

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

/* The build for tests looks at what every other one trusts. */
#ifdef QUASH_CHECKED
static bool is_json(const char *json)
{
	quash_lex lex;
	bool again;
	quash_lex_init(&lex);
	for (; *json != '\0'; json++) {
		if (quash_lex_byte(&lex, (uint8_t)*json, &again) != QUASH_LEX_ERROR && again)
			(void)quash_lex_byte(&lex, (uint8_t)*json, &again);
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
