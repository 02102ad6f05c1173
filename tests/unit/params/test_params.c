/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include "core/faults.h"
#include "loop.h"
#include "quash/params.h"

#include <float.h>
#include <stdio.h>

static const char *const modes[] = { "slow", "fast", NULL };
static const quash_range volume = { -1.5, 11, 0.25 };

struct every {
	int32_t steps;
	int32_t turns;
	bool back;
	bool loud;
	uint8_t mode;
	uint8_t pace;
	char name[8];
	char title[4];
	char note[4];
	int32_t pins[3];
	uint8_t pin_count;
	double gain;
	double level;
	uint32_t untouched;
};

static const quash_param every_list[] = {
	QUASH_ARG_INT(struct every, steps, 1, 100000, "how far"),
	QUASH_ARG_INT_OR(struct every, turns, -5, 5, -2, NULL),
	QUASH_ARG_BOOL(struct every, back, NULL),
	QUASH_ARG_BOOL_OR(struct every, loud, true, NULL),
	QUASH_ARG_ENUM(struct every, mode, modes, NULL),
	QUASH_ARG_ENUM_OR(struct every, pace, modes, 1, NULL),
	QUASH_ARG_TEXT(struct every, name, NULL),
	QUASH_ARG_TEXT_OR(struct every, title, "ten", NULL),
	QUASH_ARG_TEXT_OR(struct every, note, NULL, NULL),
	QUASH_ARG_STRING("text", NULL),
	QUASH_ARG_STRING_OR("tail", NULL),
	QUASH_ARG_INTS(struct every, pins, pin_count, 0, 7, NULL),
	QUASH_ARG_NUMBER(struct every, gain, &volume, NULL),
	QUASH_ARG_NUMBER_OR(struct every, level, &volume, NULL),
};
static const quash_params every_params = QUASH_PARAMS(struct every, every_list);

struct few {
	int32_t left, right;
	int32_t pins[2];
	uint8_t count;
};

static const quash_param few_list[] = {
	QUASH_ARG_INT_OR(struct few, left, INT32_MIN, INT32_MAX, 0, NULL),
	QUASH_ARG_INT_OR(struct few, right, 0, 1, 1, "a \"bit\""),
	QUASH_ARG_INTS_OR(struct few, pins, count, 0, 9, NULL),
};
static const quash_params few_params = QUASH_PARAMS(struct few, few_list);

static const quash_params no_params = QUASH_NO_PARAMS(struct few);

static const char *const host_names[] = { "toolCallId", "sessionId", NULL };
static const quash_params host_params = QUASH_PARAMS_IGNORING(struct few, few_list, host_names);

struct place {
	int32_t x, y_axis, z;
	int32_t step_count;
};

static const quash_param place_list[] = {
	QUASH_ARG_INT_OR(struct place, x, 0, 9, 0, NULL),
	QUASH_ARG_INT_OR(struct place, y_axis, 0, 9, 0, NULL),
	QUASH_ARG_INT_OR(struct place, z, 0, 9, 0, NULL),
	QUASH_ARG_INT_OR(struct place, step_count, 0, 9, 0, NULL),
};
static const quash_params place_params = QUASH_PARAMS(struct place, place_list);

struct fine {
	double part;
};

static const quash_range small_parts = { 0.123456789, 0.987654321, 0.5 };
static const quash_param fine_list[] = { QUASH_ARG_NUMBER_OR(struct fine, part, &small_parts, NULL) };
static const quash_params fine_params = QUASH_PARAMS(struct fine, fine_list);

/* Answers with the struct as it was filled. */
static int32_t fill(quash_request *request)
{
	const quash_params *const table = quash_data(request);
	int32_t code;
	return quash_bind_or_answer(request, table, &code) ? quash_reply_struct(request, table) : code;
}

static int32_t fill_silently(quash_request *request)
{
	const int32_t code = quash_bind(request, &every_params);
	return code == QUASH_DONE ? quash_reply_null(request) : code;
}

static void put_schema(quash_writer *w, const quash_request *request)
{
	quash_put_schema(w, quash_data(request));
}

static int32_t schema(quash_request *request)
{
	return quash_reply(request, put_schema);
}

