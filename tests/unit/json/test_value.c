/* SPDX-License-Identifier: MIT
 * In JSON texts ' stands for ". */
#include "values.h"

#include <stdio.h>

#define FINDS(json, path, expected) assert_string_equal(json_of(quash_get(value_of(json), path)), expected)
#define FINDS_NOTHING(json, path) \
	assert_int_equal(quash_kind_of(quash_get(value_of(json), path)), QUASH_NONE)

static const quash_value nothing;

static void test_kinds(void **state)
{
	(void)state;
	assert_int_equal(quash_kind_of(nothing), QUASH_NONE);
	assert_int_equal(quash_kind_of(value_of("null")), QUASH_NULL);
	assert_int_equal(quash_kind_of(value_of("false")), QUASH_FALSE);
	assert_int_equal(quash_kind_of(value_of("true")), QUASH_TRUE);
	assert_int_equal(quash_kind_of(value_of("0")), QUASH_NUMBER);
	assert_int_equal(quash_kind_of(value_of("''")), QUASH_STRING);
	assert_int_equal(quash_kind_of(value_of("[]")), QUASH_ARRAY);
	assert_int_equal(quash_kind_of(value_of("{}")), QUASH_OBJECT);
}

static void test_nothing(void **state)
{
	quash_value cursor = nothing, key, value;
	int32_t small = 7;
	int64_t large = 7;
	(void)state;
	assert_string_equal(quash_text(nothing), "");
	assert_int_equal(quash_length(nothing), 0);
	assert_false(quash_is(nothing, ""));
	assert_int_equal(quash_kind_of(quash_get(nothing, "a.b")), QUASH_NONE);
	assert_false(quash_next(nothing, &cursor, &key, &value));
	assert_int_equal(quash_int32(nothing, &small), QUASH_NUMBER_TYPE);
	assert_int_equal(quash_int64(nothing, &large), QUASH_NUMBER_TYPE);
	assert_int_equal(small, 7);
	assert_int_equal(large, 7);
	assert_string_equal(json_of(nothing), "null");
}

/* --- Paths */

static void test_members(void **state)
{
	(void)state;
	FINDS("{'a':1,'b':[2],'c':{'d':'e'}}", "a", "1");
	FINDS("{'a':1,'b':[2],'c':{'d':'e'}}", "b", "[2]");
	FINDS("{'a':1,'b':[2],'c':{'d':'e'}}", "b.0", "2");
	FINDS("{'a':1,'b':[2],'c':{'d':'e'}}", "c.d", "'e'");
	FINDS("{'arguments':{'pin':3}}", "arguments.pin", "3");
	FINDS("{'a':{'b':{'c':{'d':true}}}}", "a.b.c.d", "true");
	FINDS("{'':{'':1}}", "", "{'':1}");
	FINDS("{'':{'':1}}", ".", "1");
	FINDS("{'a':null}", "a", "null");
	FINDS("{'0':1}", "0", "1");
	FINDS("{'gr\xC3\xBC\xC3\x9F':1}", "gr\xC3\xBC\xC3\x9F", "1");
	FINDS("{'\\u0061\\n':1}", "a\n", "1");
}

/* Where the path ends, its rest may be a name. */
static void test_names_with_dots(void **state)
{
	(void)state;
	FINDS("{'a.b':1}", "a.b", "1");
	FINDS("{'a.b':1,'a.b':2}", "a.b", "2");
	FINDS("{'_meta':{'io.modelcontextprotocol/protocolVersion':'x'}}", "_meta.io.modelcontextprotocol/protocolVersion", "'x'");
	FINDS("[{'a.b.c':true}]", "0.a.b.c", "true");
	FINDS("{'a':{'b':1},'a.b':2}", "a.b", "1");
	FINDS("{'a.':1}", "a.", "1");
	FINDS_NOTHING("{'a.b':{'c':1}}", "a.b.c");
	FINDS_NOTHING("['a.b']", "a.b");
	FINDS_NOTHING("[1,2]", "1.0");
}

static void test_missing_members(void **state)
{
	(void)state;
	FINDS_NOTHING("{}", "a");
	FINDS_NOTHING("{'a':1}", "b");
	FINDS_NOTHING("{'a':1}", "");
	FINDS_NOTHING("{'a':1}", "A");
	FINDS_NOTHING("{'a':1}", "aa");
	FINDS_NOTHING("{'aa':1}", "a");
	FINDS_NOTHING("{'a':1}", "a.b");
	FINDS_NOTHING("{'a':1}", "a.");
	FINDS_NOTHING("{'a':{'b':1}}", "b");
	FINDS_NOTHING("{'a':{'b':1}}", "a.c");
	FINDS_NOTHING("{'a':'b'}", "a.b");
	FINDS_NOTHING("{'a':'b'}", "b");
	FINDS_NOTHING("{'a':{},'a.b':1}", "a.b"); /* the path leads to `a`: quash_member finds the other */
	FINDS_NOTHING("{'a\\u0000':1}", "a");
	FINDS_NOTHING("null", "a");
	FINDS_NOTHING("'a'", "a");
	FINDS_NOTHING("1", "0");
}

