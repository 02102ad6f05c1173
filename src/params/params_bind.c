/* SPDX-License-Identifier: MIT
 * Params of plain handlers. */
#include "params_inner.h"

/* Until an answer is recorded its place holds the table that the params are bound by. */
static bool is_bound(const quash_request *request, const quash_params *table)
{
	return quash_table_of(request) == table;
}

int32_t quash_bind(quash_request *request, const quash_params *table)
{
	void *const target = quash_state(request, table->size);
	if (is_bound(request, table))
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
