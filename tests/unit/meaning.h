/* SPDX-License-Identifier: MIT
 * What a text means, in writing: containers as they are, k<...> for a name, s<...> for a string, n<...> for a
 * number, t f z for true, false and null, ^ where it is too deep, ! where it is broken; then = if it is
 * complete.
 * A wrong byte may be taken for the beginning of a number before it is found to be none. */
#ifndef QUASH_TESTS_MEANING_H
#define QUASH_TESTS_MEANING_H

#include "unit.h"

#include "quash/lex.h"

/* What is written, so far. */
extern char written[UNIT_TEXT];
extern size_t written_length;

/* The room that the lexer has for text. Where it has filled it stands |, if `parted` is set. */
enum { TEXT_SIZE_MOST = 64 };
extern quash_size text_size;
extern bool parted;

/* Begins anew; reads one piece: false once it is broken. */
void begin(quash_lex *lex);
bool read_piece(quash_lex *lex, const uint8_t *piece, size_t n);

/* The meaning of a text; of one that comes in pieces of `size` bytes. */
const char *meaning(const char *text);
const char *in_pieces(const char *text, size_t n, size_t size);
#define MEANS(text, expected) assert_string_equal(meaning(text), expected)

/* The text means the same however it is cut. */
void cut_everywhere(const char *text, size_t n);

/* It is JSON. */
bool accepted(const char *text, size_t n);

#endif
