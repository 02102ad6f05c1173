/* SPDX-License-Identifier: MIT
 * Tables of arguments, checked before they are used: any names, types, sizes, places, ranges and defaults. Either one thing is wrong that
 * reading relies on, and all else is anything: then the table is refused. Or it is accepted: then none of that is wrong.
 *
 * Its writer's part is taken for granted: the array is as long as the count says, texts end, and a detail is what its type reads. */
/* Frama-C knows no _Generic. */
#undef __STDC_VERSION__
#define __STDC_VERSION__ 199901L

#include "any.h"
#include "quash.h"
#include "quash/params.h"

enum { PARAMS = 2, WRONGS = 10, TYPES = 7 };

static quash_param list[PARAMS];
static const char *const modes[] = { "a", "slow", NULL };
static quash_range range;

static const quash_param_type *const types[TYPES] = { &quash_param_int, &quash_param_bool, &quash_param_enum, &quash_param_text,
	&quash_param_string, &quash_param_ints, &quash_param_number };

static const char *any_name(void)
{
	switch (Frama_C_interval(0, 3)) {
	case 0: return NULL;
	case 1: return "";
	case 2: return "a";
	default: return "steps";
	}
}

static const void *detail_of(const quash_param_type *type)
{
	if (type == &quash_param_enum)
		return modes;
	if (type == &quash_param_number)
		return &range;
	return type == &quash_param_text ? "abc" : NULL;
}

static void be_any(quash_param *param, const quash_param_type *type)
{
	param->name = any_name();
	param->description = NULL;
	param->type = any_bool() ? type : NULL;
	param->detail = any_bool() ? detail_of(type) : NULL;
	param->min = any_int();
	param->max = any_int();
	param->fallback = any_int();
	param->offset = (quash_size)any_uint();
	param->count_offset = (quash_size)any_uint();
	param->size = (quash_size)any_uint();
	param->optional = any_bool();
}

/* One thing is wrong with it, if its type has that. */
static bool spoil(quash_param *param, const quash_param_type *type, int which)
{
	const bool placed = type != &quash_param_string;
	param->type = type;
	switch (which) {
	case 0: param->name = NULL; return true;
	case 1: param->name = ""; return true;
	case 2: param->type = NULL; return true;
	case 3: param->detail = NULL; return type == &quash_param_enum || type == &quash_param_number;
	case 4: param->size = 0; return type == &quash_param_text || type == &quash_param_ints;
	case 5: param->offset = (quash_size)-1; return placed;
	case 6: param->count_offset = (quash_size)-1; return placed;
	case 7: param->min = 1; param->max = Frama_C_interval(INT32_MIN, 0); return true;
	case 8: param->optional = true; param->fallback = Frama_C_interval(INT32_MIN, -1); return type == &quash_param_enum;
	default: param->optional = true; param->min = 1; param->fallback = Frama_C_interval(INT32_MIN, 0); return type == &quash_param_int;
	}
}

/* What an accepted table says of each of its arguments. */
static void look(const quash_params *table, const quash_param *param)
{
	const quash_param_type *const type = param->type;
	const char first = param->name[0];
	/*@ assert first != 0; */
	/*@ assert type != \null; */
	(void)quash_params_borrow_(table);
	(void)first;
	(void)type;
}

int main(void)
{
	const int which = Frama_C_interval(0, WRONGS), at = Frama_C_interval(0, PARAMS - 1);
	const int kind = Frama_C_interval(0, TYPES - 1), other = Frama_C_interval(0, TYPES - 1);
	quash_params table = { list, (quash_size)any_uint(), PARAMS, NULL };
	quash_fault fault = { .table = "params" };
	bool wrong = false;
	/*@ split which; */
	/*@ split at; */
	/*@ split kind; */
	/*@ split other; */
	range = (quash_range){ 0.0, 1.0, Frama_C_double_interval(-9.0, 9.0) };
	/*@ loop unroll PARAMS; */
	for (int i = 0; i < PARAMS; i++)
		be_any(&list[i], types[i == at ? kind : other]);
	if (which < WRONGS)
		wrong = spoil(&list[at], types[kind], which);
	else if (any_bool())
		table.list = NULL, wrong = true;
	if (!quash_params_check(&table, &fault)) {
		const char member = fault.member[0];
		(void)member;
		return 1;
	}
	/*@ assert wrong == 0; */
	look(&table, &table.list[at]);
	return 0;
}
