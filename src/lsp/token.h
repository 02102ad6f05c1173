/* SPDX-License-Identifier: MIT
 * Progress tokens of clients, kept in cells: kind, length, text, NUL. A cell of zeros holds none. */
#ifndef QUASH_SRC_TOKEN_H
#define QUASH_SRC_TOKEN_H

#include "../../include/quash/json.h"

/* Bytes of a cell beside those of the longest token. */
enum { TOKEN_EXTRA = 3 };

/* Keeps the text as a string, or nothing if it is longer than `size` bytes. */
void quash_token_set(uint8_t *cell, uint8_t size, const char *text, size_t length);

void quash_token_clear(uint8_t *cell);

/* Keeps a string or an integer of up to `size` bytes, and nothing of anything else. */
void quash_token_keep(uint8_t *cell, uint8_t size, quash_value token);

bool quash_token_any(const uint8_t *cell);

/* Whether the cell holds that token: type and text. */
bool quash_token_is(const uint8_t *cell, quash_value token);

/* Puts the token as it came. */
void quash_token_put(quash_writer *w, const uint8_t *cell);

#endif
