/* SPDX-License-Identifier: MIT */
#include "token.h"

#include "../json/decimal.h"

bool quash_is_token(const quash_value *v)
{
	return quash_value_kind(v) == QUASH_STRING || quash_is_integer(v);
}

uint8_t quash_keep_token(const quash_value *v, char *to, uint8_t size, uint8_t *length)
{
	quash_size count;
	const quash_size from = quash_value_text(v, &count);
	if (from >= v->end || count > size) /* no text, or a long one */
		return QUASH_NONE;
	for (uint8_t i = 0; i < count; i++)
		to[i] = (char)quash_value_byte(v, (quash_size)(from + i));
	to[count] = '\0';
	*length = (uint8_t)count;
	return (uint8_t)quash_value_kind(v);
}

void quash_put_token(quash_writer *w, uint8_t kind, const char *text, uint8_t length)
{
	if (kind == QUASH_STRING)
		quash_put_string(w, text, length);
	else
		quash_put_raw(w, text);
}
