/* SPDX-License-Identifier: MIT
 * The lexer alone, with as much of an envelope around it as the task asks for. */
#include "parse.h"

#include "quash/lex.h"

#include <string.h>

enum member { OTHER, ID, METHOD };

struct envelope {
	quash_lex lex;
	uint8_t text[64]; /* of the key that is open; a longer text comes in parts */
	bool whole;       /* it has come in one so far */
	bool in_key;
	unsigned depth;
	enum member member;
};

static bool is(const struct envelope *e, const char *name, size_t length)
{
	return e->whole && e->lex.length == length && memcmp(e->text, name, length) == 0;
}

static enum member member_named(const struct envelope *e)
{
	if (is(e, "id", 2))
		return ID;
	return is(e, "method", 6) ? METHOD : OTHER;
}

static void begin_key(struct envelope *e)
{
	e->in_key = e->depth == 1;
	e->whole = true;
}

static void take_text(struct envelope *e, struct found *found)
{
	if (!e->in_key && e->depth == 1 && e->member == METHOD)
		found->method += e->lex.length;
	e->whole = false;
	e->lex.length = 0;
}

static void end_text(struct envelope *e, struct found *found)
{
	if (e->in_key)
		e->member = member_named(e);
	if (e->in_key && e->member == ID)
		found->has_id = true;
	take_text(e, found);
	e->in_key = false;
}

bool parse(const char *text, size_t n, struct found *found)
{
	struct envelope e = { .depth = 0 };
	size_t at = 0;
	quash_lex_init(&e.lex, e.text, sizeof e.text);
	for (;;) {
		switch (quash_lex_run(&e.lex, (const uint8_t *)text, n, &at)) {
		case QUASH_LEX_OBJECT:
		case QUASH_LEX_ARRAY: e.depth++; break;
		case QUASH_LEX_OBJECT_END:
		case QUASH_LEX_ARRAY_END: e.depth--; break;
		case QUASH_LEX_KEY: begin_key(&e); break;
		case QUASH_LEX_TEXT: take_text(&e, found); break;
		case QUASH_LEX_END: end_text(&e, found); break;
		case QUASH_LEX_MORE: return quash_lex_complete(&e.lex);
		case QUASH_LEX_ERROR: return false;
		default: break;
		}
	}
}
