/* SPDX-License-Identifier: MIT */
#include "inspect_json.h"

#include <string.h>

static quash_kind kind_of_event(quash_lex_event event)
{
	return event <= QUASH_LEX_OBJECT ? (quash_kind)event : QUASH_NONE;
}

quash_kind json_kind(const char *text)
{
	const size_t length = strlen(text);
	quash_kind kind = QUASH_NONE;
	quash_lex lex;
	size_t at = 0;
	quash_lex_init(&lex);
	for (;;) {
		const quash_lex_event event = quash_lex_run(&lex, (const uint8_t *)text, length, &at);
		if (event == QUASH_LEX_MORE)
			return quash_lex_complete(&lex) ? kind : QUASH_NONE;
		if (event == QUASH_LEX_ERROR || event == QUASH_LEX_DEEP)
			return QUASH_NONE;
		if (kind == QUASH_NONE)
			kind = kind_of_event(event);
	}
}

void json_compact(char *text)
{
	bool quoted = false, escaped = false;
	char *to = text;
	for (const char *from = text; *from != '\0'; from++) {
		if (!quoted && strchr(" \t\r\n", *from) != NULL)
			continue;
		if (*from == '"' && !escaped)
			quoted = !quoted;
		escaped = *from == '\\' && !escaped;
		*to++ = *from;
	}
	*to = '\0';
}

bool json_has(const char *object, const char *name)
{
	const size_t length = strlen(object), name_length = strlen(name);
	quash_lex lex;
	size_t at = 0, matched = 0;
	bool key = false, fits = false;
	quash_lex_init(&lex);
	for (;;) {
		const size_t from = at;
		const quash_lex_event event = quash_lex_run(&lex, (const uint8_t *)object, length, &at);
		if (event == QUASH_LEX_MORE || event == QUASH_LEX_ERROR)
			return false;
		if (event == QUASH_LEX_END && key && fits && matched == name_length)
			return true;
		if (event == QUASH_LEX_KEY || event == QUASH_LEX_END) {
			key = event == QUASH_LEX_KEY && lex.depth == 1;
			fits = true;
			matched = 0;
		}
		if (!key || event == QUASH_LEX_KEY)
			continue;
		fits = fits && event == QUASH_LEX_TEXT && at - from <= name_length - matched &&
			memcmp(name + matched, object + from, at - from) == 0;
		matched += at - from;
	}
}
