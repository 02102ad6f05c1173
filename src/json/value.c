/* SPDX-License-Identifier: MIT */
#include "value.h"

#include "rom.h"
#include "tape.h"
#include "writer.h"

quash_value quash_value_of(const uint8_t *arena, quash_size size, quash_size at, quash_size length)
{
	const uint32_t end = (uint32_t)at + length;
	return (quash_value){ arena, at < size ? at : size, end < size ? (quash_size)end : size };
}

uint8_t quash_value_byte(quash_value v, quash_size i)
{
	return i < v.end ? v.arena[i] : 0;
}

quash_kind quash_kind_of(quash_value v)
{
	const uint8_t kind = v.at < v.end ? v.arena[v.at] : 0;
	return kind <= QUASH_OBJECT ? (quash_kind)kind : QUASH_NONE;
}

static bool has_length(quash_kind kind)
{
	return kind >= QUASH_NUMBER;
}

/* The number of payload bytes, inside the view whatever the tape says. */
static quash_size payload(quash_value v)
{
	if (!has_length(quash_kind_of(v)) || v.end - v.at < TAPE_HEAD)
		return 0;
	const quash_size room = (quash_size)(v.end - v.at - TAPE_HEAD);
	const uint32_t length = (uint32_t)quash_value_byte(v, (quash_size)(v.at + 1)) |
				(uint32_t)quash_value_byte(v, (quash_size)(v.at + 2)) << 8 |
				(uint32_t)quash_value_byte(v, (quash_size)(v.at + 3)) << 16;
	return length < room ? (quash_size)length : room;
}

/* Behind the node at the beginning of the view. */
static quash_size behind(quash_value v)
{
	const quash_size end = (quash_size)(v.at + payload(v) + (has_length(quash_kind_of(v)) ? TAPE_HEAD : 1));
	return v.at < v.end && end < v.end ? end : v.end;
}

/* The node at the beginning of the view alone. */
static quash_value only(quash_value v)
{
	v.end = behind(v);
	return v;
}

quash_size quash_value_text(quash_value v, quash_size *length)
{
	const quash_size n = payload(v);
	*length = n > 0 ? (quash_size)(n - 1) : 0;
	return n > 0 ? (quash_size)(v.at + TAPE_HEAD) : v.end;
}

bool quash_next(quash_value container, quash_value *cursor, quash_value *key, quash_value *value)
{
	const quash_kind kind = quash_kind_of(container);
	quash_value at = container;
	if (kind != QUASH_ARRAY && kind != QUASH_OBJECT)
		return false;
	at.end = behind(container);
	at.at = cursor->end > container.at ? cursor->end : (quash_size)(container.at + TAPE_HEAD);
	if (at.at >= at.end || quash_kind_of(at) == QUASH_NONE)
		return false;
	if (kind == QUASH_OBJECT) {
		if (key != NULL)
			*key = only(at);
		at.at = behind(at);
	} else if (key != NULL) {
		*key = (quash_value){ container.arena, 0, 0 };
	}
	*value = *cursor = only(at);
	return true;
}

static bool is_text(quash_value v)
{
	const quash_kind kind = quash_kind_of(v);
	return (kind == QUASH_STRING || kind == QUASH_NUMBER) && payload(v) > 0;
}

const char *quash_text(quash_value v)
{
	static const char none[1] = { '\0' }; /* no literal: handlers read it */
	const quash_size text = (quash_size)(v.at + TAPE_HEAD);
	return is_text(v) && text < v.end ? (const char *)&v.arena[text] : none;
}

size_t quash_length(quash_value v)
{
	return is_text(v) ? (size_t)payload(v) - 1 : 0;
}

/* The length of text up to its NUL or a dot. */
static size_t length_to(const char *text, char dot)
{
	size_t n = 0;
	/*@ loop unroll 40; */
	while (quash_rom(&text[n]) != '\0' && quash_rom(&text[n]) != dot)
		n++;
	return n;
}

static bool same_string(quash_value v, const char *text, size_t n)
{
	quash_size length;
	const quash_size from = quash_value_text(v, &length);
	bool equal = n == length;
	for (size_t i = 0; equal && i < n; i++)
		equal = quash_value_byte(v, (quash_size)(from + i)) == (uint8_t)quash_rom(&text[i]);
	return equal;
}

bool quash_is(quash_value v, const char *text)
{
	return quash_kind_of(v) == QUASH_STRING && same_string(v, text, length_to(text, '\0'));
}

static bool is_index(const char *text, size_t n, quash_size index)
{
	quash_size number = 0;
	for (size_t i = 0; i < n; i++) {
		const char c = quash_rom(&text[i]);
		if (c < '0' || c > '9' || number >= UINT16_MAX / 10)
			return false;
		number = (quash_size)(number * 10 + (quash_size)(c - '0'));
	}
	return n > 0 && number == index;
}

static quash_value child(quash_value v, const char *name, size_t n)
{
	quash_value found = { v.arena, 0, 0 }, cursor = found, key, value;
	const bool array = quash_kind_of(v) == QUASH_ARRAY;
	for (quash_size index = 0; quash_next(v, &cursor, &key, &value); index++) {
		if (array ? is_index(name, n, index) : same_string(key, name, n))
			found = value;
	}
	return found;
}

quash_value quash_get(quash_value v, const char *path)
{
	for (const char *name = path;;) {
		const size_t n = length_to(name, '.');
		v = child(v, name, n);
		if (quash_kind_of(v) == QUASH_NONE || quash_rom(&name[n]) == '\0')
			return v;
		name += n + 1;
	}
}

static void put_string_value(quash_writer *w, quash_value v, bool key)
{
	quash_size length;
	const quash_size from = quash_value_text(v, &length);
	quash_put_string_open(w);
	for (quash_size i = 0; i < length; i++)
		quash_put_escaped(w, quash_value_byte(v, (quash_size)(from + i)));
	quash_put_string_close(w);
	if (key)
		quash_put_head(w, ":");
}

void quash_put_key_value(quash_writer *w, quash_value key)
{
	put_string_value(w, key, true);
}

static void put_number_value(quash_writer *w, quash_value v)
{
	quash_size length;
	const quash_size from = quash_value_text(v, &length);
	quash_put_comma(w);
	for (quash_size i = 0; i < length; i++)
		quash_put_byte(w, quash_value_byte(v, (quash_size)(from + i)));
}

/* A tape is in the order of its text, so a walk over its nodes needs neither stack nor recursion. */
void quash_put_value(quash_writer *w, quash_value v)
{
	const uint8_t floor = w->depth;
	bool key = false;
	v.end = behind(v);
	if (v.at >= v.end)
		quash_put_null(w);
	while (v.at < v.end) {
		const quash_kind kind = quash_kind_of(v);
		const bool inside = w->depth > floor;
		key = inside && quash_writer_in_object(w) && !key && kind == QUASH_STRING;
		switch (kind) {
		case QUASH_NONE:
			if (inside)
				quash_put_end(w);
			break;
		case QUASH_NULL: quash_put_null(w); break;
		case QUASH_FALSE:
		case QUASH_TRUE: quash_put_bool(w, kind == QUASH_TRUE); break;
		case QUASH_NUMBER: put_number_value(w, v); break;
		case QUASH_STRING: put_string_value(w, v, key); break;
		case QUASH_ARRAY: quash_put_array(w); break;
		case QUASH_OBJECT: quash_put_object(w); break;
		}
		if (kind >= QUASH_ARRAY)
			v.at = (quash_size)(v.end - v.at > TAPE_HEAD ? v.at + TAPE_HEAD : v.end);
		else
			v.at = behind(v);
	}
}