static void test_elements(void **state)
{
	(void)state;
	FINDS("[10,11,[12,{'a':13}],14,15,16,17,18,19,20,21]", "0", "10");
	FINDS("[10,11,[12,{'a':13}],14,15,16,17,18,19,20,21]", "2.1.a", "13");
	FINDS("[10,11,[12,{'a':13}],14,15,16,17,18,19,20,21]", "10", "21");
	FINDS_NOTHING("[10,11]", "2");
	FINDS_NOTHING("[10,11]", "");
	FINDS_NOTHING("[10,11]", "a");
	FINDS_NOTHING("[10,11]", "-1");
	FINDS_NOTHING("[10,11]", "1x");
	FINDS_NOTHING("[10,11]", "0 ");
	FINDS_NOTHING("[10,11]", "65536");
	FINDS_NOTHING("[10,11]", "65537");
	FINDS_NOTHING("[10,11]", "4294967296");
	FINDS_NOTHING("[10,11]", "18446744073709551616");
	FINDS_NOTHING("[]", "0");
}

/* An index is a number of digits alone. */
static void test_names_of_elements(void **state)
{
	static const char *const others[] = { "", "-1", "+1", " 1", "1 ", "1a", "0x1", "1/", "1:", "10", "01a", "99999999999999999999", "65536", "65537" };
	const quash_value list = value_of("[null,true]");
	char name[2] = "";
	(void)state;
	for (int c = 1; c <= UINT8_MAX; c++) {
		name[0] = (char)c;
		const quash_kind expected = c == '0' ? QUASH_NULL : c == '1' ? QUASH_TRUE : QUASH_NONE;
		assert_int_equal(quash_kind_of(quash_get(list, name)), expected);
	}
	for (size_t i = 0; i < COUNT_OF(others); i++)
		assert_int_equal(quash_kind_of(quash_get(list, others[i])), QUASH_NONE);
}

/* As many as an index may count, and more. */
static void test_largest_index(void **state)
{
	enum { HEAD = 4 };
	static uint8_t tape[HEAD + (QUASH_SIZE_BITS == 32 ? ROOM_FOR(65536 + 64) : 3000) + 1] = { QUASH_ARRAY };
	const size_t elements = sizeof tape - HEAD - 1;
	static const uint32_t most = 65529;
	static const uint32_t indices[] = { 0, 9, 10, 99, 100, 999, 1000, 6552, 6553, 9999, 10000, 65519, 65520, 65528, 65529, 65530, 65535, 65536, 65537, 65545, 65546 };
	const quash_value list = { tape, 0, sizeof tape };
	char name[12];
	(void)state;
	for (unsigned i = 1; i < HEAD; i++)
		tape[i] = (uint8_t)((elements + 1) >> 8 * (i - 1));
	memset(tape + HEAD, QUASH_NULL, elements);
	for (size_t i = 0; i < COUNT_OF(indices); i++) {
		snprintf(name, sizeof name, "%lu", (unsigned long)indices[i]);
		const quash_value found = quash_get(list, name);
		const bool there = indices[i] <= most && indices[i] < elements;
		assert_int_equal(quash_kind_of(found), there ? QUASH_NULL : QUASH_NONE);
		if (there)
			assert_int_equal(found.at, HEAD + indices[i]);
	}
}

static void test_last_of_the_same_name(void **state)
{
	(void)state;
	FINDS("{'a':1,'b':2,'a':3}", "a", "3");
	FINDS("{'a':{'x':1},'a':{'y':2}}", "a.y", "2");
	FINDS_NOTHING("{'a':{'x':1},'a':{'y':2}}", "a.x");
	FINDS("{'a':1,'\\u0061':2}", "a", "2");
}

/* --- Walking */

/* The members and elements in order, "key=value " each. */
static const char *walk(const char *json)
{
	static char all[1024];
	const quash_value container = value_of(json);
	quash_value cursor = nothing, key = container, value;
	all[0] = '\0';
	while (quash_next(container, &cursor, &key, &value)) {
		assert_int_equal(quash_kind_of(key),
			quash_kind_of(container) == QUASH_OBJECT ? QUASH_STRING : QUASH_NONE);
		strcat(all, quash_text(key));
		strcat(all, "=");
		strcat(all, json_of(value));
		strcat(all, " ");
	}
	assert_false(quash_next(container, &cursor, NULL, &value));
	return all;
}

