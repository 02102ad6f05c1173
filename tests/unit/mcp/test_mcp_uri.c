/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include "mcp/mcp_uri.h"

static void test_fits(void **state)
{
	static const struct {
		const char *pattern, *uri, *value; /* of `x`, NULL: none */
		bool fits;
	} cases[] = {
		{ "", "", NULL, true },
		{ "a:b", "a:b", NULL, true },
		{ "a:b", "a:bc", NULL, false },
		{ "a:b", "a:", NULL, false },
		{ "a:{x}", "a:1", "1", true },
		{ "a:{x}", "a:", NULL, false },
		{ "a:{x}", "a:1/2", NULL, false },
		{ "a:{x}/c", "a:1/c", "1", true },
		{ "a:{x}/c", "a:1/d", NULL, false },
		{ "a:{x}/c", "a:1", NULL, false },
		{ "a:{+x}", "a:1/2/3", "1/2/3", true },
		{ "a:{+x}.log", "a:1/2.log", "1/2", true },
		{ "a:{+x}.log", "a:1.2.log", NULL, false },
		{ "a:{y}-{x}", "a:1-2", "2", true },
		{ "a:{x}-{y}", "a:1-2-3", "1", true },
		{ "a:{xy}", "a:1", NULL, true },
		{ "a:{y}", "a:1", NULL, true },
		{ "a:{x", "a:1", NULL, false },
		{ "{x}", "anything", "anything", true },
	};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct quash_mcp_span value = { NULL, 0 };
		const size_t length = strlen(cases[i].uri);
		assert_int_equal(quash_mcp_fits(cases[i].pattern, cases[i].uri, length, NULL, NULL), cases[i].fits);
		assert_int_equal(quash_mcp_fits(cases[i].pattern, cases[i].uri, length, "x", &value), cases[i].fits);
		if (!cases[i].fits)
			continue;
		assert_int_equal(value.text != NULL, cases[i].value != NULL);
		if (cases[i].value == NULL)
			continue;
		assert_int_equal(value.length, strlen(cases[i].value));
		assert_memory_equal(value.text, cases[i].value, value.length);
	}
}

static void test_nul_never_fits(void **state)
{
	(void)state;
	assert_false(quash_mcp_fits("a:{+x}", "a:1\0002", 5, NULL, NULL));
	assert_false(quash_mcp_fits("a:{x}", "a:\000", 3, NULL, NULL));
	assert_false(quash_mcp_fits("a:", "a:\000", 3, NULL, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fits),
		cmocka_unit_test(test_nul_never_fits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
