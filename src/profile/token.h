/* SPDX-License-Identifier: MIT
 * Progress tokens of clients: a request has one, and its notifications carry the same one back. A token is stored as
 * text with a NUL, length and kind. QUASH_NONE: there is none. */
#ifndef QUASH_SRC_TOKEN_H
#define QUASH_SRC_TOKEN_H

#include "../json/decimal.h"
#include "../json/value.h"

/* What MCP and LSP take for a token: a string or an integer. */
static inline bool quash_is_token(const quash_value *v)
{
	return quash_value_kind(v) == QUASH_STRING || quash_is_integer(v);
}

/* Copies `v`, a string or a number, and a NUL to `to`. Returns its kind; QUASH_NONE if it is longer than `size`, and
 * then nothing is written. */
static inline uint8_t quash_keep_token(const quash_value *v, char *to, uint8_t size, uint8_t *length)
{
	quash_size count;
	const quash_size from = quash_value_text(v, &count);
	if (count > size)
		return QUASH_NONE;
	for (uint8_t i = 0; i < count; i++)
		to[i] = (char)quash_value_byte(v, (quash_size)(from + i));
	to[count] = '\0';
	*length = (uint8_t)count;
	return (uint8_t)quash_value_kind(v);
}

static inline void quash_put_token(quash_writer *w, uint8_t kind, const char *text, uint8_t length)
{
	if (kind == QUASH_STRING)
		quash_put_string(w, text, length);
	else
		quash_put_raw(w, text);
}

#endif
