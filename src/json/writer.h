/* SPDX-License-Identifier: MIT
 * The writer's inner side: what only the library may put. */
#ifndef QUASH_SRC_WRITER_H
#define QUASH_SRC_WRITER_H

#include "../../include/quash/json.h"

/* One byte of the message, as it is. */
void quash_put_byte(quash_writer *w, uint8_t c);

/* Bytes of a NUL-terminated text, as they are. */
void quash_put_plain(quash_writer *w, const char *text);

/* The raw text of a member's name and colon, or of any beginning that must be followed by a value. */
void quash_put_head(quash_writer *w, const char *text);

/* Closes every open container and makes up for a value that was not put. */
void quash_put_ends(quash_writer *w);

/* A comma if one is due; a value follows. */
void quash_put_comma(quash_writer *w);

/* One byte of a string, escaped if need be. */
void quash_put_escaped(quash_writer *w, uint8_t c);

/* The running sum over a message's bytes. */
uint16_t quash_sum(uint16_t sum, uint8_t c);

/* Says whether the innermost container is an object. */
bool quash_writer_in_object(const quash_writer *w);

#endif
