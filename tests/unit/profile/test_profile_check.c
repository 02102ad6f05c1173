/* SPDX-License-Identifier: MIT
 * Faults of tables, and the data of methods. */
#include "unit.h"

#include "profile/profile.h"

static void test_members_of_tables(void **state)
{
	quash_fault fault = { "before", NULL, NULL, 3, 4, 5, QUASH_FAULT_NONE };
	(void)state;
	assert_true(quash_check_member(&fault, "modes", "fast", NULL));
	assert_string_equal(fault.table, "before");
	assert_false(quash_check_member(&fault, "modes", "fast", "id"));
	assert_string_equal(fault.table, "modes");
	assert_string_equal(fault.name, "fast");
	assert_string_equal(fault.member, "id");
	assert_int_equal(fault.index, 0);
	assert_int_equal(fault.is, 0);
	assert_int_equal(fault.needs, 0);
}

static void test_sizes_of_the_config(void **state)
{
	quash_fault fault = { "before", "name", NULL, 3, 4, 5, QUASH_FAULT_NONE };
	(void)state;
	assert_true(quash_check_size(&fault, "state_size", 8, 8));
	assert_string_equal(fault.table, "before");
	assert_false(quash_check_size(&fault, "state_size", 7, 8));
	assert_string_equal(fault.table, "config");
	assert_null(fault.name);
	assert_string_equal(fault.member, "state_size");
	assert_int_equal(fault.index, 0);
	assert_int_equal(fault.is, 7);
	assert_int_equal(fault.needs, 8);
}

static int32_t first_handler(quash_request *request)
{
	return quash_reply_null(request);
}

static int32_t other_handler(quash_request *request)
{
	(void)request;
	return QUASH_INTERNAL_ERROR;
}

static void test_data_of_a_handler(void **state)
{
	static const int data[3];
	static const quash_method methods[] = {
		{ .name = "a", .handler = other_handler, .data = &data[0] },
		{ .name = "b", .handler = first_handler, .data = &data[1] },
		{ .name = "c", .handler = first_handler, .data = &data[2] },
	};
	quash_config config;
	(void)state;
	memset(&config, 0, sizeof config);
	config.methods = methods;
	config.method_count = COUNT_OF(methods);
	assert_ptr_equal(quash_data_of(&config, other_handler), &data[0]);
	assert_ptr_equal(quash_data_of(&config, first_handler), &data[1]);
	config.method_count = 1;
	assert_null(quash_data_of(&config, first_handler));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_members_of_tables),
		cmocka_unit_test(test_sizes_of_the_config),
		cmocka_unit_test(test_data_of_a_handler),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
