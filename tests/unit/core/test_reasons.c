/* SPDX-License-Identifier: MIT
 * Errors with data, where the config names the reasons. */
#include "device.h"

#include <stdio.h>

static int32_t returns(quash_request *request)
{
	int32_t code = 0;
	(void)quash_int32(quash_get(quash_params_of(request), "0"), &code);
	return code;
}

static int32_t busy(quash_request *request)
{
	(void)request;
	return QUASH_BUSY;
}

static void put_two(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_put_int(w, 1);
	quash_put_int(w, 2);
}

static int32_t unbalanced(quash_request *request)
{
	return quash_reply(request, put_two);
}

static int32_t own(quash_request *request)
{
	return quash_fail(request, QUASH_INTERNAL_ERROR, "mine");
}

static int32_t full(quash_request *request)
{
	return quash_fail(request, QUASH_BUSY, "no more");
}

struct larger {
	uint8_t bytes[LOOP_STATE + 8];
};

static int32_t asks_too_much(quash_request *request)
{
	(void)QUASH_STATE(struct larger, request);
	return QUASH_DONE;
}

static const quash_method list[] = {
	{ .name = "asks", .handler = asks_too_much },
	{ .name = "returns", .handler = returns },
	{ .name = "unbalanced", .handler = unbalanced },
	{ .name = "own", .handler = own },
	{ .name = "busy", .handler = busy },
	{ .name = "full", .handler = full },
};

#define WITH(id, code, text, data) \
	"{'jsonrpc':'2.0','id':" id ",'error':{'code':" code ",'message':'" text "','data':{'reason':" data "}}}\n"

#define TEXT_70 "0123456789012345678901234567890123456789012345678901234567890123456789"
#define MODERN "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28'}"

static void prepare(void)
{
	DEVICE_PREPARE(&quash_acp, list);
	device.config.arena_size = 64;
	device.config.reasons = &quash_reasons;
}

static int set_up(void **state)
{
	(void)state;
	prepare();
	device_begin();
	return 0;
}

static void test_reasons_of_internal_errors(void **state)
{
	(void)state;
	ANSWERS_TO(REQUEST_WITH("1", "returns", "[0]"), 2, WITH("1", "-32603", "Internal error", "'the handler ended without an answer'"));
	ANSWERS_TO(REQUEST_WITH("1", "returns", "[7]"), 2, WITH("1", "-32603", "Internal error", "'the handler returned a code that is no error'"));
	ANSWERS_TO(REQUEST_WITH("1", "returns", "[-32603]"), 2, WITH("1", "-32603", "Internal error", "'the handler answered with an error'"));
	ANSWERS_TO(REQUEST("1", "unbalanced"), 2, WITH("1", "-32603", "Internal error", "'a put function wrote no JSON'"));
	COUNTED(changed, 0);
}

