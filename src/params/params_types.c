/* SPDX-License-Identifier: MIT */
#include "params_inner.h"

static void *field(const quash_param *param, void *target)
{
	return (uint8_t *)target + param->offset;
}

static const void *constant_field(const quash_param *param, const void *source)
{
	return (const uint8_t *)source + param->offset;
}

static bool absent(const quash_value *value)
{
	return quash_value_kind(value) == QUASH_NONE;
}

/* True: the key is put, and the value of the default comes next. */
static bool has_default(quash_writer *w, const quash_param *param)
{
	if (param->optional)
		quash_put_key(w, "default");
	return param->optional;
}

/* --- Integers */

QUASH_INLINED_ static quash_param_fault read_integer(const quash_param *param, const quash_value *value, int32_t *to)
{
	int32_t number = param->fallback;
	if (!absent(value) && quash_value_int32(value, &number) != QUASH_NUMBER_OK)
		return QUASH_PARAM_WRONG;
	if (number < param->min || number > param->max)
		return QUASH_PARAM_WRONG;
	if (to != NULL)
		*to = number;
	return QUASH_PARAM_FITS;
}

QUASH_INLINED_ static void put_integer_schema(quash_writer *w, const quash_param *param)
{
	quash_put_member(w, "type", "integer");
	quash_put_key(w, "minimum");
	quash_put_int(w, param->min);
	quash_put_key(w, "maximum");
	quash_put_int(w, param->max);
}

QUASH_INLINED_ static void put_bounds(quash_writer *w, const quash_param *param)
{
	quash_put_string_text(w, " from ");
	quash_put_string_int(w, param->min);
	quash_put_string_text(w, " to ");
	quash_put_string_int(w, param->max);
}

static quash_param_fault read_int(const quash_param *param, quash_value value, void *target)
{
	return read_integer(param, &value, target != NULL ? field(param, target) : NULL);
}

static void int_schema(quash_writer *w, const quash_param *param)
{
	put_integer_schema(w, param);
	if (has_default(w, param))
		quash_put_int(w, param->fallback);
}

static void put_int(quash_writer *w, const quash_param *param, const void *source)
{
	quash_put_int(w, *(const int32_t *)constant_field(param, source));
}

static void int_rule(quash_writer *w, const quash_param *param)
{
	quash_put_string_text(w, "an integer");
	put_bounds(w, param);
}

const quash_param_type quash_param_int = { read_int, int_schema, put_int, int_rule, 0 };

/* --- Booleans */

static quash_param_fault read_bool(const quash_param *param, quash_value value, void *target)
{
	const quash_kind kind = quash_value_kind(&value);
	if (kind != QUASH_TRUE && kind != QUASH_FALSE && kind != QUASH_NONE)
		return QUASH_PARAM_WRONG;
	if (target != NULL)
		*(bool *)field(param, target) = kind == QUASH_NONE ? param->fallback != 0 : kind == QUASH_TRUE;
	return QUASH_PARAM_FITS;
}

static void bool_schema(quash_writer *w, const quash_param *param)
{
	quash_put_member(w, "type", "boolean");
	if (has_default(w, param))
		quash_put_bool(w, param->fallback != 0);
}

static void put_bool(quash_writer *w, const quash_param *param, const void *source)
{
	quash_put_bool(w, *(const bool *)constant_field(param, source));
}

static void bool_rule(quash_writer *w, const quash_param *param)
{
	(void)param;
	quash_put_string_text(w, "true or false");
}

const quash_param_type quash_param_bool = { read_bool, bool_schema, put_bool, bool_rule, 0 };

/* --- Enums */

static const char *const *names_of(const quash_param *param)
{
	return param->detail;
}

/* NULL: the index is none of an enum. */
static const char *choice_at(const quash_param *param, int32_t index)
{
	const char *const *const names = names_of(param);
	int32_t i = 0;
	while (i < index && names[i] != NULL)
		i++;
	return names[i];
}

static quash_param_fault read_enum(const quash_param *param, quash_value value, void *target)
{
	const char *const *const names = names_of(param);
	const bool fallback = absent(&value);
	uint8_t i = 0;
	while (i < UINT8_MAX && names[i] != NULL && !(fallback ? i == param->fallback : quash_is(value, names[i])))
		i++;
	if (i == UINT8_MAX || names[i] == NULL)
		return QUASH_PARAM_WRONG;
	if (target != NULL)
		*(uint8_t *)field(param, target) = i;
	return QUASH_PARAM_FITS;
}

static void enum_schema(quash_writer *w, const quash_param *param)
{
	const char *const *const names = names_of(param);
	quash_put_member(w, "type", "string");
	quash_put_key(w, "enum");
	quash_put_array(w);
	for (uint8_t i = 0; i < UINT8_MAX && names[i] != NULL; i++)
		quash_put_text(w, names[i]);
	quash_put_end(w);
	if (has_default(w, param))
		quash_put_text(w, names[param->fallback]);
}

static void put_enum(quash_writer *w, const quash_param *param, const void *source)
{
	const char *const name = choice_at(param, *(const uint8_t *)constant_field(param, source));
	if (name != NULL)
		quash_put_text(w, name);
	else
		quash_put_null(w);
}

static void enum_rule(quash_writer *w, const quash_param *param)
{
	const char *const *const names = names_of(param);
	quash_put_string_text(w, "one of ");
	for (uint8_t i = 0; i < UINT8_MAX && names[i] != NULL; i++) {
		if (i > 0)
			quash_put_string_text(w, ", ");
		quash_put_string_text(w, names[i]);
	}
}

const quash_param_type quash_param_enum = { read_enum, enum_schema, put_enum, enum_rule,
	QUASH_PARAM_NEEDS_DETAIL };

/* --- Arrays of integers */

static quash_param_fault read_ints(const quash_param *param, quash_value value, void *target)
{
	int32_t *const to = target != NULL ? field(param, target) : NULL;
	quash_value cursor = { NULL, 0, 0 }, element;
	uint8_t n = 0;
	if (!absent(&value) && quash_value_kind(&value) != QUASH_ARRAY)
		return QUASH_PARAM_WRONG;
	for (; quash_next(value, &cursor, NULL, &element); n++) {
		if (n >= param->size || n == UINT8_MAX ||
			read_integer(param, &element, to != NULL ? &to[n] : NULL) != QUASH_PARAM_FITS)
			return QUASH_PARAM_WRONG;
	}
	if (target != NULL)
		((uint8_t *)target)[param->count_offset] = n;
	return QUASH_PARAM_FITS;
}

static void ints_schema(quash_writer *w, const quash_param *param)
{
	quash_put_member(w, "type", "array");
	quash_put_key(w, "items");
	quash_put_object(w);
	put_integer_schema(w, param);
	quash_put_end(w);
	quash_put_key(w, "maxItems");
	quash_put_uint(w, param->size);
}

static void put_ints(quash_writer *w, const quash_param *param, const void *source)
{
	const int32_t *const from = constant_field(param, source);
	const uint8_t count = ((const uint8_t *)source)[param->count_offset];
	quash_put_array(w);
	for (uint8_t i = 0; i < count && i < param->size; i++)
		quash_put_int(w, from[i]);
	quash_put_end(w);
}

static void ints_rule(quash_writer *w, const quash_param *param)
{
	quash_put_string_text(w, "an array of at most ");
	quash_put_string_int(w, (int32_t)param->size);
	quash_put_string_text(w, " integers");
	put_bounds(w, param);
}

const quash_param_type quash_param_ints = { read_ints, ints_schema, put_ints, ints_rule,
	QUASH_PARAM_NEEDS_SIZE };