static void put_texts(quash_writer *w, const quash_request *request)
{
	quash_put_array(w);
	quash_put_uint(w, QUASH_CONST_STATE(struct every, request)->untouched);
	quash_put_value(w, quash_argument(request, "text"));
	quash_put_value(w, quash_argument(request, "tail"));
}

/* Waits three steps, and begins each with the params. The struct's fields that no table names keep what they hold; texts
 * that stay in the params are there at the end. */
static int32_t texts(quash_request *request)
{
	struct every *const e = QUASH_STATE(struct every, request);
	int32_t code;
	if (!quash_bind_or_answer(request, &every_params, &code))
		return code;
	assert_true(quash_is(quash_argument(request, "text"), "t"));
	return e->untouched++ < 3 ? QUASH_PENDING : quash_reply(request, put_texts);
}

/* The same with a struct that holds all: the params go, the struct stays. */
static int32_t held(quash_request *request)
{
	struct few *const f = QUASH_STATE(struct few, request);
	int32_t code;
	if (!quash_bind_or_answer(request, &few_params, &code))
		return code;
	assert_int_equal(quash_kind_of(quash_params_of(request)), QUASH_NONE);
	return f->left++ < 3 ? QUASH_PENDING : quash_reply_int(request, f->left);
}

/* A count that says more than the array has. */
static int32_t miscounts(quash_request *request)
{
	struct few *const f = QUASH_STATE(struct few, request);
	f->pins[0] = 7;
	f->pins[1] = 8;
	f->count = 9;
	return quash_reply_struct(request, &few_params);
}

/* Others may have extended its params. */
static int32_t fill_open(quash_request *request)
{
	const quash_params *const table = quash_data(request);
	const bool fits = quash_read_params(table, quash_params_of(request), QUASH_STATE(struct few, request), NULL);
	return fits ? quash_reply_struct(request, table) : QUASH_INVALID_PARAMS;
}

#define TABLE(word, function, table) { .name = (word), .handler = (function), .data = (table) }

static const quash_method methods[] = {
	TABLE("every", fill, &every_params),
	TABLE("few", fill, &few_params),
	TABLE("host", fill, &host_params),
	TABLE("place", fill, &place_params),
	TABLE("open", fill_open, &few_params),
	TABLE("fine", fill, &fine_params),
	TABLE("schema fine", schema, &fine_params),
	TABLE("none", fill, &no_params),
	TABLE("silent", fill_silently, NULL),
	TABLE("texts", texts, NULL),
	TABLE("held", held, NULL),
	TABLE("miscounts", miscounts, NULL),
	TABLE("schema every", schema, &every_params),
	TABLE("schema few", schema, &few_params),
	TABLE("schema none", schema, &no_params),
};

loop l; /* the linker names its config: tests/unit/known */
static uint64_t states[LOOP_SLOTS * ((sizeof(struct every) + 7) / 8)];

static void start(quash_size state_size)
{
	loop_init(&l, &quash_acp, methods, COUNT_OF(methods));
	l.config.states = states;
	l.config.state_size = state_size;
	loop_start(&l);
}

static int set_up(void **state)
{
	(void)state;
	start((sizeof(struct every) + 7) / 8 * 8);
	return 0;
}

static void begin_call(const char *method)
{
	loop_say(&l, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"");
	loop_say(&l, method);
	loop_say(&l, "\"");
}

/* What is expected after the id comes in three pieces. */
static void end_call(const char *head, const char *expected, const char *tail)
{
	static char answer[ROOM_FOR(2048)];
	loop_say(&l, "}\n");
	loop_settle(&l, 10);
	assert_room(snprintf(answer, sizeof answer, "{\"jsonrpc\":\"2.0\",\"id\":1,%s%s%s}\n", head, expected, tail) <
		(int)sizeof answer);
	assert_string_equal(loop_heard(&l), answer);
}

/* Calls a method; what is expected stands after the id. */
static void check(const char *method, const char *params, const char *expected)
{
	begin_call(method);
	if (params[0] != '\0')
		loop_say(&l, ",\"params\":");
	loop_say(&l, params);
	end_call("", expected, "");
}

