/* SPDX-License-Identifier: MIT
 * In JSON texts ' stands for ". */
#include "values.h"

#include "json/c_text.h"

static void test_same(void **state)
{
	const char one[] = "stop", other[] = "stop";
	(void)state;
	assert_true(quash_same_text(one, other));
	assert_true(quash_same_text(one, one));
	assert_true(quash_same_text("", ""));
}

static void test_not_the_same(void **state)
{
	(void)state;
	assert_false(quash_same_text("stop", "stops"));
	assert_false(quash_same_text("stops", "stop"));
	assert_false(quash_same_text("stop", "step"));
	assert_false(quash_same_text("", "s"));
	assert_false(quash_same_text("s", ""));
	assert_false(quash_same_text("S", "s"));
}

static void test_members(void **state)
{
	quash_writer *const w = fresh_writer();
	(void)state;
	quash_put_object(w);
	quash_put_member(w, "a", "b\n");
	quash_put_optional(w, "c", NULL);
	quash_put_optional(w, "d", "");
	quash_put_end(w);
	assert_string_equal(was_written(), "{'a':'b\\n','d':''}");
}

static void test_listed(void **state)
{
	static const struct {
		const char *name;
		int other;
	} entries[] = { { "left", 1 }, { "right", 2 }, { "up", 3 } };
	const char up[] = "up";
	(void)state;
	assert_true(quash_is_listed("left", entries, sizeof entries[0], 3));
	assert_true(quash_is_listed(up, entries, sizeof entries[0], 3));
	assert_false(quash_is_listed(up, entries, sizeof entries[0], 2));
	assert_false(quash_is_listed("down", entries, sizeof entries[0], 3));
	assert_false(quash_is_listed("left", entries, sizeof entries[0], 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_not_the_same),
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_listed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
