/* SPDX-License-Identifier: MIT */
#include "value.h"

#include "c_text.h"
#include "rom.h"
#include "tape.h"
#include "writer.h"

QUASH_NOINLINE uint8_t quash_value_byte(const quash_value *v, quash_size i)
{
	return i < v->end ? v->arena[i] : 0;
}

quash_kind quash_value_kind(const quash_value *v)
{
	const uint8_t kind = quash_value_byte(v, v->at);
	return kind <= QUASH_OBJECT ? (quash_kind)kind : QUASH_NONE;
}

quash_kind quash_kind_of(quash_value v)
{
	return quash_value_kind(&v);
}

/* The end of the node that begins at `at`, inside the view whatever the tape holds. */
QUASH_OUTLINED_ static quash_size node_end(const quash_value *v, quash_size at)
{
	if (at >= v->end)
		return v->end;
	const quash_size room = (quash_size)(v->end - at);
	if (!quash_tape_has_length(quash_value_byte(v, at)))
		return (quash_size)(at + 1);
	const quash_size length = quash_tape_length(v->arena, v->end, (quash_size)(at + 1));
	const quash_size end = (quash_size)(at + TAPE_HEAD + length);
	return room > TAPE_HEAD && length < room - TAPE_HEAD && end < v->end ? end : v->end;
}

QUASH_NOINLINE quash_value quash_value_of(const uint8_t *arena, quash_size size, quash_size at, quash_size length)
{
	quash_value v = { arena, at < size ? at : size, size };
	const quash_size end = (quash_size)(v.at + length);
	if (length < size - v.at && end < size)
		v.end = end;
	v.end = node_end(&v, v.at);
	return v;
}

quash_size quash_value_text(const quash_value *v, quash_size *length)
{
	const quash_kind kind = quash_value_kind(v);
	const quash_size size = (quash_size)(v->end - v->at);
	*length = 0;
	if ((kind != QUASH_STRING && kind != QUASH_NUMBER) || size <= TAPE_HEAD)
		return v->end;
	*length = (quash_size)(size - TAPE_HEAD - 1);
	return (quash_size)(v->at + TAPE_HEAD);
}

bool quash_next_node(const quash_value *container, quash_value *cursor, quash_value *key)
{
	const quash_kind kind = quash_value_kind(container);
	quash_value node = *container;
	if (kind < QUASH_ARRAY)
		return false;
	node.at = cursor->end > node.at ? cursor->end : (quash_size)(node.at + TAPE_HEAD);
	if (quash_value_kind(&node) == QUASH_NONE)
		return false;
	*key = node;
	key->end = 0;
	if (kind == QUASH_OBJECT) {
		key->end = node_end(container, node.at);
		node.at = key->end;
	}
	node.end = node_end(container, node.at);
	*cursor = node;
	return true;
}

bool quash_next(quash_value container, quash_value *cursor, quash_value *key, quash_value *value)
{
	quash_value unused;
	const bool found = quash_next_node(&container, cursor, key != NULL ? key : &unused);
	if (found)
		*value = *cursor;
	return found;
}

const char *quash_value_chars(const quash_value *v)
{
	static const char none[1] = { '\0' }; /* no literal: handlers read it */
	quash_size length;
	const quash_size text = quash_value_text(v, &length);
	return text < v->end ? (const char *)&v->arena[text] : none;
}

const char *quash_text(quash_value v)
{
	return quash_value_chars(&v);
}