/* Fills `every` from the usual arguments, with `more` after them: the last one wins. */
static void call_every(const char *more)
{
	begin_call("every");
	loop_say(&l, ",\"params\":{\"steps\":3,\"back\":true,\"mode\":\"fast\",\"name\":\"ab\",\"text\":\"t\","
		     "\"pins\":[],\"gain\":1");
	loop_say(&l, more);
	loop_say(&l, "}");
}

static void check_every(const char *more, const char *expected)
{
	call_every(more);
	end_call("", expected, "");
}

static void check_wrong(const char *more, const char *message)
{
	call_every(more);
	end_call("\"error\":{\"code\":-32602,\"message\":\"Invalid params\",\"data\":\"", message, "\"}");
}

static void test_an_array_is_put_to_its_end(void **state)
{
	(void)state;
	check("miscounts", "", "\"result\":{\"left\":0,\"right\":0,\"pins\":[7,8]}");
}

static void test_defaults(void **state)
{
	(void)state;
	check_every("", "\"result\":{\"steps\":3,\"turns\":-2,\"back\":true,\"loud\":true,\"mode\":\"fast\","
			"\"pace\":\"fast\",\"name\":\"ab\",\"title\":\"ten\",\"note\":\"\","
			"\"pins\":[],\"gain\":1,\"level\":0.25}");
}

static void test_values(void **state)
{
	(void)state;
	check_every(",\"steps\":1e5,\"turns\":-5.0,\"back\":false,\"loud\":false,\"mode\":\"slow\","
		    "\"pace\":\"slow\","
		    "\"name\":\"\\u00e4 6789\",\"title\":\"\",\"note\":\"x\",\"text\":\"a\\u0000b\","
		    "\"tail\":\"\\\"\","
		    "\"pins\":[7,0,1],\"gain\":-1.5,\"level\":11.0,\"_meta\":null",
		    "\"result\":{\"steps\":100000,\"turns\":-5,\"back\":false,\"loud\":false,\"mode\":"
		    "\"slow\","
		    "\"pace\":\"slow\",\"name\":\"\xc3\xa4 6789\",\"title\":\"\",\"note\":\"x\",\"pins\":[7,0,1],\"gain\":-1.5,\"level\":11}");
}

static void test_missing(void **state)
{
	(void)state;
	check("every", "{}",
	      "\"error\":{\"code\":-32602,\"message\":\"Invalid params\",\"data\":\"steps: is required\"}");
	check("every", "",
	      "\"error\":{\"code\":-32602,\"message\":\"Invalid params\",\"data\":\"steps: is required\"}");
	check("every", "{\"steps\":1,\"text\":\"\"}",
	      "\"error\":{\"code\":-32602,\"message\":\"Invalid params\",\"data\":\"back: is required\"}");
}

static void test_no_object(void **state)
{
	(void)state;
	check("every", "[1]",
	      "\"error\":{\"code\":-32602,\"message\":\"Invalid params\",\"data\":\"params: must be an "
	      "object\"}");
}

static void test_texts(void **state)
{
	(void)state;
	check_wrong(",\"text\":7", "text: must be a string");
	check_wrong(",\"tail\":null", "tail: must be a string");
}

/* Numbers are shown with nine digits: in results, schemas and refusals. */
static void test_digits_of_numbers(void **state)
{
	(void)state;
	assert_room(DBL_MANT_DIG >= 53);
	check("fine", "{\"part\":0.234567891}", "\"result\":{\"part\":0.234567891}");
	check("fine", "{\"part\":1}", "\"error\":{\"code\":-32602,\"message\":\"Invalid params\",\"data\":"
	      "\"part: must be a number from 0.123456789 to 0.987654321\"}");
	check("schema fine", "", "\"result\":{\"type\":\"object\",\"properties\":{\"part\":{\"type\":\"number\","
	      "\"minimum\":0.123456789,\"maximum\":0.987654321,\"default\":0.5}}}");
}

static void test_all_optional(void **state)
{
	(void)state;
	check("few", "", "\"result\":{\"left\":0,\"right\":1,\"pins\":[]}");
	check("few", "{\"left\":-2147483648,\"right\":0,\"pins\":[9]}",
	      "\"result\":{\"left\":-2147483648,\"right\":0,\"pins\":[9]}");
	check("few", "{\"left\":2147483648}",
	      "\"error\":{\"code\":-32602,\"message\":\"Invalid params\",\"data\":"
	      "\"left: must be an integer from -2147483648 to 2147483647\"}");
}

