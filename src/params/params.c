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

/* --- Texts of errors */

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

/* --- Params of plain handlers */

/* The table that the params are bound by stands where the answer will be recorded. */
int32_t quash_bind(quash_request *request, const quash_params *table)
{
	void *const target = quash_state(request, table->size);
	if (quash_table_of(request) == table)
		return QUASH_DONE;
	if (target == NULL && table->size > 0)
		return QUASH_INTERNAL_ERROR;
	if (!quash_read_params(table, quash_params_of(request), target, NULL))
		return QUASH_INVALID_PARAMS;
	request->content.table = table;
	if (!quash_params_borrow(table))
		quash_release_params(request);
	return QUASH_DONE;
}

static void put_invalid_params(quash_writer *w, const quash_request *request)
{
	quash_put_object(w);
	quash_put_key(w, "code");
	quash_put_int(w, QUASH_INVALID_PARAMS);
	quash_put_key(w, "message");
	quash_put_text(w, "Invalid params");
	quash_put_key(w, "data");
	quash_put_params_error(w, quash_table_of(request), quash_params_of(request));
}

bool quash_bind_or_answer(quash_request *request, const quash_params *table, int32_t *code)
{
	*code = quash_bind(request, table);
	if (*code != QUASH_INVALID_PARAMS)
		return *code == QUASH_DONE;
	request->content.table = table;
	*code = quash_fail_as(request, QUASH_INVALID_PARAMS, put_invalid_params);
	return false;
}

quash_value quash_argument(const quash_request *request, const char *name)
{
	return quash_member(quash_params_of(request), name);
}

static void put_state_struct(quash_writer *w, const quash_request *request)
{
	const quash_params *const table = quash_table_of(request);
	quash_put_struct(w, table, quash_const_state(request, table->size));
}

int32_t quash_reply_struct(quash_request *request, const quash_params *table)
{
	if (quash_const_state(request, table->size) == NULL)
		return QUASH_INTERNAL_ERROR;
	return quash_reply_table(request, put_state_struct, table);
}

/* --- Schemas and structs */

static void put_property(quash_writer *w, const quash_param *param)
{
	quash_put_key(w, param->name);
	quash_put_object(w);
	param->type->schema(w, param);
	quash_put_optional(w, "description", param->description);
	quash_put_end(w);
}

/* Some clients refuse an empty list. */
static void put_required(quash_writer *w, const quash_params *table)
{
	bool any = false;
	for (uint8_t i = 0; i < table->count; i++) {
		if (table->list[i].optional)
			continue;
		if (!any) {
			quash_put_key(w, "required");
			quash_put_array(w);
		}
		any = true;
		quash_put_text(w, table->list[i].name);
	}
	if (any)
		quash_put_end(w);
}

void quash_put_schema(quash_writer *w, const quash_params *table)
{
	quash_put_object(w);
	quash_put_member(w, "type", "object");
	quash_put_key(w, "properties");
	quash_put_object(w);
	for (uint8_t i = 0; i < table->count; i++)
		put_property(w, &table->list[i]);
	quash_put_end(w);
	put_required(w, table);
	quash_put_end(w);
}

void quash_put_struct(quash_writer *w, const quash_params *table, const void *source)
{
	quash_put_object(w);
	for (uint8_t i = 0; i < table->count; i++) {
		const quash_param *const param = &table->list[i];
		if ((param->type->marks & QUASH_PARAM_IN_PARAMS) != 0)
			continue;
		quash_put_key(w, param->name);
		param->type->put(w, param, source);
	}
	quash_put_end(w);
}
