/* SPDX-License-Identifier: MIT */
#include "params_inner.h"

#include "../core/faults.h"

/* The wrong member, or NULL. */
static const char *wrong_param_member(const quash_params *table, uint8_t index)
{
	static const quash_value none = { NULL, 0, 0 };
	const quash_param *const param = &table->list[index];
	if (param->name == NULL)
		return IS_MISSING "name";
	if (quash_same_text(param->name, ""))
		return IS_NO_NAME "name";
	if (quash_is_listed(param->name, table->list, sizeof *param, index))
		return IS_TWICE "name";
	if (param->type == NULL)
		return IS_MISSING "type";
	if ((param->type->marks & QUASH_PARAM_NEEDS_DETAIL) != 0 && param->detail == NULL)
		return IS_MISSING "detail";
	if ((param->type->marks & QUASH_PARAM_NEEDS_SIZE) != 0 && param->size == 0)
		return IS_MISSING "size";
	if ((param->type->marks & QUASH_PARAM_IN_PARAMS) == 0 &&
		(param->offset >= table->size || param->count_offset >= table->size))
		return IS_OUTSIDE "offset";
	if (param->min > param->max)
		return HAS_NO_RANGE "min";
	return param->optional && param->type->read(param, none, NULL) != QUASH_PARAM_FITS ? HAS_NO_FALLBACK "fallback" : NULL;
}

bool quash_params_check(const quash_params *table, quash_fault *fault)
{
	const char *wrong = table->list == NULL && table->count > 0 ? IS_MISSING "list" : NULL;
	fault->name = NULL;
	fault->index = 0;
	for (uint8_t i = 0; i < table->count && wrong == NULL; i++) {
		fault->name = table->list[i].name;
		fault->index = i;
		wrong = wrong_param_member(table, i);
	}
	return wrong == NULL || !quash_is_fault(fault, wrong, 0, 0);
}