static void test_none(void **state)
{
	(void)state;
	check("none", "", "\"result\":{}");
	check("none", "{\"_meta\":{}}", "\"result\":{}");
}

/* --- Arguments that the table does not name */

#define WRONG(words) "\"error\":{\"code\":-32602,\"message\":\"Invalid params\",\"data\":\"" words "\"}"

/* The nearest name has most in common at its beginning and its end, without regard to case. Of equal ones it is the first. */
static void test_unknown(void **state)
{
	static const struct {
		const char *name, *words;
	} wrong[] = {
		{ "Z", "Z: is unknown, try z" },
		{ "X", "X: is unknown, try x" },
		{ "zz", "zz: is unknown, try z" },
		{ "Y-Axis", "Y-Axis: is unknown, try y_axis" },
		{ "y", "y: is unknown, try y_axis" },
		{ "Axis", "Axis: is unknown, try y_axis" },
		{ "steps", "steps: is unknown, try step_count" },
		{ "duration_z", "duration_z: is unknown, try z" },
		{ "step_cnt", "step_cnt: is unknown, try step_count" },
		{ "stepCount", "stepCount: is unknown, try step_count" },
		{ "count", "count: is unknown, try step_count" },
		{ "setp_count", "setp_count: is unknown, try step_count" },
		{ "step_count2step_count", "step_count2step_count: is unknown, try step_count" },
		{ "x\\u0000", "x: is unknown, try x" },
		{ "foo", "foo: is unknown" },
		{ "", ": is unknown" },
		{ "a\\\"", "a\\\": is unknown" },
		{ "\\ud800", "\xef\xbf\xbd: is unknown" },
		{ "\xc3\xa4z", "\xc3\xa4z: is unknown, try z" },
		{ "_meta1", "_meta1: is unknown" },
		{ "_me", "_me: is unknown" },
	};
	char params[64];
	(void)state;
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		snprintf(params, sizeof params, ",\"params\":{\"x\":1,\"%s\":2}", wrong[i].name);
		begin_call("place");
		loop_say(&l, params);
		end_call("\"error\":{\"code\":-32602,\"message\":\"Invalid params\",\"data\":\"", wrong[i].words, "\"}");
	}
	check("none", "{\"x\":1}", WRONG("x: is unknown"));
	check("silent", "{\"x\":1}", "\"error\":{\"code\":-32602,\"message\":\"Invalid params\"}");
}

/* First the names: one that is wrong may be why another is missing. */
static void test_unknown_comes_first(void **state)
{
	(void)state;
	check("every", "{\"steps\":0,\"Back\":true}", WRONG("Back: is unknown, try back"));
	check("every", "{\"Steps\":0,\"Back\":true}", WRONG("Steps: is unknown, try steps"));
	check_wrong(",\"stray\":null", "stray: is unknown, try steps");
}

static void test_ignored(void **state)
{
	(void)state;
	check("host", "{\"toolCallId\":\"a\",\"left\":1,\"sessionId\":{},\"_meta\":{}}",
	      "\"result\":{\"left\":1,\"right\":1,\"pins\":[]}");
	check("host", "{\"sessionid\":1}", WRONG("sessionid: is unknown"));
	check("few", "{\"sessionId\":1}", WRONG("sessionId: is unknown"));
}

static void test_reading_is_open(void **state)
{
	(void)state;
	check("open", "{\"left\":2,\"stray\":1}", "\"result\":{\"left\":2,\"right\":1,\"pins\":[]}");
}

static void test_bind(void **state)
{
	(void)state;
	check("silent", "{\"steps\":1}", "\"error\":{\"code\":-32602,\"message\":\"Invalid params\"}");
	check("silent", "{\"steps\":3,\"back\":true,\"mode\":\"fast\",\"name\":\"\",\"text\":\"t\","
	      "\"pins\":[],\"gain\":0}",
	      "\"result\":null");
}