static void test_walk(void **state)
{
	(void)state;
	assert_string_equal(walk("[]"), "");
	assert_string_equal(walk("{}"), "");
	assert_string_equal(walk("[1,'a',[2,[]],{'b':3},null]"), "=1 ='a' =[2,[]] ={'b':3} =null ");
	assert_string_equal(walk("{'a':1,'b':[2,3],'c':{'d':4},'':true}"), "a=1 b=[2,3] c={'d':4} =true ");
	assert_string_equal(walk("{'a':1,'a':2}"), "a=1 a=2 ");
	assert_string_equal(walk("null"), "");
	assert_string_equal(walk("'abc'"), "");
	assert_string_equal(walk("12"), "");
	assert_string_equal(walk("[[[[]]],{}]"), "=[[[]]] ={} ");
}

static void test_walk_without_keys(void **state)
{
	const quash_value container = value_of("{'a':1,'b':2}");
	quash_value cursor = nothing, value;
	(void)state;
	assert_true(quash_next(container, &cursor, NULL, &value));
	assert_string_equal(quash_text(value), "1");
	assert_true(quash_next(container, &cursor, NULL, &value));
	assert_string_equal(quash_text(value), "2");
	assert_false(quash_next(container, &cursor, NULL, &value));
}

/* A container inside of another one ends where it ends. */
/* What is no container has no members, whatever its bytes look like. */
static void test_walk_of_no_container(void **state)
{
	static const char *const others[] = { "null", "true", "7", "-0.5", "''", "'abcd'" };
	char text[40];
	(void)state;
	for (unsigned c = 1; c < 0x20 + COUNT_OF(others); c++) {
		quash_value cursor = nothing, element;
		snprintf(text, sizeof text, "'\\u00%02x\\u0001\\u0002\\u0000'", c);
		assert_false(quash_next(value_of(c < 0x20 ? text : others[c - 0x20]), &cursor, NULL, &element));
	}
	quash_value cursor = nothing, element;
	assert_false(quash_next(nothing, &cursor, NULL, &element));
}

static void test_walk_inside(void **state)
{
	const quash_value inner = quash_get(value_of("{'a':[1,2],'b':3}"), "a");
	quash_value cursor = nothing, value;
	(void)state;
	assert_true(quash_next(inner, &cursor, NULL, &value));
	assert_true(quash_next(inner, &cursor, NULL, &value));
	assert_false(quash_next(inner, &cursor, NULL, &value));
}

/* --- Text */

static void test_text(void **state)
{
	(void)state;
	assert_string_equal(quash_text(value_of("'abc'")), "abc");
	assert_int_equal(quash_length(value_of("'abc'")), 3);
	assert_string_equal(quash_text(value_of("''")), "");
	assert_int_equal(quash_length(value_of("''")), 0);
	assert_string_equal(quash_text(value_of("-1.50e3")), "-1.50e3");
	assert_int_equal(quash_length(value_of("-1.50e3")), 7);
	assert_string_equal(
		quash_text(value_of("'\\n\\u20ac\\ud83d\\ude00'")), "\n\xE2\x82\xAC\xF0\x9F\x98\x80");
	assert_string_equal(quash_text(value_of("true")), "");
	assert_string_equal(quash_text(value_of("['a']")), "");
	assert_int_equal(quash_length(value_of("['a']")), 0);
	assert_int_equal(quash_length(value_of("{'a':1}")), 0);
}

static void test_text_with_nuls(void **state)
{
	const quash_value value = value_of("'a\\u0000b'");
	(void)state;
	assert_int_equal(quash_length(value), 3);
	assert_memory_equal(quash_text(value), "a\0b", 4);
	assert_false(quash_is(value, "a"));
}

static void test_is(void **state)
{
	(void)state;
	assert_true(quash_is(value_of("'abc'"), "abc"));
	assert_true(quash_is(value_of("''"), ""));
	assert_true(quash_is(value_of("'a.b'"), "a.b"));
	assert_true(quash_is(value_of("'\\u0061'"), "a"));
	assert_false(quash_is(value_of("'abc'"), "ab"));
	assert_false(quash_is(value_of("'ab'"), "abc"));
	assert_false(quash_is(value_of("'abc'"), "abd"));
	assert_false(quash_is(value_of("'abc'"), ""));
	assert_false(quash_is(value_of("12"), "12"));
	assert_false(quash_is(value_of("null"), ""));
	assert_false(quash_is(value_of("['a']"), "a"));
}

/* --- Written again */

#define AGAIN(json, expected) assert_string_equal(json_of(value_of(json)), expected)

