/* SPDX-License-Identifier: MIT
 * Values out of JSON texts, for the tests of what reads them. */
#ifndef QUASH_TESTS_VALUES_H
#define QUASH_TESTS_VALUES_H

#include "unit.h"

#include "quash/json.h"

/* The value of the JSON text, in which ' stands for ". Good until the next call. */
quash_value value_of(const char *json);

/* What the writer makes of the value: JSON, in which ' stands for ". Good until the next call. */
const char *json_of(quash_value value);

/* A writer, and what was written with it since. */
quash_writer *fresh_writer(void);
const char *was_written(void);

#endif
