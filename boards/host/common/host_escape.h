/* SPDX-License-Identifier: MIT
 * The one way for texts of the other side to a terminal, a log, or a JSON text of a program's own. What comes out is UTF-8.
 * Control characters (U+0000 to U+001F, U+007F to U+009F) stand there as in JSON, `\u009b`. So do ends of lines and paragraphs
 * (U+2028, U+2029) and marks that change the direction of writing. */
#ifndef HOST_ESCAPE_H
#define HOST_ESCAPE_H

#include "builder.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum escape_form {
	ESCAPE_LINE,   /* one line of a screen; a byte that is no UTF-8 is `\xff` */
	ESCAPE_LINES,  /* the same, but ends of lines and tabs stay */
	ESCAPE_QUOTED, /* a line within quotes: quotes and backslashes are escaped too */
	ESCAPE_JSON    /* the inside of a JSON string; bytes that are no UTF-8 are U+FFFD */
};

/** The longest form of a character, or of a byte that is part of none. */
enum { ESCAPE_MOST = 6 };

void escape_put(FILE *to, enum escape_form form, const char *text, size_t length);
void escape_build(struct builder *to, enum escape_form form, const char *text, size_t length);

/** Writes as many whole forms as there is room for, and a NUL. `size` is at least 1. Returns the length. */
size_t escape_write(char *to, size_t size, enum escape_form form, const char *text, size_t length);

/** Whether all of it is UTF-8. */
bool escape_is_utf8(const char *text, size_t length);

/** The length of the byte order mark that the text begins with, as some editors and clients write; 0: it has none. */
size_t escape_mark(const char *text, size_t length);

/** The length of the text, at most `most`, that ends where a character does. */
size_t escape_cut(const char *text, size_t length, size_t most);

#endif
