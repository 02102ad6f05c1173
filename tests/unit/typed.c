/* SPDX-License-Identifier: MIT */
#include "typed.h"

#include <stdio.h>

#include "values.h"

void typed_fits(const quash_params *table, const char *params, void *target, const char *put)
{
	quash_param_error error;
	memset(target, TYPED_FILL, table->size);
	assert_true(quash_read_params(table, value_of(params), NULL, NULL));
	assert_true(quash_read_params(table, value_of(params), target, &error));
	quash_put_struct(fresh_writer(), table, target);
	assert_string_equal(was_written(), put);
}

void typed_refuses(const quash_params *table, const char *params, const char *words)
{
	quash_param_error error;
	assert_false(quash_read_params(table, value_of(params), NULL, NULL));
	assert_false(quash_read_params(table, value_of(params), NULL, &error));
	quash_put_param_error_(fresh_writer(), &error);
	assert_string_equal(was_written(), words);
}

void typed_refuses_all(const quash_params *table, const char *const *values, size_t count, const char *words)
{
	char params[ROOM_FOR(1000)];
	for (size_t i = 0; i < count; i++) {
		assert_room(snprintf(params, sizeof params, "{'%s':%s}", table->list[0].name, values[i]) < (int)sizeof params);
		typed_refuses(table, params, words);
	}
}

void typed_schema(const quash_params *table, const char *members, bool required)
{
	char schema[ROOM_FOR(4000)];
	const char *const name = table->list[0].name;
	assert_room(snprintf(schema, sizeof schema, "{'type':'object','properties':{'%s':{%s}}%s%s%s}", name, members,
		required ? ",'required':['" : "", required ? name : "", required ? "']" : "") < (int)sizeof schema);
	quash_put_schema(fresh_writer(), table);
	assert_string_equal(was_written(), schema);
}

const char *typed_wrong(const quash_params *table)
{
	quash_fault fault;
	const bool right = quash_params_check(table, &fault);
	assert_int_equal(right, fault.member == NULL);
	return fault.member;
}
