/* SPDX-License-Identifier: MIT
 * What the types of arguments and the profiles share. */
#ifndef QUASH_SRC_PARAMS_INNER_H
#define QUASH_SRC_PARAMS_INNER_H

#include "../../include/quash/params.h"

/* The last member of the object with exactly that name; QUASH_NONE if there is none. */
quash_value quash_member(quash_value object, const char *name);

/* Bytes of a NUL-terminated text for the open string. */
void quash_put_string_text(quash_writer *w, const char *text);

/* A number is put next, inside of the open string. */
void quash_put_string_number(quash_writer *w);

#endif
