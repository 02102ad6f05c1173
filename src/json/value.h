/* SPDX-License-Identifier: MIT
 * How a tape is read, for those who need more than include/quash/json.h offers. */
#ifndef QUASH_SRC_VALUE_H
#define QUASH_SRC_VALUE_H

#include "../../include/quash/json.h"

/* A view of the first node in the tape's bytes [at, at + length) in an arena of `size` bytes. Every view is of one
 * node. */
quash_value quash_value_of(const uint8_t *arena, quash_size size, quash_size at, quash_size length);

/* As quash_kind_of, quash_is, quash_int32 and quash_text, for those that have the view in memory. */
quash_kind quash_value_kind(const quash_value *v);
bool quash_value_is(const quash_value *v, const char *text);
const char *quash_value_chars(const quash_value *v);
quash_number quash_value_int32(const quash_value *v, int32_t *number);

/* The node that follows `cursor`, which is zero at first; `key` is that of a member. False at the end. */
bool quash_next_node(const quash_value *container, quash_value *cursor, quash_value *key);

/* The byte at `i` of the view's arena; 0 outside of the view. */
uint8_t quash_value_byte(const quash_value *v, quash_size i);

/* Where the text of a key, string or number begins, and its length without the NUL. */
quash_size quash_value_text(const quash_value *v, quash_size *length);

#endif
