/* SPDX-License-Identifier: MIT
 * The words of a value of settings. JSON and TOML write them alike, but for what one of them lacks. */
#ifndef BRIDGE_WORDS_H
#define BRIDGE_WORDS_H

#include <stddef.h>

/** Decodes what stands between quotes that allow escapes, all of them valid. What it writes is never longer, and has no NUL behind
 * it. Returns its length. */
size_t words_decode(char *to, const char *inside, size_t length);

/** The next string of a value, which is one or a list of them, and has been read by its format. The caller frees it. NULL: there
 * is none, or no memory. */
char *words_next(const char **value);

#endif
