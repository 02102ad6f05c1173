/* SPDX-License-Identifier: MIT */
#include "params_inner.h"

#include "../json/rom.h"

static void string_schema(quash_writer *w, const quash_param *param)
{
	(void)param;
	quash_put_member(w, "type", "string");
}

/* --- Texts that are copied into the struct */

static quash_param_fault copy_text(const quash_param *param, const char *text, size_t length, char *to)
{
	quash_size i = 0;
	if (length >= param->size)
		return QUASH_PARAM_WRONG;
	for (; i < length && i < param->size; i++) {
		const char c = quash_rom(&text[i]);
		if (c == '\0')
			return QUASH_PARAM_NUL;
		if (to != NULL)
			to[i] = c;
	}
	if (to != NULL && i < param->size)
		to[i] = '\0';
	return QUASH_PARAM_FITS;
}

static quash_param_fault read_text(const quash_param *param, quash_value value, void *target)
{
	char *const to = target != NULL ? (char *)target + param->offset : NULL;
	const quash_kind kind = quash_value_kind(&value);
	const char *const fallback = param->detail != NULL ? (const char *)param->detail : "";
	if (kind == QUASH_STRING)
		return copy_text(param, quash_text(value), quash_length(value), to);
	if (kind != QUASH_NONE)
		return QUASH_PARAM_WRONG;
	return copy_text(param, fallback, quash_text_length(fallback), to);
}

static void text_schema(quash_writer *w, const quash_param *param)
{
	string_schema(w, param);
	quash_put_key(w, "maxLength");
	quash_put_uint(w, (uint32_t)param->size - 1);
	if (param->optional && param->detail != NULL)
		quash_put_member(w, "default", (const char *)param->detail);
}

static void put_text(quash_writer *w, const quash_param *param, const void *source)
{
	quash_put_text(w, (const char *)source + param->offset);
}

static void text_rule(quash_writer *w, const quash_param *param)
{
	quash_put_string_text(w, "a string of at most ");
	quash_put_string_int(w, (int32_t)param->size - 1);
	quash_put_string_text(w, " bytes");
}

const quash_param_type quash_param_text = { read_text, text_schema, put_text, text_rule, QUASH_PARAM_NEEDS_SIZE };

/* --- Strings that stay in the params */

static quash_param_fault read_string(const quash_param *param, quash_value value, void *target)
{
	const quash_kind kind = quash_value_kind(&value);
	(void)param;
	(void)target;
	return kind == QUASH_STRING || kind == QUASH_NONE ? QUASH_PARAM_FITS : QUASH_PARAM_WRONG;
}

static void string_rule(quash_writer *w, const quash_param *param)
{
	(void)param;
	quash_put_string_text(w, "a string");
}

const quash_param_type quash_param_string = { read_string, string_schema, NULL, string_rule, QUASH_PARAM_IN_PARAMS };
