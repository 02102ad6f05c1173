/* SPDX-License-Identifier: MIT */
#include "params_inner.h"

static void put_property(quash_writer *w, const quash_param *param)
{
	quash_put_key(w, param->name);
	quash_put_object(w);
	param->type->schema(w, param);
	quash_put_optional(w, "description", param->description);
	quash_put_end(w);
}

/* Some readers of schemas refuse an empty list. */
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
