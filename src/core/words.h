/* SPDX-License-Identifier: MIT
 * The words of errors. */
#ifndef QUASH_SRC_WORDS_H
#define QUASH_SRC_WORDS_H

#include "../../include/quash/dialect.h"

/* The message of an error with that code. */
const char *quash_words(const quash_dialect *dialect, int32_t code);

#endif
