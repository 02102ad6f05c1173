/* SPDX-License-Identifier: MIT
 * What a table of one argument makes of a value, and puts of the struct. In JSON texts ' stands for ". */
#ifndef QUASH_TESTS_TYPED_H
#define QUASH_TESTS_TYPED_H

#include "unit.h"

#include "quash/params.h"

/* The table of one argument. */
#define TYPED(s, param) { &(param), sizeof(s), 1, NULL }

/* The params fit, also where nothing is filled. The struct, which was full of TYPED_FILL, is put so. */
enum { TYPED_FILL = 0xEE };
void typed_fits(const quash_params *table, const char *params, void *target, const char *put);

/* They do not, and the error says so. */
void typed_refuses(const quash_params *table, const char *params, const char *words);

/* None of these is a value of the argument. */
void typed_refuses_all(const quash_params *table, const char *const *values, size_t count, const char *words);

/* The schema has that property, whose members these are. */
void typed_schema(const quash_params *table, const char *members, bool required);

/* The member that quash_params_check finds wrong, or NULL. */
const char *typed_wrong(const quash_params *table);

#endif
