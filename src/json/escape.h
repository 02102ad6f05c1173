/* SPDX-License-Identifier: MIT
 * Escapes of one letter, for lexer and writer. */
#ifndef QUASH_SRC_ESCAPE_H
#define QUASH_SRC_ESCAPE_H

/* What follows the backslash for the bytes from \b to \r. JSON has no letter for \v: a search finds the first n. */
static const char *const quash_escapes = "btnnfr";

#endif