static void test_waiting(void **state)
{
	(void)state;
	check("texts", "{\"steps\":3,\"back\":true,\"mode\":\"fast\",\"name\":\"\",\"text\":\"t\","
	      "\"pins\":[],\"gain\":0}",
	      "\"result\":[4,\"t\",null]");
	check("held", "{\"left\":7}", "\"result\":8");
	check("held", "", "\"result\":4");
}

/* --- Tables that are wrong */

#define INT(name, min, max, fallback, offset, optional) \
	{ (name), NULL, &quash_param_int, NULL, (min), (max), (fallback), (offset), 0, 0, (optional) }
#define TYPE(type, detail, fallback, size) \
	{ "x", NULL, (type), (detail), 0, 0, (fallback), 0, 0, (size), true }

static void check_table(const quash_param *list, uint8_t count, const char *name, const char *member, quash_fault_reason reason)
{
	const quash_params table = { list, sizeof(struct few), count, NULL };
	quash_fault fault = { "few", NULL, NULL, 0, 0, 0, QUASH_FAULT_TWICE };
	assert_false(quash_params_check(&table, &fault));
	assert_string_equal(fault.member, member);
	assert_int_equal(quash_fault_reason_of(&fault), reason);
	if (name == NULL)
		assert_null(fault.name);
	else
		assert_string_equal(fault.name, name);
}

static void test_good_tables(void **state)
{
	quash_fault fault;
	(void)state;
	assert_true(quash_params_check(&every_params, &fault));
	assert_true(quash_params_check(&few_params, &fault));
	assert_true(quash_params_check(&no_params, &fault));
}

static void test_wrong_tables(void **state)
{
	static const char *const no_names[] = { NULL };
	static const quash_range odd = { 0, 1, 2 };
	static const struct {
		quash_param param;
		const char *member;
		quash_fault_reason reason;
	} wrong[] = {
		{ INT("", 0, 1, 0, 0, false), "name", QUASH_FAULT_NAME },
		{ INT("x", 2, 1, 0, 0, false), "min", QUASH_FAULT_RANGE },
		{ INT("x", 0, 1, 2, 0, true), "fallback", QUASH_FAULT_FALLBACK },
		{ INT("x", 0, 1, -1, 0, true), "fallback", QUASH_FAULT_FALLBACK },
		{ INT("x", 0, 1, 0, sizeof(struct few), false), "offset", QUASH_FAULT_OUTSIDE },
		{ TYPE(NULL, NULL, 0, 0), "type", QUASH_FAULT_MISSING },
		{ TYPE(&quash_param_enum, NULL, 0, 0), "detail", QUASH_FAULT_MISSING },
		{ TYPE(&quash_param_enum, no_names, 0, 0), "fallback", QUASH_FAULT_FALLBACK },
		{ TYPE(&quash_param_enum, modes, 2, 0), "fallback", QUASH_FAULT_FALLBACK },
		{ TYPE(&quash_param_text, NULL, 0, 0), "size", QUASH_FAULT_MISSING },
		{ TYPE(&quash_param_text, "four", 0, 4), "fallback", QUASH_FAULT_FALLBACK },
		{ TYPE(&quash_param_ints, NULL, 0, 0), "size", QUASH_FAULT_MISSING },
		{ TYPE(&quash_param_number, NULL, 0, 0), "detail", QUASH_FAULT_MISSING },
		{ TYPE(&quash_param_number, &odd, 0, 0), "fallback", QUASH_FAULT_FALLBACK },
	};
	static const quash_param twice[] = { INT("x", 0, 1, 0, 0, false), INT("y", 0, 1, 0, 0, false),
		INT("x", 0, 1, 0, 0, false) };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(wrong); i++)
		check_table(&wrong[i].param, 1, wrong[i].param.name, wrong[i].member, wrong[i].reason);
	check_table(twice, COUNT_OF(twice), "x", "name", QUASH_FAULT_TWICE);
	check_table(NULL, 1, NULL, "list", QUASH_FAULT_MISSING);
}

