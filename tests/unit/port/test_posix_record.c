/* SPDX-License-Identifier: MIT
 * boards/host/common/record.h: what is written is read again, and what was never written is found wrong. */
#include "unit.h"

#include "record.h"

static struct span rest;
static struct record_entry entry;
static bool wrong;

static void begin(const char *text)
{
	rest = span_of(text);
	wrong = false;
}

static void assert_text(struct span span, const char *text)
{
	assert_true(span_same(span, span_of(text)));
}

static void assert_entry(uint32_t ms, const char *device, enum record_way way, const char *text)
{
	assert_true(record_take(&rest, &entry, &wrong));
	assert_int_equal(entry.ms, ms);
	assert_text(entry.device, device);
	assert_int_equal(entry.way, way);
	assert_text(entry.text, text);
}

static void what_is_written_is_read(void **state)
{
	struct builder made = build_begin(&heap_standard);
	(void)state;
	record_put_head(&made, "mcp");
	record_put(&made, &(struct record_entry){ 0, RECORD_NOTE, span_of("a"), span_of("connected") });
	record_put(&made, &(struct record_entry){ UINT32_MAX, RECORD_TO, span_of("a-b"), { "{\n\"a\":\r\n1}\n", 11 } });
	record_put(&made, &(struct record_entry){ 7, RECORD_FROM, span_of("a"), span_of("") });
	char *const text = build_end(&made);
	assert_string_equal(text, "# quash-bridge record 1 mcp\n0 a ! connected\n4294967295 a-b > { \"a\":  1} \n7 a <\n");
	begin(text);
	assert_text(record_take_head(&rest), "mcp");
	assert_entry(0, "a", RECORD_NOTE, "connected");
	assert_entry(UINT32_MAX, "a-b", RECORD_TO, "{ \"a\":  1} ");
	assert_entry(7, "a", RECORD_FROM, "");
	assert_false(record_take(&rest, &entry, &wrong));
	assert_false(wrong);
	heap_free(&heap_standard, text);
}

static void comments_and_a_line_without_its_end_are_passed_over(void **state)
{
	(void)state;
	begin("\n# a\n1 a > {}\n2 a > {");
	assert_entry(1, "a", RECORD_TO, "{}");
	assert_false(record_take(&rest, &entry, &wrong));
	assert_false(wrong);
}

static void other_texts_are_none(void **state)
{
	static const char *const heads[] = { "", "# quash-bridge record 1 mcp", "# quash-bridge record 2 mcp\n", "{}\n" };
	static const char *const lines[] = { "a\n", "1 a\n", "1 a >> {}\n", "1 a x {}\n", "-1 a > {}\n", " a > {}\n", "1x a > {}\n", "1  \n" };
	(void)state;
	for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
		begin(heads[i]);
		assert_null(record_take_head(&rest).at);
	}
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		begin(lines[i]);
		assert_false(record_take(&rest, &entry, &wrong));
		assert_true(wrong);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(comments_and_a_line_without_its_end_are_passed_over),
		cmocka_unit_test(other_texts_are_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
