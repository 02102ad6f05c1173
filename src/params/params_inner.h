/* SPDX-License-Identifier: MIT
 * What the types of arguments and the profiles share. */
#ifndef QUASH_SRC_PARAMS_INNER_H
#define QUASH_SRC_PARAMS_INNER_H

#include "../../include/quash/params.h"
#include "../json/c_text.h"
#include "../json/value.h"
#include "../json/writer.h"

/* The same as quash_read_params, without a copy of the value; `error` is not NULL. */
quash_param_fault quash_read_all(
	const quash_params *table, const quash_value *params, void *target, quash_param_error *error);

/* The same, but members that neither the table nor `ignored` names are refused first. */
quash_param_fault quash_bind_all(const quash_params *table, const char *const *ignored, const quash_value *params,
	void *target, quash_param_error *error);

/* Puts what quash_bind_all refuses, a string. */
void quash_put_unfit(
	quash_writer *w, const quash_params *table, const char *const *ignored, const quash_value *params);

/* The same as quash_put_schema, but the object stays open. */
void quash_put_schema_open(quash_writer *w, const quash_params *table);

#endif
