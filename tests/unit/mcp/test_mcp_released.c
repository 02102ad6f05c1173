/* SPDX-License-Identifier: MIT
 * The hooks of readings and prompts: `released` runs once, with the slot, if the handler was called. */
#include "unit.h"

#include "mcp_talk.h"
#include "quash/mcp.h"
#include "quash/mcp_prompts.h"
#include "quash/mcp_resources.h"

enum { TOKEN = 7 + (8 - sizeof(quash_mcp_slot) % 8) % 8 };

static unsigned ends, releases;

static int32_t has_ended(quash_request *request)
{
	(void)request;
	assert_int_equal(releases, 0);
	ends++;
	return QUASH_DONE;
}

static void is_released(quash_request *request)
{
	assert_non_null(quash_mcp_server_of(request));
	releases++;
}

static int32_t read_it(quash_request *request)
{
	return quash_mcp_read_text(request, "text");
}

static int32_t get_it(quash_request *request)
{
	return quash_mcp_prompt_text(request, "text");
}

static const quash_mcp_resource resource_list[] = {
	{ .uri = "r:held", .name = "held", .read = read_it, .end = has_ended, .released = is_released },
	{ .uri = "r:plain", .name = "plain", .read = read_it },
};
static const quash_mcp_prompt prompt_list[] = {
	{ .name = "held", .get = get_it, .end = has_ended, .released = is_released },
	{ .name = "plain", .get = get_it },
};
static const quash_mcp_resources resources = {
	.part = { &quash_mcp_resources_kind }, .list = resource_list, .count = COUNT_OF(resource_list) };
static const quash_mcp_prompts prompts = QUASH_MCP_PROMPT_LIST(prompt_list);
static const quash_mcp_part *const parts[] = { &resources.part, &prompts.part, NULL };
static quash_mcp_session session;
static const quash_mcp_server server = { .name = "holder", .version = "1", .session = &session, .parts = parts, .token_size = TOKEN };
static const quash_method methods[] = { QUASH_MCP_LEGACY(&server), QUASH_MCP_RESOURCES(&server), QUASH_MCP_PROMPTS(&server) };

static int set_up(void **state)
{
	(void)state;
	mcp_start(methods, COUNT_OF(methods), QUASH_MCP_STATE(TOKEN, 0), LOOP_TX);
	mcp_send(INITIALIZE("0", "2025-11-25"));
	loop_settle(&mcp, 2);
	(void)loop_heard(&mcp);
	ends = releases = 0;
	return 0;
}

#define READ(uri)   REQUEST("1", "resources/read", "'uri':'" uri "'")
#define GET(prompt) REQUEST("1", "prompts/get", "'name':'" prompt "'")
#define HELD(uri)   RESULT("1", "'contents':[{'uri':'" uri "','text':'text'}]")
#define GOT         RESULT("1", "'messages':[{'role':'user','content':{'type':'text','text':'text'}}]")

static void test_of_a_reading(void **state)
{
	(void)state;
	mcp_check(READ("r:held"), HELD("r:held"));
	assert_int_equal(ends, 1);
	assert_int_equal(releases, 1);
	mcp_check(READ("r:plain"), HELD("r:plain"));
	mcp_check(READ("r:none"), "{'jsonrpc':'2.0','id':1,'error':{'code':-32002,'message':'Resource not found','data':{'uri':'r:none'}}}\n");
	assert_int_equal(ends, 1);
	assert_int_equal(releases, 1);
}

static void test_of_a_prompt(void **state)
{
	(void)state;
	mcp_check(GET("held"), GOT);
	assert_int_equal(ends, 1);
	assert_int_equal(releases, 1);
	mcp_check(GET("plain"), GOT);
	mcp_check(GET("none"), ERROR("1", "-32602", "Unknown prompt"));
	assert_int_equal(ends, 1);
	assert_int_equal(releases, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_of_a_reading, set_up),
		cmocka_unit_test_setup(test_of_a_prompt, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
