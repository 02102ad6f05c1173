/* SPDX-License-Identifier: MIT */
#include "reading.h"

#include <string.h>

void reading_begin(struct reading *r, const char *json, size_t size)
{
	r->json = json;
	r->size = size;
	r->at = 0;
	r->length = 0;
	quash_lex_init(&r->lex, (uint8_t *)r->text, sizeof r->text);
}

quash_lex_event reading_next(struct reading *r)
{
	for (;;) {
		const quash_lex_event event = quash_lex_run(&r->lex, (const uint8_t *)r->json, r->size, &r->at);
		if (event == QUASH_LEX_KEY || event == QUASH_LEX_STRING || event == QUASH_LEX_NUMBER)
			r->length = 0;
		if (event == QUASH_LEX_TEXT || event == QUASH_LEX_END)
			r->length += r->lex.length;
		if (event == QUASH_LEX_END)
			r->text[r->lex.length] = '\0';
		if (event != QUASH_LEX_TEXT)
			return event;
		r->lex.length = 0;
	}
}

bool reading_is(const struct reading *r, const char *string)
{
	return r->length <= READING_TEXT && r->length == strlen(string) && memcmp(r->text, string, r->length) == 0;
}

quash_kind json_kind(const char *text)
{
	struct reading r;
	quash_kind kind = QUASH_NONE;
	reading_begin(&r, text, strlen(text));
	for (;;) {
		const quash_lex_event event = reading_next(&r);
		if (event == QUASH_LEX_MORE)
			return quash_lex_complete(&r.lex) ? kind : QUASH_NONE;
		if (event == QUASH_LEX_ERROR || event == QUASH_LEX_DEEP)
			return QUASH_NONE;
		if (kind == QUASH_NONE)
			kind = event <= QUASH_LEX_OBJECT ? (quash_kind)event : QUASH_NONE;
	}
}
