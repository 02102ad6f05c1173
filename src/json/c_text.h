/* SPDX-License-Identifier: MIT
 * Texts that end with NUL and may be literals in flash: compared, put as members. */
#ifndef QUASH_SRC_C_TEXT_H
#define QUASH_SRC_C_TEXT_H

#include "../../include/quash/json.h"

size_t quash_text_length(const char *text);

/* Of texts in a row, each with its NUL: the one that so many stand before. */
const char *quash_text_at(const char *texts, unsigned before);

bool quash_same_text(const char *a, const char *b);

/* True if one of the entries begins with the text. Each is a struct of `size` bytes whose first member is a text. */
bool quash_is_listed(const char *text, const void *entries, size_t size, uint8_t count);

/* A member that is a text. The second one puts nothing for NULL. */
void quash_put_member(quash_writer *w, const char *key, const char *text);
void quash_put_optional(quash_writer *w, const char *key, const char *text);

#endif
