/* SPDX-License-Identifier: MIT */
#include "params_inner.h"

enum { SHOWN_DIGITS = 9 };

static const quash_range *range(const quash_param *param)
{
	return param->detail;
}

static quash_param_fault read_number(const quash_param *param, quash_value value, void *target)
{
	double number = range(param)->fallback;
	if (quash_value_kind(&value) != QUASH_NONE && quash_double(value, &number) != QUASH_NUMBER_OK)
		return QUASH_PARAM_WRONG;
	if (number < range(param)->min || number > range(param)->max)
		return QUASH_PARAM_WRONG;
	if (target != NULL) {
		void *const to = (uint8_t *)target + param->offset;
		*(double *)to = number;
	}
	return QUASH_PARAM_FITS;
}

static void put_limit(quash_writer *w, const char *key, double value)
{
	quash_put_key(w, key);
	quash_put_double(w, value, SHOWN_DIGITS);
}

static void number_schema(quash_writer *w, const quash_param *param)
{
	quash_put_member(w, "type", "number");
	put_limit(w, "minimum", range(param)->min);
	put_limit(w, "maximum", range(param)->max);
	if (param->optional)
		put_limit(w, "default", range(param)->fallback);
}

static void put_number_field(quash_writer *w, const quash_param *param, const void *source)
{
	const void *const from = (const uint8_t *)source + param->offset;
	quash_put_double(w, *(const double *)from, SHOWN_DIGITS);
}

/* For the writer the number is a value of its own. Then the place is that inside of the string again. */
static void put_bound(quash_writer *w, const char *word, double value)
{
	quash_put_string_text(w, word);
	const quash_place inside = w->place;
	w->place.expects = EXPECT_VALUE;
	quash_put_double(w, value, SHOWN_DIGITS);
	w->place = inside;
}

static void number_rule(quash_writer *w, const quash_param *param)
{
	put_bound(w, "a number from ", range(param)->min);
	put_bound(w, " to ", range(param)->max);
}

const quash_param_type quash_param_number = { read_number, number_schema, put_number_field, number_rule,
	QUASH_PARAM_NEEDS_DETAIL };
