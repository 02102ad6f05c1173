/* SPDX-License-Identifier: MIT
 * jsmn: strict, and with links to parents: without these its time grows with the square of a message. */
#define JSMN_STATIC
#define JSMN_STRICT
#define JSMN_PARENT_LINKS
#include <jsmn.h>

#include "parse.h"

#include <string.h>

enum { TOKENS = 32768 };

static bool is_key(const char *text, const jsmntok_t *token, const char *name)
{
	const size_t n = (size_t)(token->end - token->start);
	return token->type == JSMN_STRING && token->parent == 0 && token->size == 1 && n == strlen(name) &&
		memcmp(text + token->start, name, n) == 0;
}

bool parse(const char *text, size_t n, struct found *found)
{
	static jsmntok_t tokens[TOKENS];
	jsmn_parser parser;
	jsmn_init(&parser);
	const int count = jsmn_parse(&parser, text, n, tokens, TOKENS);
	for (int i = 1; i < count - 1; i++) {
		if (is_key(text, &tokens[i], "id"))
			found->has_id = true;
		else if (is_key(text, &tokens[i], "method"))
			found->method = (size_t)(tokens[i + 1].end - tokens[i + 1].start);
	}
	return count > 0;
}