static void test_sizes_of_what_has_no_room(void **state)
{
	(void)state;
	ANSWERS_TO(REQUEST_WITH("1", "returns", "['" TEXT_70 "']"), 2,
		WITH("1", "-32011", "Message too large", "'it is larger than the arena','is':64,'needs':80"));
	ANSWERS_TO(REQUEST_WITH("1", "returns", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"), 2,
		WITH("1", "-32011", "Message too large", "'it is nested too deep'"));
}

/* With an arena of what is needed there is room. */
static void test_what_is_needed_is_enough(void **state)
{
	(void)state;
	for (quash_size size = 70; size <= 80; size++) {
		char answer[200];
		prepare();
		device.config.arena_size = size;
		device_begin();
		snprintf(answer, sizeof answer,
			WITH("1", "-32011", "Message too large", "'it is larger than the arena','is':%u,'needs':80"), (unsigned)size);
		ANSWERS_TO(REQUEST_WITH("1", "returns", "['" TEXT_70 "']"), 2,
			size < 80 ? answer : WITH("1", "-32603", "Internal error", "'the handler ended without an answer'"));
	}
}

/* Its text has an apostrophe. */
static void state_is_small(size_t is, size_t needs)
{
	char expected[200];
	snprintf(expected, sizeof expected,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32603,\"message\":\"Internal error\",\"data\":{\"reason\":"
		"\"the config's state_size is too small\",\"is\":%u,\"needs\":%u}}}\n", (unsigned)is, (unsigned)needs);
	assert_string_equal(loop_heard(&device), expected);
}

static void test_a_handler_that_asks_for_more_state(void **state)
{
	(void)state;
	say(REQUEST("1", "asks"));
	steps(2);
	state_is_small(LOOP_STATE, sizeof(struct larger));
	COUNTED(misuses, 1);
}

/* The modern era of MCP has no codes for them, so the reasons tell them apart. */
static void test_reasons_of_the_modern_era(void **state)
{
	(void)state;
	device.config.dialect = &quash_mcp;
	device.config.arena_size = 160;
	device_begin();
	ANSWERS_TO(REQUEST_WITH("1", "busy", "{" MODERN "}"), 2, WITH("1", "-32603", "Busy", "'the handler answered with an error'"));
	ANSWERS_TO(REQUEST("1", "busy"), 2, BUSY("1"));
	ANSWERS_TO(REQUEST_WITH("1", "busy", "{'text':'" TEXT_70 "'," MODERN "}"), 2,
		WITH("1", "-32603", "Message too large", "'it is larger than the arena','is':160,'needs':163"));
}

/* Where these are all that has data, it is the text of the code that others get, whatever the program says. */
static void test_reasons_of_the_modern_era_alone(void **state)
{
	(void)state;
	device.config.reasons = &quash_modern_reasons;
	device.config.dialect = &quash_mcp;
	device.config.arena_size = 160;
	device_begin();
	ANSWERS_TO(REQUEST_WITH("1", "busy", "{" MODERN "}"), 2, WITH("1", "-32603", "Busy", "'Busy'"));
	ANSWERS_TO(REQUEST_WITH("1", "full", "{" MODERN "}"), 2, WITH("1", "-32603", "no more", "'Busy'"));
	ANSWERS_TO(REQUEST_WITH("1", "own", "{" MODERN "}"), 2, ERROR("1", "-32603", "mine"));
	ANSWERS_TO(REQUEST("1", "full"), 2, ERROR("1", "-32010", "no more"));
	ANSWERS_TO(REQUEST_WITH("1", "busy", "{'text':'" TEXT_70 "'," MODERN "}"), 2,
		WITH("1", "-32603", "Message too large", "'Message too large'"));
	ANSWERS_TO(REQUEST_WITH("1", "busy", "{'text':'" TEXT_70 TEXT_70 TEXT_70 "'}"), 2,
		ERROR("1", "-32011", "Message too large"));
	device.config.reasons = &quash_reasons;
	ANSWERS_TO(REQUEST_WITH("1", "full", "{" MODERN "}"), 2, WITH("1", "-32603", "no more", "'Busy'"));
}

/* Errors of other codes, and those with a text of the program's, are as without. */
static void test_errors_without_data(void **state)
{
	(void)state;
	ANSWERS_TO(REQUEST("1", "nobody"), 2, ERROR("1", "-32601", "Method not found"));
	ANSWERS_TO(REQUEST_WITH("1", "returns", "[-32602]"), 2, ERROR("1", "-32602", "Invalid params"));
	ANSWERS_TO(REQUEST("1", "own"), 2, ERROR("1", "-32603", "mine"));
	ANSWERS_TO("{", 2, ERROR("null", "-32700", "Parse error"));
	device.config.reasons = NULL;
	ANSWERS_TO(REQUEST_WITH("1", "returns", "[0]"), 2, INTERNAL("1"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_reasons_of_internal_errors, set_up),
		cmocka_unit_test_setup(test_sizes_of_what_has_no_room, set_up),
		cmocka_unit_test(test_what_is_needed_is_enough),
		cmocka_unit_test_setup(test_a_handler_that_asks_for_more_state, set_up),
		cmocka_unit_test_setup(test_reasons_of_the_modern_era, set_up),
		cmocka_unit_test_setup(test_reasons_of_the_modern_era_alone, set_up),
		cmocka_unit_test_setup(test_errors_without_data, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
