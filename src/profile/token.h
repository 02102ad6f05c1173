/* SPDX-License-Identifier: MIT
 * Progress tokens of clients: a request brings one, and its notifications carry it back as it came. A kept token is a
 * text with a NUL, its length and its kind; QUASH_NONE: there is none. */
#ifndef QUASH_SRC_TOKEN_H
#define QUASH_SRC_TOKEN_H

#include "../json/value.h"

/* What MCP and LSP take for a token: a string or an integer. */
bool quash_is_token(const quash_value *v);

/* Copies a string or a number of up to `size` bytes, and a NUL, to `to`. Returns its kind; QUASH_NONE for anything else,
 * and then nothing is written. */
uint8_t quash_keep_token(const quash_value *v, char *to, uint8_t size, uint8_t *length);

void quash_put_token(quash_writer *w, uint8_t kind, const char *text, uint8_t length);

#endif
