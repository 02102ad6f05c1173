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

static bool absent(quash_value value)
{
	return quash_kind_of(value) == QUASH_NONE;
}

static void put_type(quash_writer *w, const char *name)
{
	quash_put_key(w, "type");
	quash_put_text(w, name);
}

/* The key of a default that is to be put next, if there is one to tell of. */
static bool has_default(quash_writer *w, const quash_param *param)
{
	if (param->optional)
		quash_put_key(w, "default");
	return param->optional;
}

/* --- Integers */

static quash_param_fault read_integer(const quash_param *param, quash_value value, int32_t *to)
{
	int32_t number;
	if (quash_int32(value, &number) != QUASH_NUMBER_OK || number < param->min || number > param->max)
		return QUASH_PARAM_WRONG;
	*to = number;
	return QUASH_PARAM_FITS;
}

static void put_integer_schema(quash_writer *w, const quash_param *param)
{
	put_type(w, "integer");
	quash_put_key(w, "minimum");
	quash_put_int(w, param->min);
	quash_put_key(w, "maximum");
	quash_put_int(w, param->max);
}

static void put_bounds(quash_writer *w, const quash_param *param)
{
	quash_put_string_text(w, " from ");
	quash_put_string_int(w, param->min);
	quash_put_string_text(w, " to ");
	quash_put_string_int(w, param->max);
}

static quash_param_fault read_int(const quash_param *param, quash_value value, void *target)
{
	int32_t *const to = field(param, target);
	if (!absent(value))
		return read_integer(param, value, to);
	*to = param->fallback;
	return QUASH_PARAM_FITS;
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

const quash_param_type quash_param_int = { read_int, int_schema, put_int, int_rule, false };

/* --- Booleans */

static quash_param_fault read_bool(const quash_param *param, quash_value value, void *target)
{
	const quash_kind kind = quash_kind_of(value);
	if (kind != QUASH_TRUE && kind != QUASH_FALSE && kind != QUASH_NONE)
		return QUASH_PARAM_WRONG;
	*(bool *)field(param, target) = kind == QUASH_NONE ? param->fallback != 0 : kind == QUASH_TRUE;
	return QUASH_PARAM_FITS;
}

static void bool_schema(quash_writer *w, const quash_param *param)
{
	put_type(w, "boolean");
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

const quash_param_type quash_param_bool = { read_bool, bool_schema, put_bool, bool_rule, false };

/* --- Enums */

static const char *const *names_of(const quash_param *param)
{
	return param->detail;
}

/* The name of an index, NULL if it has none. */
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
	uint8_t *const to = field(param, target);
	*to = (uint8_t)param->fallback;
	if (absent(value))
		return QUASH_PARAM_FITS;
	for (uint8_t i = 0; i < UINT8_MAX && names[i] != NULL; i++) {
		if (quash_is(value, names[i])) {
			*to = i;
			return QUASH_PARAM_FITS;
		}
	}
	return QUASH_PARAM_WRONG;
}

static void enum_schema(quash_writer *w, const quash_param *param)
{
	const char *const *const names = names_of(param);
	put_type(w, "string");
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

const quash_param_type quash_param_enum = { read_enum, enum_schema, put_enum, enum_rule, false };

/* --- Arrays of integers */

static quash_param_fault read_ints(const quash_param *param, quash_value value, void *target)
{
	int32_t *const to = field(param, target);
	uint8_t *const count = (uint8_t *)target + param->count_offset;
	quash_value cursor = { NULL, 0, 0 }, element;
	uint8_t n = 0;
	*count = 0;
	if (!absent(value) && quash_kind_of(value) != QUASH_ARRAY)
		return QUASH_PARAM_WRONG;
	for (; quash_next(value, &cursor, NULL, &element); n++) {
		if (n >= param->size || n == UINT8_MAX ||
			read_integer(param, element, &to[n]) != QUASH_PARAM_FITS)
			return QUASH_PARAM_WRONG;
	}
	*count = n;
	return QUASH_PARAM_FITS;
}

static void ints_schema(quash_writer *w, const quash_param *param)
{
	put_type(w, "array");
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

const quash_param_type quash_param_ints = { read_ints, ints_schema, put_ints, ints_rule, false };
