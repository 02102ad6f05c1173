/* SPDX-License-Identifier: MIT
 * The words of errors: the only place where they stand. */
#ifndef QUASH_SRC_WORDS_H
#define QUASH_SRC_WORDS_H

#include "../json/writer.h"

/* Puts the message of an error with that code. */
void quash_put_words(quash_writer *w, int32_t code);

#endif
