/* SPDX-License-Identifier: MIT */
#include "tape.h"

enum { LENGTH_BYTES = TAPE_HEAD - 1 };

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

/* Takes `n` bytes. Returns where they stand in the arena; `size` when there is no room. */
static quash_size take_room(quash_tape *t, quash_size size, size_t n)
{
	const quash_size at = (quash_size)(t->start + t->length);
	if (quash_tape_whole(t) && at < size && n <= (size_t)(size - at)) {
		t->length = (quash_size)(t->length + n);
		return at;
	}
	t->missing = n < (size_t)(MOST - t->missing) ? (quash_size)(t->missing + n) : MOST;
	return size;
}

void quash_tape_took(quash_tape *t, quash_size size, size_t n)
{
	(void)take_room(t, size, n);
}

void quash_tape_text(quash_tape *t, uint8_t *arena, quash_size size, const uint8_t *data, size_t n)
{
	size_t at = take_room(t, size, n);
	for (size_t i = 0; i < n && at < size; i++, at++)
		arena[at] = data[i];
}

QUASH_INLINED_ static void put_length(uint8_t *arena, quash_size size, quash_size at, quash_size length)
{
	if (size < LENGTH_BYTES || at > size - LENGTH_BYTES)
		return;
	arena[at] = (uint8_t)length;
	arena[at + 1] = (uint8_t)(length >> 8);
	arena[at + 2] = (uint8_t)((uint32_t)length >> 16);
}

QUASH_NOINLINE quash_size quash_tape_length(const uint8_t *arena, quash_size size, quash_size at)
{
	if (size < LENGTH_BYTES || at > size - LENGTH_BYTES)
		return 0;
	return (quash_size)((uint32_t)arena[at] | (uint32_t)arena[at + 1] << 8 | (uint32_t)arena[at + 2] << 16);
}

/* What is too deep may stand as null: its message is refused. */
static uint8_t kind_of(quash_lex_event event)
{
	if (event <= QUASH_LEX_OBJECT)
		return (uint8_t)event;
	return event == QUASH_LEX_KEY ? QUASH_STRING : event == QUASH_LEX_DEEP ? QUASH_NULL : TAPE_END;
}

void quash_tape_event(quash_tape *t, uint8_t *arena, quash_size size, quash_lex_event event)
{
	const uint8_t kind = kind_of(event);
	const quash_size open = t->open; /* where the length of the innermost open node stands */
	const quash_size node = (quash_size)(t->length + 1u);
	const quash_size at = take_room(t, size, quash_tape_has_length(kind) ? TAPE_HEAD : 1);
	if (at >= size)
		return;
	arena[at] = kind;
	if (kind == TAPE_END) {
		const quash_size length_place = (quash_size)(t->start + open);
		t->open = quash_tape_length(arena, size, length_place);
		put_length(arena, size, length_place, (quash_size)(t->length - open - LENGTH_BYTES));
	} else if (quash_tape_has_length(kind)) {
		put_length(arena, size, (quash_size)(at + 1), open);
		t->open = node;
	}
}
