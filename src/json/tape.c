/* SPDX-License-Identifier: MIT */
#include "tape.h"

void quash_tape_begin(quash_tape *t, quash_size start)
{
	t->start = start;
	t->length = 0;
	t->open = 0;
	t->leaf = 0;
	t->need = 0;
}

bool quash_tape_whole(const quash_tape *t)
{
	return t->need == t->length;
}

quash_size quash_tape_take(quash_tape *t, quash_size *start)
{
	const quash_size length = t->length;
	*start = t->start;
	t->start = (quash_size)(t->start + length);
	t->length = 0;
	t->need = 0;
	return length;
}

static void store(quash_tape *t, uint8_t *arena, quash_size size, uint8_t byte)
{
	const uint32_t at = (uint32_t)t->start + t->length;
	const quash_size need = (quash_size)(t->need + 1u);
	if (need == 0)
		return;
	if (quash_tape_whole(t) && at < size && need < (quash_size)-1) {
		arena[at] = byte;
		t->length = need;
	}
	t->need = need;
}

static void patch(const quash_tape *t, uint8_t *arena, quash_size size, quash_size node, uint32_t value)
{
	const uint32_t at = (uint32_t)t->start + node;
	if (!quash_tape_whole(t) || size < TAPE_HEAD || at > (uint32_t)(size - TAPE_HEAD))
		return;
	arena[at + 1] = (uint8_t)value;
	arena[at + 2] = (uint8_t)(value >> 8);
	arena[at + 3] = (uint8_t)(value >> 16);
}

static uint32_t length_at(const quash_tape *t, const uint8_t *arena, quash_size size, quash_size node)
{
	const uint32_t at = (uint32_t)t->start + node;
	if (size < TAPE_HEAD || at > (uint32_t)(size - TAPE_HEAD))
		return 0;
	return (uint32_t)arena[at + 1] | (uint32_t)arena[at + 2] << 8 | (uint32_t)arena[at + 3] << 16;
}

static quash_size open_node(quash_tape *t, uint8_t *arena, quash_size size, uint8_t kind, uint32_t length)
{
	const quash_size node = t->length;
	store(t, arena, size, kind);
	for (uint8_t i = 1; i < TAPE_HEAD; i++)
		store(t, arena, size, 0);
	patch(t, arena, size, node, length);
	return node;
}

/* `last` is the byte that every node with a length ends with. */
static void close_node(quash_tape *t, uint8_t *arena, quash_size size, quash_size node, uint8_t last)
{
	store(t, arena, size, last);
	patch(t, arena, size, node, (uint32_t)t->length - node - TAPE_HEAD);
}

static void tape_open_container(quash_tape *t, uint8_t *arena, quash_size size, uint8_t kind)
{
	t->open = (quash_size)(open_node(t, arena, size, kind, t->open) + 1);
}

static void tape_close_container(quash_tape *t, uint8_t *arena, quash_size size)
{
	if (t->open == 0 || !quash_tape_whole(t)) {
		store(t, arena, size, TAPE_END);
		return;
	}
	const quash_size node = (quash_size)(t->open - 1);
	t->open = (quash_size)length_at(t, arena, size, node);
	close_node(t, arena, size, node, TAPE_END);
}

void quash_tape_event(quash_tape *t, uint8_t *arena, quash_size size, quash_lex_event event)
{
	switch (event) {
	case QUASH_LEX_OBJECT: tape_open_container(t, arena, size, QUASH_OBJECT); break;
	case QUASH_LEX_ARRAY: tape_open_container(t, arena, size, QUASH_ARRAY); break;
	case QUASH_LEX_OBJECT_END:
	case QUASH_LEX_ARRAY_END: tape_close_container(t, arena, size); break;
	case QUASH_LEX_KEY:
	case QUASH_LEX_STRING: t->leaf = open_node(t, arena, size, QUASH_STRING, 0); break;
	case QUASH_LEX_NUMBER: t->leaf = open_node(t, arena, size, QUASH_NUMBER, 0); break;
	case QUASH_LEX_END: close_node(t, arena, size, t->leaf, 0); break;
	case QUASH_LEX_TRUE: store(t, arena, size, QUASH_TRUE); break;
	case QUASH_LEX_FALSE: store(t, arena, size, QUASH_FALSE); break;
	case QUASH_LEX_NULL: store(t, arena, size, QUASH_NULL); break;
	default: break;
	}
}

void quash_tape_text(quash_tape *t, uint8_t *arena, quash_size size, const uint8_t *data, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		store(t, arena, size, data[i]);
}
