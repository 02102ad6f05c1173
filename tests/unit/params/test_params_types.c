/* SPDX-License-Identifier: MIT
 * Types of arguments at their limits. */
#include "unit.h"

#include <stdio.h>

#include "typed.h"
#include "values.h"

enum { MANY = 257, LIST = 300 };

static struct edge {
	uint8_t before;
	char text[8];
	uint8_t after;
	uint8_t mode;
	uint8_t count;
	bool back;
	int32_t steps;
	int32_t list[LIST];
	double gain;
} edge;

static const char *names[MANY + 1]; /* what they count to */
static const char *const modes[] = { "slow", "fast", NULL };
static const quash_range range = { -2, 2, 1.5 };

static const quash_param params[] = {
	QUASH_ARG_ENUM(struct edge, mode, names, NULL),
	QUASH_ARG_TEXT(struct edge, text, NULL),
	QUASH_ARG_INTS_OR(struct edge, list, count, -1, 9, NULL),
	QUASH_ARG_INT_OR(struct edge, steps, -7, 7, 3, NULL),
	QUASH_ARG_BOOL_OR(struct edge, back, true, NULL),
	QUASH_ARG_NUMBER_OR(struct edge, gain, &range, NULL),
	QUASH_ARG_TEXT_OR(struct edge, text, "1234567", NULL),
	QUASH_ARG_ENUM_OR(struct edge, mode, modes, 1, NULL),
};
#define ONLY(param) TYPED(struct edge, param)
static const quash_params tables[] = { ONLY(params[0]), ONLY(params[1]), ONLY(params[2]), ONLY(params[3]), ONLY(params[4]), ONLY(params[5]),
	ONLY(params[6]), ONLY(params[7]) };
enum { MODE, TEXT, INTS, INT, BOOL, NUMBER, TEXT_OR, MODE_OR };

static int set_up(void **state)
{
	static char texts[MANY][4];
	(void)state;
	for (unsigned i = 0; i < MANY; i++) {
		snprintf(texts[i], sizeof texts[i], "%u", i);
		names[i] = texts[i];
	}
	return 0;
}

/* --- Enums */

/* An index fits a byte; names behind 255 of them are not looked at. */
static void test_255_names(void **state)
{
	static char schema[ROOM_FOR(4000)];
	char text[32], *end = schema;
	(void)state;
	end += sprintf(end, "'type':'string','enum':[");
	for (unsigned i = 0; i < MANY; i++) {
		snprintf(text, sizeof text, "{'mode':'%u'}", i);
		if (i < UINT8_MAX) {
			typed_fits(&tables[MODE], text, &edge, text);
			assert_int_equal(edge.mode, i);
			end += sprintf(end, "%s'%u'", i > 0 ? "," : "", i);
		} else {
			assert_false(quash_read_params(&tables[MODE], value_of(text), NULL, NULL));
		}
	}
	strcpy(end, "]");
	typed_schema(&tables[MODE], schema, true);
	end = schema + sprintf(schema, "'mode: must be one of ");
	for (unsigned i = 0; i < UINT8_MAX; i++)
		end += sprintf(end, "%s%u", i > 0 ? ", " : "", i);
	strcpy(end, "'");
	typed_refuses(&tables[MODE], "{'mode':''}", schema);
}

static void test_an_index_of_no_name(void **state)
{
	(void)state;
	for (unsigned i = 2; i <= UINT8_MAX; i++) {
		edge.mode = (uint8_t)i;
		quash_put_struct(fresh_writer(), &tables[MODE_OR], &edge);
		assert_string_equal(was_written(), "{'mode':null}");
	}
}

