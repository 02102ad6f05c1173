/* SPDX-License-Identifier: MIT */
#include "params_inner.h"


/* The wrong member, or NULL. */
static const char *wrong_param_member(const quash_params *table, uint8_t index)
{
	static const quash_value none = { NULL, 0, 0 };
	const quash_param *const param = &table->list[index];
	if (param->name == NULL || quash_same_text(param->name, "") ||
		quash_is_listed(param->name, table->list, sizeof *param, index))
		return "name";
	if (param->type == NULL)
		return "type";
	if ((param->type->marks & QUASH_PARAM_NEEDS_DETAIL) != 0 && param->detail == NULL)
		return "detail";
	if ((param->type->marks & QUASH_PARAM_NEEDS_SIZE) != 0 && param->size == 0)
		return "size";
	if ((param->type->marks & QUASH_PARAM_IN_PARAMS) == 0 &&
		(param->offset >= table->size || param->count_offset >= table->size))
		return "offset";
	if (param->min > param->max)
		return "min";
	return param->optional && param->type->read(param, none, NULL) != QUASH_PARAM_FITS ? "fallback" : NULL;
}

bool quash_params_check(const quash_params *table, quash_fault *fault)
{
	fault->name = NULL;
	fault->reason = QUASH_FAULT_NONE;
	fault->is = fault->needs = 0;
	fault->index = 0;
	fault->member = table->list == NULL && table->count > 0 ? "list" : NULL;
	for (uint8_t i = 0; i < table->count && fault->member == NULL; i++) {
		fault->name = table->list[i].name;
		fault->index = i;
		fault->member = wrong_param_member(table, i);
	}
	return fault->member == NULL;
}
