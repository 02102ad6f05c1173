/* SPDX-License-Identifier: MIT
 * The lexer alone, with as much of an envelope around it as the task asks for. */
#include "parse.h"

#include "quash/lex.h"

#include <string.h>

enum member { OTHER, ID, METHOD };

struct envelope {
	char key[8];
	size_t length;
	unsigned depth;
	enum member member;
	bool in_key;
};

static enum member member_named(const struct envelope *e)
{
	if (e->length == 2 && memcmp(e->key, "id", 2) == 0)
		return ID;
	return e->length == 6 && memcmp(e->key, "method", 6) == 0 ? METHOD : OTHER;
}

static void add_text(struct envelope *e, struct found *found, const void *text, size_t n)
{
	if (e->in_key && e->length + n <= sizeof e->key)
		memcpy(e->key + e->length, text, n);
	if (e->in_key)
		e->length += n;
	else if (e->depth == 1 && e->member == METHOD)
		found->method += n;
}

static void begin_key(struct envelope *e)
{
	e->in_key = e->depth == 1;
	e->length = 0;
}

static void end_text(struct envelope *e, struct found *found)
{
	if (e->in_key)
		e->member = member_named(e);
	if (e->in_key && e->member == ID)
		found->has_id = true;
	e->in_key = false;
}

bool parse(const char *text, size_t n, struct found *found)
{
	struct envelope e = { .depth = 0 };
	const uint8_t *const bytes = (const uint8_t *)text;
	quash_lex lex;
	size_t at = 0;
	uint8_t room[64];
	quash_lex_init(&lex, room, sizeof room);
	for (;;) {
		switch (quash_lex_run(&lex, bytes, n, &at)) {
		case QUASH_LEX_OBJECT:
		case QUASH_LEX_ARRAY: e.depth++; break;
		case QUASH_LEX_OBJECT_END:
		case QUASH_LEX_ARRAY_END: e.depth--; break;
		case QUASH_LEX_KEY: begin_key(&e); break;
		case QUASH_LEX_TEXT:
			add_text(&e, found, room, lex.length);
			lex.length = 0;
			break;
		case QUASH_LEX_END:
			add_text(&e, found, room, lex.length);
			end_text(&e, found);
			break;
		case QUASH_LEX_MORE: return quash_lex_complete(&lex);
		case QUASH_LEX_ERROR: return false;
		default: break;
		}
	}
}