/* Whatever stood in the fault before. */
static void test_the_place_of_a_wrong_param(void **state)
{
	static const quash_param second[] = { INT("x", 0, 1, 0, 0, false), INT("y", 2, 1, 0, 0, false) };
	const quash_params no_list = { NULL, 0, 1, NULL }, two = { second, sizeof(struct few), COUNT_OF(second), NULL };
	quash_fault fault;
	(void)state;
	memset(&fault, 0xA5, sizeof fault);
	assert_false(quash_params_check(&no_list, &fault));
	assert_int_equal(fault.index, 0);
	assert_int_equal(fault.is, 0);
	assert_int_equal(fault.needs, 0);
	assert_null(fault.name);
	assert_false(quash_params_check(&two, &fault));
	assert_int_equal(fault.index, 1);
	assert_string_equal(fault.name, "y");
}

static void test_state_too_small(void **state)
{
	(void)state;
	start(8);
	check("silent", "{}", "\"error\":{\"code\":-32603,\"message\":\"Internal error\"}");
	check("every", "{}", "\"error\":{\"code\":-32603,\"message\":\"Internal error\"}");
}

static void test_schema(void **state)
{
	(void)state;
	check("schema every", "",
	      "\"result\":{\"type\":\"object\",\"properties\":{"
	      "\"steps\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":100000,\"description\":\"how far\"},"
	      "\"turns\":{\"type\":\"integer\",\"minimum\":-5,\"maximum\":5,\"default\":-2},"
	      "\"back\":{\"type\":\"boolean\"},\"loud\":{\"type\":\"boolean\",\"default\":true},"
	      "\"mode\":{\"type\":\"string\",\"enum\":[\"slow\",\"fast\"]},"
	      "\"pace\":{\"type\":\"string\",\"enum\":[\"slow\",\"fast\"],\"default\":\"fast\"},"
	      "\"name\":{\"type\":\"string\",\"maxLength\":7},"
	      "\"title\":{\"type\":\"string\",\"maxLength\":3,\"default\":\"ten\"},"
	      "\"note\":{\"type\":\"string\",\"maxLength\":3},"
	      "\"text\":{\"type\":\"string\"},\"tail\":{\"type\":\"string\"},"
	      "\"pins\":{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":7},"
	      "\"maxItems\":3},"
	      "\"gain\":{\"type\":\"number\",\"minimum\":-1.5,\"maximum\":11},"
	      "\"level\":{\"type\":\"number\",\"minimum\":-1.5,\"maximum\":11,\"default\":0.25}},"
	      "\"required\":[\"steps\",\"back\",\"mode\",\"name\",\"text\",\"pins\",\"gain\"]}");
	check("schema few", "",
	      "\"result\":{\"type\":\"object\",\"properties\":{"
	      "\"left\":{\"type\":\"integer\",\"minimum\":-2147483648,\"maximum\":2147483647,\"default\":0},"
	      "\"right\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":1,\"default\":1,\"description\":"
	      "\"a \\\"bit\\\"\"},"
	      "\"pins\":{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":9},"
	      "\"maxItems\":2}}}");
	check("schema none", "", "\"result\":{\"type\":\"object\",\"properties\":{}}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_defaults, set_up),
		cmocka_unit_test_setup(test_values, set_up),
		cmocka_unit_test_setup(test_missing, set_up),
		cmocka_unit_test_setup(test_no_object, set_up),
		cmocka_unit_test_setup(test_texts, set_up),
		cmocka_unit_test_setup(test_an_array_is_put_to_its_end, set_up),
		cmocka_unit_test_setup(test_digits_of_numbers, set_up),
		cmocka_unit_test_setup(test_all_optional, set_up),
		cmocka_unit_test_setup(test_none, set_up),
		cmocka_unit_test_setup(test_unknown, set_up),
		cmocka_unit_test_setup(test_unknown_comes_first, set_up),
		cmocka_unit_test_setup(test_ignored, set_up),
		cmocka_unit_test_setup(test_reading_is_open, set_up),
		cmocka_unit_test_setup(test_bind, set_up),
		cmocka_unit_test_setup(test_waiting, set_up),
		cmocka_unit_test(test_good_tables),
		cmocka_unit_test(test_wrong_tables),
		cmocka_unit_test(test_the_place_of_a_wrong_param),
		cmocka_unit_test_setup(test_state_too_small, set_up),
		cmocka_unit_test_setup(test_schema, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
