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

quash_param_fault quash_read_all(
	const quash_params *table, const quash_value *params, void *target, quash_param_error *error)
{
	const quash_kind kind = quash_value_kind(params);
	error->param = NULL;
	error->name = "params";
	error->fault = kind == QUASH_OBJECT || kind == QUASH_NONE ? QUASH_PARAM_FITS : QUASH_PARAM_NO_OBJECT;
	for (uint8_t i = 0; i < table->count && error->fault == QUASH_PARAM_FITS; i++) {
		error->param = &table->list[i];
		error->name = error->param->name;
		error->fault = read_one(error->param, params, target);
	}
	return error->fault;
}

bool quash_read_params(const quash_params *table, quash_value params, void *target, quash_param_error *error)
{
	quash_param_error unread;
	return quash_read_all(table, &params, target, error != NULL ? error : &unread) == QUASH_PARAM_FITS;
}

/* --- Arguments that nobody names */

QUASH_INLINED_ static bool is_among(const quash_value *name, const char *const *names)
{
	while (names != NULL && *names != NULL) {
		if (quash_value_is(name, *names++))
			return true;
	}
	return false;
}

static bool is_alike(char a, char b)
{
	return ((a ^ b) & ~('a' - 'A')) == 0;
}

/* One character in so many is the same in names that are alike; or one is a part of the other. */
enum { LEAST_ALIKE = 3 };

/* How many characters two names have in common at their beginnings and at their ends, without regard to case; 0: too
 * few. */
QUASH_OUTLINED_ static size_t likeness(const char *unknown, const char *name)
{
	const size_t n = quash_text_length(unknown), m = quash_text_length(name), least = n < m ? n : m;
	size_t first = 0, last = 0;
	while (first < least && is_alike(unknown[first], quash_rom(&name[first])))
		first++;
	while (last < least && is_alike(unknown[n - 1 - last], quash_rom(&name[m - 1 - last])))
		last++;
	const size_t alike = first + last;
	return alike < least && LEAST_ALIKE * alike < n + m - least ? 0 : alike;
}

static bool is_in_table(const quash_params *table, const quash_value *name)
{
	uint8_t i = 0;
	while (i < table->count && !quash_value_is(name, table->list[i].name))
		i++;
	return i < table->count;
}

/* The error has the name, and the nearest one of the table. */
static quash_param_fault unknown(const quash_params *table, const quash_value *name, quash_param_error *error)
{
	size_t most = 0;
	error->name = quash_value_chars(name);
	error->param = NULL;
	for (uint8_t i = 0; i < table->count; i++) {
		const size_t now = likeness(error->name, table->list[i].name);
		if (now <= most)
			continue;
		most = now;
		error->param = &table->list[i];
	}
	return error->fault = QUASH_PARAM_UNKNOWN;
}

quash_param_fault quash_bind_all(const quash_params *table, const char *const *ignored, const quash_value *params,
	void *target, quash_param_error *error)
{
	quash_value cursor = { NULL, 0, 0 }, key;
	while (quash_value_kind(params) == QUASH_OBJECT && quash_next_node(params, &cursor, &key)) {
		if (!is_in_table(table, &key) && !is_among(&key, table->ignored) && !is_among(&key, ignored) &&
			!quash_value_is(&key, "_meta"))
			return unknown(table, &key, error);
	}
	return quash_read_all(table, params, target, error);
}

bool quash_params_borrow_(const quash_params *table)
{
	uint8_t i = 0;
	while (i < table->count && (table->list[i].type->marks & QUASH_PARAM_IN_PARAMS) == 0)
		i++;
	return i < table->count;
}

/* --- Texts of errors */

void quash_put_param_error_(quash_writer *w, const quash_param_error *error)
{
	static const char *const QUASH_FLASH words[] = { "", ": is required", ": must be ", ": must not contain a NUL",
		": must be an object", ": is unknown" };
	quash_put_string_open(w);
	quash_put_string_text(w, error->name);
	quash_put_string_text(w, words[error->fault]);
	if (error->fault == QUASH_PARAM_WRONG)
		error->param->type->rule(w, error->param);
	if (error->fault == QUASH_PARAM_UNKNOWN && error->param != NULL) {
		quash_put_string_text(w, ", try ");
		quash_put_string_text(w, error->param->name);
	}
	quash_put_string_close(w);
}

void quash_put_unfit(
	quash_writer *w, const quash_params *table, const char *const *ignored, const quash_value *params)
{
	quash_param_error error;
	(void)quash_bind_all(table, ignored, params, NULL, &error);
	quash_put_param_error_(w, &error);
}

/* --- Params of plain handlers */

void quash_put_params_error_(quash_writer *w, const quash_params *table, quash_value params)
{
	quash_put_unfit(w, table, NULL, &params);
}

/* The table that the params are bound by stands where the answer will be recorded. */
int32_t quash_bind(quash_request *request, const quash_params *table)
{
	void *const target = quash_state(request, table->size);
	if (quash_table_of_(request) == table)
		return QUASH_DONE;
	if (target == NULL && table->size > 0)
		return QUASH_INTERNAL_ERROR;
	const quash_value params = quash_params_of(request);
	quash_param_error error;
	if (quash_bind_all(table, NULL, &params, target, &error) != QUASH_PARAM_FITS)
		return QUASH_INVALID_PARAMS;
	request->content.table = table;
	if (!quash_params_borrow_(table))
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
	quash_put_params_error_(w, quash_table_of_(request), quash_params_of(request));
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
	const quash_params *const table = quash_table_of_(request);
	quash_put_struct(w, table, quash_const_state(request, table->size));
}

int32_t quash_reply_struct(quash_request *request, const quash_params *table)
{
	if (quash_const_state(request, table->size) == NULL)
		return QUASH_INTERNAL_ERROR;
	return quash_reply_table_(request, put_state_struct, table);
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

void quash_put_schema_open(quash_writer *w, const quash_params *table)
{
	quash_put_object(w);
	quash_put_member(w, "type", "object");
	quash_put_key(w, "properties");
	quash_put_object(w);
	for (uint8_t i = 0; i < table->count; i++)
		put_property(w, &table->list[i]);
	quash_put_end(w);
	put_required(w, table);
}

void quash_put_schema(quash_writer *w, const quash_params *table)
{
	quash_put_schema_open(w, table);
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