/* A default is one of the names, and so is a value. */
static void test_defaults_of_enums(void **state)
{
	static const char *const wrong[] = { "'fas'", "'faster'", "0" };
	quash_param param = params[MODE_OR];
	const quash_params table = ONLY(param);
	(void)state;
	for (int32_t i = -2; i < 300; i++) {
		param.fallback = i;
		assert_true((typed_wrong(&table) == NULL) == (i == 0 || i == 1));
	}
	typed_refuses_all(&tables[MODE_OR], wrong, COUNT_OF(wrong), "'mode: must be one of slow, fast'");
}

/* --- Texts */

/* Of each length: what stands beside the field is left alone. */
static void test_lengths_of_texts(void **state)
{
	static const char *const wrong[] = { "7", "'\\u00e4\\u00e4\\u00e4\\u00e4'" };
	char text[64], words[64];
	(void)state;
	for (int n = 0; n < 20; n++) {
		snprintf(text, sizeof text, "{'text':'%.*s'}", n, "abcdefghijklmnopqrstuvwxyz");
		if (n > 7) {
			typed_refuses(&tables[TEXT], text, "'text: must be a string of at most 7 bytes'");
			continue;
		}
		typed_fits(&tables[TEXT], text, &edge, text);
		assert_int_equal(strlen(edge.text), n);
		for (size_t i = (size_t)n + 1; i < sizeof edge.text; i++)
			assert_int_equal((uint8_t)edge.text[i], TYPED_FILL);
		assert_int_equal(edge.before, TYPED_FILL);
		assert_int_equal(edge.after, TYPED_FILL);
		snprintf(words, sizeof words, "{'text':'%.*s\\u0000'}", n, "abcdefg");
		typed_refuses(&tables[TEXT], words, n < 7 ? "'text: must not contain a NUL'" : "'text: must be a string of at most 7 bytes'");
	}
	typed_refuses_all(&tables[TEXT], wrong, COUNT_OF(wrong), "'text: must be a string of at most 7 bytes'");
}

static void test_default_of_a_text(void **state)
{
	quash_param param = params[TEXT_OR];
	const quash_params table = ONLY(param);
	(void)state;
	typed_fits(&tables[TEXT_OR], "{}", &edge, "{'text':'1234567'}");
	typed_schema(&tables[TEXT_OR], "'type':'string','maxLength':7,'default':'1234567'", false);
	assert_null(typed_wrong(&table));
	param.detail = "12345678";
	assert_string_equal(typed_wrong(&table), "fallback");
	param.size = 1;
	param.detail = NULL;
	assert_null(typed_wrong(&table));
	typed_fits(&table, "{'text':''}", &edge, "{'text':''}");
	param.size = 0;
	assert_string_equal(typed_wrong(&table), "size");
}

/* --- Arrays */

/* A count fits a byte. */
static void test_255_integers(void **state)
{
	static const char *const wrong[] = { "[10]", "[[1]]", "{'a':1}", "1" };
	static char text[ROOM_FOR(1000)];
	(void)state;
	assert_room(sizeof text > 2 * MANY + 20);
	for (unsigned n = 0; n <= MANY; n++) {
		char *end = text + sprintf(text, "{'list':[");
		for (unsigned i = 0; i < n; i++)
			end += sprintf(end, "%s%u", i > 0 ? "," : "", i % 10);
		strcpy(end, "]}");
		if (n > UINT8_MAX) {
			typed_refuses(&tables[INTS], text, "'list: must be an array of at most 300 integers from -1 to 9'");
			continue;
		}
		typed_fits(&tables[INTS], text, &edge, text);
		assert_int_equal(edge.count, n);
		assert_int_equal((uint32_t)edge.list[n], TYPED_FILL * 0x01010101u);
	}
	typed_refuses_all(&tables[INTS], wrong, COUNT_OF(wrong), "'list: must be an array of at most 300 integers from -1 to 9'");
	typed_fits(&tables[INTS], "{}", &edge, "{'list':[]}");
	typed_schema(&tables[INTS], "'type':'array','items':{'type':'integer','minimum':-1,'maximum':9},'maxItems':300", false);
}

/* --- Integers, booleans, numbers */

