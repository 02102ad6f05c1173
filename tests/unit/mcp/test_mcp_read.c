/* SPDX-License-Identifier: MIT
 * Readings: what stands for a variable in the URI, and bytes that a put function puts. */
#include "unit.h"

#include <stdio.h>

#include "mcp_talk.h"
#include "quash/mcp.h"
#include "quash/mcp_resources.h"

/* States are of exactly the size that is needed: a multiple of 8. */
enum { NAME = 8, TOKEN = 7 + (8 - sizeof(quash_mcp_slot) % 8) % 8 };

struct named {
	char name[NAME];
};

static void put_named(quash_writer *w, const quash_request *request)
{
	quash_put_text(w, QUASH_CONST_TOOL(struct named, request)->name);
}

static int32_t read_named(quash_request *request)
{
	struct named *const n = QUASH_TOOL(struct named, request);
	memset(n->name, '?', sizeof n->name);
	if (!quash_mcp_variable(request, "name", n->name, sizeof n->name)) {
		assert_string_equal(n->name, "");
		return quash_mcp_no_resource(request);
	}
	return quash_mcp_read_put(request, put_named);
}

static void put_pieces(quash_writer *w, const quash_request *request)
{
	quash_mcp_base64 b;
	(void)request;
	quash_mcp_base64_open(&b, w);
	quash_mcp_base64_part(&b, "foo", 3);
	quash_mcp_base64_part(&b, "ba", 2);
	quash_mcp_base64_close(&b);
}

static int32_t read_pieces(quash_request *request)
{
	return quash_mcp_read_blob_put(request, put_pieces);
}

/* The first answer counts, and stays what it was. */
static int32_t read_twice(quash_request *request)
{
	assert_int_equal(quash_mcp_read_blob(request, "foobar", 6), QUASH_DONE);
	return quash_mcp_read_blob(request, "second", 3);
}

/* It is gone by the time that it is looked at: the params are, too. */
static int32_t read_gone(quash_request *request)
{
	uint8_t *const calls = QUASH_TOOL(uint8_t, request);
	return (*calls)++ == 0 ? QUASH_PENDING : quash_mcp_no_resource(request);
}

static const quash_mcp_resource list[] = { { .uri = "r:gone", .name = "gone", .read = read_gone, .state_size = 1 },
	{ .uri = "r:twice", .name = "twice", .read = read_twice },
	{ .uri = "r:pieces", .name = "pieces", .mime_type = "x/y", .read = read_pieces } };
static const quash_mcp_resource templates[] = {
	{ .uri = "n:{name}", .name = "named", .read = read_named, .state_size = sizeof(struct named) } };
static const quash_mcp_resources resources = QUASH_MCP_RESOURCE_LISTS(list, templates);
static const quash_mcp_part *const parts[] = { &resources.part, NULL };
static quash_mcp_session session;
static const quash_mcp_server server = { .name = "reader", .version = "1", .session = &session, .parts = parts, .token_size = TOKEN };
static const quash_method methods[] = { QUASH_MCP_LEGACY(&server), QUASH_MCP_RESOURCES(&server) };

static int set_up(void **state)
{
	(void)state;
	mcp_start(methods, COUNT_OF(methods), QUASH_MCP_STATE(TOKEN, sizeof(struct named)), LOOP_TX);
	mcp_check(INITIALIZE("0", "2025-11-25"),
		RESULT("0", "'protocolVersion':'2025-11-25','capabilities':{'resources':{}},'serverInfo':{'name':'reader','version':'1'}"));
	return 0;
}

#define READ(uri) REQUEST("1", "resources/read", "'uri':'" uri "'")

/* A percent sign and two hexadecimal digits are a byte; any other percent sign stands for itself. */
static void test_variable(void **state)
{
	static const struct {
		const char *coded, *name; /* NULL: it is refused */
	} cases[] = {
		{ "a", "a" },
		{ "%30", "0" },
		{ "%39", "9" },
		{ "%40", "@" },
		{ "%3a", ":" },
		{ "%3A", ":" },
		{ "%3f", "?" },
		{ "%3F", "?" },
		{ "%6Fx", "ox" },
		{ "%c3%A4", "\xC3\xA4" },
		{ "%01", "\\u0001" },
		{ "%", "%" },
		{ "%4", "%4" },
		{ "x%4", "x%4" },
		{ "%%41", "%A" },
		{ "%4g", "%4g" },
		{ "%g4", "%g4" },
		{ "%4G", "%4G" },
		{ "%4@", "%4@" },
		{ "%4`", "%4`" },
		{ "%4:", "%4:" },
		{ "%4.", "%4." },
		{ "%.4", "%.4" },
		{ "%:4", "%:4" },
		{ "%00", NULL },
		{ "a%00b", NULL },
		{ "seven_7", "seven_7" },
		{ "%73even_7", "seven_7" },
		{ "eight__8", NULL },
	};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char request[120], answer[160];
		snprintf(request, sizeof request, READ("n:%s"), cases[i].coded);
		if (cases[i].name != NULL)
			snprintf(answer, sizeof answer, RESULT("1", "'contents':[{'uri':'n:%s','text':'%s'}]"), cases[i].coded, cases[i].name);
		else
			snprintf(answer, sizeof answer, "{'jsonrpc':'2.0','id':1,'error':{'code':-32002,'message':'Resource not found','data':{'uri':'n:%s'}}}\n", cases[i].coded);
		mcp_check(request, answer);
	}
}

static void test_blob_in_pieces(void **state)
{
	(void)state;
	mcp_check(READ("r:pieces"), RESULT("1", "'contents':[{'uri':'r:pieces','mimeType':'x/y','blob':'Zm9vYmE='}]"));
}

static void test_first_blob_counts(void **state)
{
	(void)state;
	mcp_check(READ("r:twice"), RESULT("1", "'contents':[{'uri':'r:twice','blob':'Zm9vYmFy'}]"));
}

static void test_gone_in_the_end(void **state)
{
	(void)state;
	mcp_check(READ("r:gone"),
		"{'jsonrpc':'2.0','id':1,'error':{'code':-32002,'message':'Resource not found','data':{'uri':'r:gone'}}}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_variable, set_up),
		cmocka_unit_test_setup(test_blob_in_pieces, set_up),
		cmocka_unit_test_setup(test_gone_in_the_end, set_up),
		cmocka_unit_test_setup(test_first_blob_counts, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