static void test_put_value(void **state)
{
	(void)state;
	AGAIN(" [ 1 , { 'a' : [ ] , 'b' : { } } , null , true , false ] ",
		"[1,{'a':[],'b':{}},null,true,false]");
	AGAIN("[0,-0,1.50,1E+05,123456789012345678901234567890]",
		"[0,-0,1.50,1E+05,123456789012345678901234567890]");
	AGAIN("{'a':1,'a':{'b':[[[]]]},'':''}", "{'a':1,'a':{'b':[[[]]]},'':''}");
	AGAIN("['\\u0041\\/\\u00e9\\u0001\\u0008\\u007f\\\\']", "['A/\xC3\xA9\\u0001\\b\x7F\\\\']");
	AGAIN("{'\\n\\u0000':'\\ud800'}", "{'\\n\\u0000':'\xEF\xBF\xBD'}");
	AGAIN("'a'", "'a'");
	AGAIN("12", "12");
	AGAIN("null", "null");
	AGAIN("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
		"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]");
	AGAIN("[{'k':{'k':[{'k':'k'}]}},'k']", "[{'k':{'k':[{'k':'k'}]}},'k']");
}

static void test_put_value_among_others(void **state)
{
	const quash_value value = value_of("{'list':[1,'x'],'text':'y','object':{'z':[]}}");
	quash_writer *const w = fresh_writer();
	(void)state;
	quash_put_object(w);
	quash_put_key(w, "a");
	quash_put_value(w, quash_get(value, "list"));
	quash_put_key(w, "b");
	quash_put_value(w, quash_get(value, "text"));
	quash_put_key(w, "c");
	quash_put_value(w, quash_get(value, "none"));
	quash_put_key(w, "d");
	quash_put_array(w);
	quash_put_value(w, quash_get(value, "object"));
	quash_put_value(w, quash_get(value, "text"));
	quash_put_value(w, quash_get(value, "list.0"));
	quash_put_end(w);
	quash_put_end(w);
	assert_string_equal(was_written(), "{'a':[1,'x'],'b':'y','c':null,'d':[{'z':[]},'y',1]}");
}

/* --- Members by their exact name */

#define HOLDS(json, name, expected) assert_string_equal(json_of(quash_member(value_of(json), name)), expected)
#define HOLDS_NOTHING(json, name) \
	assert_int_equal(quash_kind_of(quash_member(value_of(json), name)), QUASH_NONE)

static void test_member(void **state)
{
	(void)state;
	HOLDS("{'a.b/c':1,'a':{'b/c':2}}", "a.b/c", "1");
	HOLDS("{'io.modelcontextprotocol/protocolVersion':'x'}", "io.modelcontextprotocol/protocolVersion", "'x'");
	HOLDS("{'a':1,'b':2,'a':3}", "a", "3");
	HOLDS("{'':1}", "", "1");
	HOLDS("{'.':[]}", ".", "[]");
	HOLDS("{'a':{'b':[1]}}", "a", "{'b':[1]}");
}

static void test_no_member(void **state)
{
	(void)state;
	HOLDS_NOTHING("{'a':{'b':1}}", "a.b");
	HOLDS_NOTHING("{'a':1}", "");
	HOLDS_NOTHING("{'ab':1}", "a");
	HOLDS_NOTHING("{'a':1}", "ab");
	HOLDS_NOTHING("{'a\\u0000b':1}", "a");
	HOLDS_NOTHING("[1,2]", "0");
	HOLDS_NOTHING("'a'", "a");
	assert_int_equal(quash_kind_of(quash_member(nothing, "a")), QUASH_NONE);
}

static void test_bool(void **state)
{
	static const char *const others[] = { "null", "0", "1", "'true'", "[]", "{}" };
	bool truth = false;
	(void)state;
	assert_true(quash_bool(value_of("true"), &truth));
	assert_true(truth);
	assert_true(quash_bool(value_of("false"), &truth));
	assert_false(truth);
	truth = true;
	for (size_t i = 0; i < COUNT_OF(others); i++)
		assert_false(quash_bool(value_of(others[i]), &truth));
	assert_false(quash_bool(nothing, &truth));
	assert_true(truth);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_names_with_dots),
		cmocka_unit_test(test_missing_members),
		cmocka_unit_test(test_elements),
		cmocka_unit_test(test_names_of_elements),
		cmocka_unit_test(test_largest_index),
		cmocka_unit_test(test_last_of_the_same_name),
		cmocka_unit_test(test_walk),
		cmocka_unit_test(test_walk_without_keys),
		cmocka_unit_test(test_walk_of_no_container),
		cmocka_unit_test(test_walk_inside),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_text_with_nuls),
		cmocka_unit_test(test_is),
		cmocka_unit_test(test_put_value),
		cmocka_unit_test(test_put_value_among_others),
		cmocka_unit_test(test_member),
		cmocka_unit_test(test_no_member),
		cmocka_unit_test(test_bool),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
