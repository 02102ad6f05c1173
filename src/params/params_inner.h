/* SPDX-License-Identifier: MIT
 * What the types of arguments and the profiles share. */
#ifndef QUASH_SRC_PARAMS_INNER_H
#define QUASH_SRC_PARAMS_INNER_H

#include "../../include/quash/params.h"
#include "../json/c_text.h"
#include "../json/value.h"

/* The same as quash_read_params and quash_put_params_error, without a copy of the value. */
quash_param_error quash_read_all(const quash_params *table, const quash_value *params, void *target);
void quash_put_unfit(quash_writer *w, const quash_params *table, const quash_value *params);

/* Bytes of a NUL-terminated text for the open string. */
void quash_put_string_text(quash_writer *w, const char *text);

#endif
