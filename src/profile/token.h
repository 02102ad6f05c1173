/* SPDX-License-Identifier: MIT
 * Progress tokens of clients: a request has one, and its notifications carry the same one back. A token is stored as text
 * with a NUL, length and kind. QUASH_NONE: there is none. */
#ifndef QUASH_SRC_TOKEN_H
#define QUASH_SRC_TOKEN_H

#include "../json/value.h"

/* What MCP and LSP take for a token: a string or an integer. */
bool quash_is_token(const quash_value *v);

/* Copies a string or a number of up to `size` bytes, and a NUL, to `to`. Returns its kind; QUASH_NONE for anything else,
 * nothing is written then. */
uint8_t quash_keep_token(const quash_value *v, char *to, uint8_t size, uint8_t *length);

void quash_put_token(quash_writer *w, uint8_t kind, const char *text, uint8_t length);

#endif
