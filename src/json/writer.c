/* SPDX-License-Identifier: MIT */
#include "writer.h"

#include "rom.h"

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
	if (w->quoted && (c == '"' || c == '\\'))
		put_stored(w, '\\');
	put_stored(w, c);
}

void quash_put_plain(quash_writer *w, const char *text)
{
	/*@ loop unroll 40; */
	for (size_t i = 0; quash_rom(&text[i]) != '\0'; i++)
		quash_put_byte(w, (uint8_t)quash_rom(&text[i]));
}

void quash_put_comma(quash_writer *w)
{
	if (w->comma)
		quash_put_byte(w, ',');
	w->comma = true;
	w->due = false;
}

void quash_put_head(quash_writer *w, const char *text)
{
	quash_put_plain(w, text);
	w->comma = false;
	w->due = true;
}

static void write_container(quash_writer *w, bool object)
{
	quash_put_comma(w);
	quash_put_byte(w, object ? '{' : '[');
	if (w->depth >= QUASH_DEPTH)
		w->deep = true;
	else
		w->depth++;
	w->kinds = w->kinds << 1 | (object ? 1u : 0u);
	w->comma = false;
}

void quash_put_object(quash_writer *w)
{
	write_container(w, true);
}

void quash_put_array(quash_writer *w)
{
	write_container(w, false);
}

bool quash_writer_in_object(const quash_writer *w)
{
	return (w->kinds & 1u) != 0;
}

void quash_put_end(quash_writer *w)
{
	if (w->due)
		quash_put_null(w);
	if (w->depth == 0)
		return;
	quash_put_byte(w, quash_writer_in_object(w) ? '}' : ']');
	w->kinds >>= 1;
	w->depth--;
	w->comma = true;
}

void quash_put_key(quash_writer *w, const char *key)
{
	quash_put_text(w, key);
	quash_put_head(w, ":");
}

void quash_put_ends(quash_writer *w)
{
	do
		quash_put_end(w);
	while (w->depth > 0);
}

void quash_put_raw(quash_writer *w, const char *json)
{
	quash_put_comma(w);
	quash_put_plain(w, json);
}

void quash_put_null(quash_writer *w)
{
	quash_put_raw(w, "null");
}

void quash_put_bool(quash_writer *w, bool value)
{
	quash_put_raw(w, value ? "true" : "false");
}

void quash_put_uint(quash_writer *w, uint32_t value)
{
	static const uint32_t powers[10] = { 1000000000, 100000000, 10000000, 1000000, 100000,
					     10000, 1000, 100, 10, 1 };
	bool begun = false;
	quash_put_comma(w);
	for (uint8_t i = 0; i < 10; i++) {
		uint8_t digit = '0';
		for (; value >= powers[i]; value -= powers[i])
			digit++;
		begun = begun || digit > '0' || i == 9;
		if (begun)
			quash_put_byte(w, digit);
	}
}

void quash_put_int(quash_writer *w, int32_t value)
{
	if (value < 0)
		quash_put_head(w, w->comma ? ",-" : "-");
	quash_put_uint(w, value < 0 ? 0u - (uint32_t)value : (uint32_t)value);
}

static uint8_t hex_of(uint8_t digit)
{
	return (uint8_t)(digit < 10 ? '0' + digit : 'a' + digit - 10);
}

void quash_put_escaped(quash_writer *w, uint8_t c)
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

void quash_put_string_open(quash_writer *w)
{
	quash_put_comma(w);
	quash_put_byte(w, '"');
}

void quash_put_string_part(quash_writer *w, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		quash_put_escaped(w, (uint8_t)quash_rom(&text[i]));
}

void quash_put_string_close(quash_writer *w)
{
	quash_put_byte(w, '"');
}

void quash_put_string(quash_writer *w, const char *text, size_t length)
{
	quash_put_string_open(w);
	quash_put_string_part(w, text, length);
	quash_put_string_close(w);
}

void quash_put_text(quash_writer *w, const char *text)
{
	quash_put_string_open(w);
	/*@ loop unroll 40; */
	for (size_t i = 0; quash_rom(&text[i]) != '\0'; i++)
		quash_put_escaped(w, (uint8_t)quash_rom(&text[i]));
	quash_put_string_close(w);
}

void quash_put_quote_open(quash_writer *w)
{
	quash_put_string_open(w);
	w->comma = false;
	w->quoted = true;
}

void quash_put_quote_close(quash_writer *w)
{
	w->quoted = false;
	w->comma = true;
	quash_put_string_close(w);
}

void quash_put_string_int(quash_writer *w, int32_t value)
{
	w->comma = false;
	quash_put_int(w, value);
}