size_t quash_length(quash_value v)
{
	quash_size length;
	(void)quash_value_text(&v, &length);
	return length;
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

/* True if the text of `v` is this one, which ends at its NUL or at that mark. A NUL stands behind the text of `v`,
 * too. */
static bool same_string(const quash_value *v, const char *text, char mark)
{
	quash_size length;
	const quash_size from = quash_value_text(v, &length);
	/*@ loop unroll 80; */
	for (quash_size i = 0;; i++) {
		const char c = quash_rom(&text[i]);
		const bool last = c == '\0' || c == mark;
		if (last || quash_value_byte(v, (quash_size)(from + i)) != (uint8_t)c)
			return last && i == length;
	}
}

bool quash_value_is(const quash_value *v, const char *text)
{
	return quash_value_kind(v) == QUASH_STRING && same_string(v, text, '\0');
}

bool quash_is(quash_value v, const char *text)
{
	return quash_value_is(&v, text);
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

static quash_value element(const quash_value *array, const char *name, size_t n)
{
	quash_value found = { array->arena, 0, 0 }, cursor = found, key;
	for (quash_size index = 0; quash_next_node(array, &cursor, &key); index++) {
		if (is_index(name, n, index))
			found = cursor;
	}
	return found;
}

static quash_value member(const quash_value *object, const char *name, char mark)
{
	quash_value found = { object->arena, 0, 0 }, cursor = found, key;
	while (quash_next_node(object, &cursor, &key)) {
		if (same_string(&key, name, mark))
			found = cursor;
	}
	return found;
}

quash_value quash_member(quash_value object, const char *name)
{
	if (quash_value_kind(&object) != QUASH_OBJECT)
		object.end = object.at; /* has no members */
	return member(&object, name, '\0');
}

quash_value quash_get(quash_value v, const char *path)
{
	for (const char *name = path;;) {
		const size_t n = length_to(name, '.');
		const bool last = quash_rom(&name[n]) == '\0';
		quash_value next = quash_value_kind(&v) == QUASH_ARRAY ? element(&v, name, n) : member(&v, name, '.');
		if (last || quash_value_kind(&next) == QUASH_NONE)
			return last ? next : member(&v, name, '\0');
		v = next;
		name += n + 1;
	}
}

bool quash_bool(quash_value value, bool *truth)
{
	const quash_kind kind = quash_kind_of(value);
	if (kind != QUASH_TRUE && kind != QUASH_FALSE)
		return false;
	*truth = kind == QUASH_TRUE;
	return true;
}

/* The text of the node at the beginning of the view. */
static void put_value_bytes(quash_writer *w, const quash_value *v, void (*put)(quash_writer *w, uint8_t c))
{
	const quash_size size = (quash_size)(node_end(v, v->at) - v->at);
	for (quash_size i = TAPE_HEAD; i + 1 < size; i++)
		put(w, quash_value_byte(v, (quash_size)(v->at + i)));
}

static void put_string_value(quash_writer *w, const quash_value *v, bool name)
{
	if (name)
		quash_put_name_open(w);
	else
		quash_put_string_open(w);
	put_value_bytes(w, v, quash_put_escaped);
	quash_put_string_close(w);
}

void quash_put_key_value(quash_writer *w, quash_value key)
{
	if (quash_value_kind(&key) >= QUASH_ARRAY)
		key.end = key.at; /* has no text */
	put_string_value(w, &key, true);
}

/* A tape is in the order of its text, so a walk over its nodes needs neither stack nor recursion. */
void quash_put_value(quash_writer *w, quash_value v)
{
	const uint8_t floor = w->place.depth;
	if (v.at >= v.end)
		quash_put_null(w);
	while (v.at < v.end) {
		const quash_kind kind = quash_value_kind(&v);
		const bool inside = w->place.depth > floor;
		switch (kind) {
		case QUASH_NONE:
			if (inside)
				quash_put_end(w);
			break;
		case QUASH_NULL: quash_put_null(w); break;
		case QUASH_FALSE:
		case QUASH_TRUE: quash_put_bool(w, kind == QUASH_TRUE); break;
		case QUASH_NUMBER:
			quash_put_comma(w);
			put_value_bytes(w, &v, quash_put_byte);
			break;
		case QUASH_STRING: put_string_value(w, &v, inside && (w->place.expects & EXPECT_NAME) != 0); break;
		case QUASH_ARRAY: quash_put_array(w); break;
		case QUASH_OBJECT: quash_put_object(w); break;
		}
		if (kind >= QUASH_ARRAY)
			v.at = (quash_size)(v.end - v.at > TAPE_HEAD ? v.at + TAPE_HEAD : v.end);
		else
			v.at = node_end(&v, v.at);
	}
}
