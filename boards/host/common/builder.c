/* SPDX-License-Identifier: MIT */
#include "builder.h"

#include "format.h"

#include <string.h>

enum { FIRST_ROOM = 256 };

struct builder build_begin(const struct heap *heap)
{
	return (struct builder){ .heap = heap };
}

static void give_text_up(struct builder *to)
{
	heap_free(to->heap, to->text);
	to->text = NULL;
	to->length = to->room = 0;
	to->failed = true;
}

/* With room for a NUL. */
static bool make_room_for(struct builder *to, size_t n)
{
	const size_t need = to->length + n + 1, twice = to->room > 0 ? 2 * to->room : FIRST_ROOM;
	if (to->failed || need <= to->room)
		return !to->failed;
	const size_t room = need > twice ? need : twice;
	char *const text = heap_resize(to->heap, to->text, room);
	if (text == NULL) {
		give_text_up(to);
		return false;
	}
	to->text = text;
	to->room = room;
	return true;
}

void build_bytes(struct builder *to, const char *bytes, size_t n)
{
	if (!make_room_for(to, n))
		return;
	memcpy(to->text + to->length, bytes, n);
	to->length += n;
}

void build_text(struct builder *to, const char *text)
{
	build_bytes(to, text, strlen(text));
}

void build_char(struct builder *to, char c)
{
	build_bytes(to, &c, 1);
}

void build_number(struct builder *to, int64_t number)
{
	char digits[24];
	build_bytes(to, digits, format_text(digits, sizeof digits, "%lld", (long long)number));
}

char *build_end(struct builder *to)
{
	if (make_room_for(to, 0))
		to->text[to->length] = '\0';
	return to->text;
}
