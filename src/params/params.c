/* SPDX-License-Identifier: MIT */
#include "params_inner.h"

#include "../json/rom.h"

static quash_param_fault read_one(const quash_param *param, const quash_value *params, void *target)
{
	const quash_value value = quash_member(*params, param->name);
	if (quash_value_kind(&value) == QUASH_NONE && !param->optional)
		return QUASH_PARAM_MISSING;
	return param->type->read(param, value, target);
}

quash_param_error quash_read_all(const quash_params *table, const quash_value *params, void *target)
{
	quash_param_error error = { NULL, QUASH_PARAM_FITS };
	const quash_kind kind = quash_value_kind(params);
	if (kind != QUASH_OBJECT && kind != QUASH_NONE)
		error.fault = QUASH_PARAM_NO_OBJECT;
	for (uint8_t i = 0; i < table->count && error.fault == QUASH_PARAM_FITS; i++) {
		error.param = &table->list[i];
		error.fault = read_one(error.param, params, target);
	}
	return error;
}

bool quash_read_params(const quash_params *table, quash_value params, void *target, quash_param_error *error)
{
	const quash_param_error found = quash_read_all(table, &params, target);
	if (error != NULL)
		*error = found;
	return found.fault == QUASH_PARAM_FITS;
}

bool quash_params_borrow(const quash_params *table)
{
	uint8_t i = 0;
	while (i < table->count && (table->list[i].type->marks & QUASH_PARAM_IN_PARAMS) == 0)
		i++;
	return i < table->count;
}

/* --- Words */

void quash_put_string_text(quash_writer *w, const char *text)
{
	size_t length = 0;
	while (quash_rom(&text[length]) != '\0')
		length++;
	quash_put_string_part(w, text, length);
}

static void put_param_fault(quash_writer *w, const quash_param_error *error)
{
	switch (error->fault) {
	case QUASH_PARAM_FITS: break;
	case QUASH_PARAM_MISSING: quash_put_string_text(w, "is required"); break;
	case QUASH_PARAM_NUL: quash_put_string_text(w, "must not contain a NUL"); break;
	case QUASH_PARAM_NO_OBJECT: quash_put_string_text(w, "must be an object"); break;
	case QUASH_PARAM_WRONG:
		quash_put_string_text(w, "must be ");
		error->param->type->rule(w, error->param);
		break;
	}
}

void quash_put_param_error(quash_writer *w, const quash_param_error *error)
{
	quash_put_string_open(w);
	quash_put_string_text(w, error->param != NULL ? error->param->name : "params");
	quash_put_string_text(w, ": ");
	put_param_fault(w, error);
	quash_put_string_close(w);
}

void quash_put_unfit(quash_writer *w, const quash_params *table, const quash_value *params)
{
	const quash_param_error error = quash_read_all(table, params, NULL);
	quash_put_param_error(w, &error);
}

void quash_put_params_error(quash_writer *w, const quash_params *table, quash_value params)
{
	quash_put_unfit(w, table, &params);
}
