/* SPDX-License-Identifier: MIT
 * Texts with values in them, see quash_put_textf. Values may be stored when they are known, and put later. */
#ifndef QUASH_SRC_FORMAT_H
#define QUASH_SRC_FORMAT_H

#include "../../include/quash/json.h"

#include <stdarg.h>

/* Stores the values that the format takes, texts with them. False: they find no room in `size` bytes. */
bool quash_keep_values(const char *format, va_list args, uint8_t *room, size_t size);

/* Puts a string of the format and the values that were stored for it. `...` stands for what found no room, and behind a
 * text that was cut. */
void quash_put_kept_values(quash_writer *w, const char *format, const uint8_t *room, size_t size);

/* Puts a string of the format and these values. */
void quash_put_values(quash_writer *w, const char *format, va_list args);

#endif
