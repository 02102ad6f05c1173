/* SPDX-License-Identifier: MIT */
#include "tape.h"

static const quash_size MOST = (quash_size)-1;

void quash_tape_begin(quash_tape *t, quash_size start)
{
	t->start = start;
	t->length = 0;
	t->open = 0;
	t->missing = 0;
}

bool quash_tape_whole(const quash_tape *t)
{
	return t->missing == 0;
}

bool quash_tape_fits(const quash_tape *t, quash_size size)
{
	return t->missing <= size - t->length;
}

quash_size quash_tape_take(quash_tape *t, quash_size *start)
{
	const quash_size length = t->length;
	*start = t->start;
	quash_tape_begin(t, (quash_size)(t->start + length));
	return length;
}

void quash_tape_text(quash_tape *t, uint8_t *arena, quash_size size, const uint8_t *data, size_t from, size_t to)
{
	const size_t n = from < to ? to - from : 0;
	quash_size at = (quash_size)(t->start + t->length);
	if (!quash_tape_whole(t) || at > size || n > (size_t)(size - at)) {
		t->missing = n < (size_t)(MOST - t->missing) ? (quash_size)(t->missing + n) : MOST;
		return;
	}
	t->length = (quash_size)(t->length + n);
	for (size_t i = from; i < to && at < size; i++, at++)
		arena[at] = data[i];
}

static void put_node(quash_tape *t, uint8_t *arena, quash_size size, uint8_t kind)
{
	const quash_size parent = t->open;
	const uint8_t head[TAPE_HEAD] = { kind, (uint8_t)parent, (uint8_t)(parent >> 8),
		(uint8_t)((uint32_t)parent >> 16) };
	if (quash_tape_has_length(kind))
		t->open = (quash_size)(t->length + 1u);
	quash_tape_text(t, arena, size, head, 0, quash_tape_has_length(kind) ? TAPE_HEAD : 1);
}

static void close_node(quash_tape *t, uint8_t *arena, quash_size size)
{
	const quash_size at = (quash_size)(t->start + t->open); /* of the node's length */
	if (!quash_tape_whole(t) || size < TAPE_HEAD || at > size - TAPE_HEAD)
		return;
	const uint32_t length = (uint32_t)t->length - t->open - (TAPE_HEAD - 1);
	t->open = (quash_size)((uint32_t)arena[at] | (uint32_t)arena[at + 1] << 8 |
		(uint32_t)arena[at + 2] << 16);
	arena[at] = (uint8_t)length;
	arena[at + 1] = (uint8_t)(length >> 8);
	arena[at + 2] = (uint8_t)(length >> 16);
}

/* A message with what is too deep is refused: it may stand as null. */
static uint8_t kind_of(quash_lex_event event)
{
	switch (event) {
	case QUASH_LEX_OBJECT: return QUASH_OBJECT;
	case QUASH_LEX_ARRAY: return QUASH_ARRAY;
	case QUASH_LEX_KEY:
	case QUASH_LEX_STRING: return QUASH_STRING;
	case QUASH_LEX_NUMBER: return QUASH_NUMBER;
	case QUASH_LEX_TRUE: return QUASH_TRUE;
	case QUASH_LEX_FALSE: return QUASH_FALSE;
	case QUASH_LEX_END:
	case QUASH_LEX_OBJECT_END:
	case QUASH_LEX_ARRAY_END: return TAPE_END;
	default: return QUASH_NULL;
	}
}

void quash_tape_event(quash_tape *t, uint8_t *arena, quash_size size, quash_lex_event event)
{
	const uint8_t kind = kind_of(event);
	put_node(t, arena, size, kind);
	if (kind == TAPE_END)
		close_node(t, arena, size);
}
