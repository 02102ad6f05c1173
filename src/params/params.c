/* SPDX-License-Identifier: MIT */
#include "params_inner.h"

#include "../json/rom.h"

quash_value quash_member(quash_value object, const char *name)
{
	quash_value found = { NULL, 0, 0 }, cursor = { NULL, 0, 0 }, key, value;
	while (quash_next(object, &cursor, &key, &value)) {
		if (quash_is(key, name))
			found = value;
	}
	return found;
}

static quash_param_fault read_one(const quash_param *param, quash_value params, void *target)
{
	const quash_value value = quash_member(params, param->name);
	if (quash_kind_of(value) == QUASH_NONE && !param->optional)
		return QUASH_PARAM_MISSING;
	return param->type->read(param, value, target);
}

static quash_param_error read_all(const quash_params *table, quash_value params, void *target)
{
	quash_param_error error = { NULL, QUASH_PARAM_FITS };
	const quash_kind kind = quash_kind_of(params);
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
	const quash_param_error found = read_all(table, params, target);
	if (error != NULL)
		*error = found;
	return found.fault == QUASH_PARAM_FITS;
}

void quash_forget_params(const quash_params *table, void *target)
{
	static const quash_value none = { NULL, 0, 0 };
	for (uint8_t i = 0; i < table->count; i++) {
		void *const field = (uint8_t *)target + table->list[i].offset;
		if (table->list[i].type->borrows)
			*(quash_value *)field = none;
	}
}

/* --- Words */

void quash_put_string_text(quash_writer *w, const char *text)
{
	size_t length = 0;
	while (quash_rom(&text[length]) != '\0')
		length++;
	quash_put_string_part(w, text, length);
}

void quash_put_string_number(quash_writer *w)
{
	w->comma = false;
}

static void put_fault(quash_writer *w, const quash_param_error *error)
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
	put_fault(w, error);
	quash_put_string_close(w);
}

/* --- Plain handlers */

static int32_t bind_params(
	quash_request *request, quash_value params, const quash_params *table, quash_param_error *error)
{
	error->fault = QUASH_PARAM_FITS;
	if (table->size > quash_peer_of(request)->config->state_size)
		return QUASH_INTERNAL_ERROR;
	return quash_read_params(table, params, quash_state(request), error) ? QUASH_DONE
									     : QUASH_INVALID_PARAMS;
}

int32_t quash_bind(quash_request *request, quash_value params, const quash_params *table)
{
	quash_param_error error;
	return bind_params(request, params, table, &error);
}

bool quash_bind_or_answer(
	quash_request *request, quash_value params, const quash_params *table, int32_t *code)
{
	quash_param_error error;
	*code = bind_params(request, params, table, &error);
	if (*code == QUASH_INVALID_PARAMS) {
		quash_put_param_error(quash_error_reply(request, *code, "Invalid params"), &error);
		*code = quash_send(request);
		return false;
	}
	return *code == QUASH_DONE;
}
