/* SPDX-License-Identifier: MIT */
#include "token.h"

#include "../json/decimal.h"
#include "../json/rom.h"

enum { KIND, LENGTH, TEXT };

static bool may_be_token(quash_value token)
{
	return quash_kind_of(token) == QUASH_STRING || quash_is_integer(&token);
}

static void keep(uint8_t *cell, uint8_t size, quash_kind kind, const char *text, size_t length)
{
	if (length > size)
		return;
	for (size_t i = 0; i < length; i++)
		cell[TEXT + i] = (uint8_t)quash_rom(&text[i]);
	cell[TEXT + length] = '\0';
	cell[KIND] = (uint8_t)kind;
	cell[LENGTH] = (uint8_t)length;
}

void quash_token_set(uint8_t *cell, uint8_t size, const char *text, size_t length)
{
	keep(cell, size, QUASH_STRING, text, length);
}

void quash_token_keep(uint8_t *cell, uint8_t size, quash_value token)
{
	if (may_be_token(token))
		keep(cell, size, quash_kind_of(token), quash_text(token), quash_length(token));
}

void quash_token_clear(uint8_t *cell)
{
	cell[KIND] = QUASH_NONE;
}

bool quash_token_any(const uint8_t *cell)
{
	return cell[KIND] != QUASH_NONE;
}

bool quash_token_is(const uint8_t *cell, quash_value token)
{
	const char *const text = quash_text(token);
	size_t i = 0;
	if (!quash_token_any(cell) || cell[KIND] != quash_kind_of(token) || cell[LENGTH] != quash_length(token))
		return false;
	while (i < cell[LENGTH] && cell[TEXT + i] == (uint8_t)text[i])
		i++;
	return i == cell[LENGTH];
}

void quash_token_put(quash_writer *w, const uint8_t *cell)
{
	const char *const text = (const char *)&cell[TEXT];
	if (cell[KIND] == QUASH_STRING)
		quash_put_string(w, text, cell[LENGTH]);
	else
		quash_put_raw(w, text);
}