static void test_each_integer(void **state)
{
	static const char *const wrong[] = { "7.5", "-7.0000001", "1e2", "null", "true", "'3'", "[3]", "{}", "8589934595", "-4294967297", "1e99",
		"-9223372036854775809" };
	char text[32];
	(void)state;
	for (int n = -20; n <= 20; n++) {
		snprintf(text, sizeof text, "{'steps':%d}", n);
		if (n >= -7 && n <= 7)
			typed_fits(&tables[INT], text, &edge, text);
		else
			typed_refuses(&tables[INT], text, "'steps: must be an integer from -7 to 7'");
	}
	typed_refuses_all(&tables[INT], wrong, COUNT_OF(wrong), "'steps: must be an integer from -7 to 7'");
	typed_fits(&tables[INT], "{}", &edge, "{'steps':3}");
	typed_schema(&tables[INT], "'type':'integer','minimum':-7,'maximum':7,'default':3", false);
}

static void test_booleans(void **state)
{
	static const char *const wrong[] = { "0", "1", "null", "'true'", "[]", "{}" };
	(void)state;
	typed_fits(&tables[BOOL], "{'back':true}", &edge, "{'back':true}");
	typed_fits(&tables[BOOL], "{'back':false}", &edge, "{'back':false}");
	typed_fits(&tables[BOOL], "{}", &edge, "{'back':true}");
	typed_refuses_all(&tables[BOOL], wrong, COUNT_OF(wrong), "'back: must be true or false'");
	typed_schema(&tables[BOOL], "'type':'boolean','default':true", false);
}

static void test_numbers(void **state)
{
	static const char *const wrong[] = { "2.00001", "-2.00001", "1e99", "-1e999", "null", "true", "'1'", "[1]", "{}" };
	(void)state;
	typed_fits(&tables[NUMBER], "{'gain':2}", &edge, "{'gain':2}");
	typed_fits(&tables[NUMBER], "{'gain':-2}", &edge, "{'gain':-2}");
	typed_fits(&tables[NUMBER], "{'gain':0.25}", &edge, "{'gain':0.25}");
	typed_fits(&tables[NUMBER], "{}", &edge, "{'gain':1.5}");
	typed_refuses_all(&tables[NUMBER], wrong, COUNT_OF(wrong), "'gain: must be a number from -2 to 2'");
	typed_schema(&tables[NUMBER], "'type':'number','minimum':-2,'maximum':2,'default':1.5", false);
}

/* --- Tables that are wrong: the first wrong member */

static void test_wrong_members(void **state)
{
	quash_param param;
	const quash_params table = ONLY(param);
	(void)state;
	for (size_t i = 0; i < COUNT_OF(params); i++) {
		param = params[i];
		assert_null(typed_wrong(&table));
		param.name = NULL;
		assert_string_equal(typed_wrong(&table), "name");
		param.name = "";
		assert_string_equal(typed_wrong(&table), "name");
		param = params[i];
		param.type = NULL;
		assert_string_equal(typed_wrong(&table), "type");
		param = params[i];
		param.offset = sizeof(struct edge);
		assert_string_equal(typed_wrong(&table), "offset");
		param.offset--;
		assert_null(typed_wrong(&table));
		param = params[i];
		param.count_offset = sizeof(struct edge);
		assert_string_equal(typed_wrong(&table), "offset");
		param.count_offset--;
		assert_null(typed_wrong(&table));
		param = params[i];
		param.max = param.min - 1;
		assert_string_equal(typed_wrong(&table), "min");
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_255_names),
		cmocka_unit_test(test_an_index_of_no_name),
		cmocka_unit_test(test_defaults_of_enums),
		cmocka_unit_test(test_lengths_of_texts),
		cmocka_unit_test(test_default_of_a_text),
		cmocka_unit_test(test_255_integers),
		cmocka_unit_test(test_each_integer),
		cmocka_unit_test(test_booleans),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_wrong_members),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}
