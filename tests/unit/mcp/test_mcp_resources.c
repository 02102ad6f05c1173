/* SPDX-License-Identifier: MIT
 * Several resources and several templates: each is listed, read, watched and completed as the first one is. */
#include "unit.h"

#include <stdio.h>

#include "mcp_talk.h"
#include "quash.h"

/* --- The server: who reads says what the variables are */

static void put_variables(quash_writer *w, const quash_request *request)
{
	char x[8], y[8], text[64];
	const bool has_x = quash_mcp_variable(request, "x", x, sizeof x), has_y = quash_mcp_variable(request, "y", y, sizeof y);
	snprintf(text, sizeof text, "%s%s%s%s%s", quash_mcp_resource_of(request)->name, has_x ? " x=" : " no x", x, has_y ? " y=" : " no y", y);
	quash_put_text(w, text);
}

static int32_t read_variables(quash_request *request)
{
	return quash_mcp_read_put(request, put_variables);
}

static void put_two(quash_writer *w, const quash_request *request)
{
	for (unsigned i = 0; i < 2; i++) {
		quash_put_object(w);
		quash_put_key(w, "uri");
		quash_put_text(w, i == 0 ? quash_mcp_uri(request) : "a:other");
		quash_put_key(w, "text");
		quash_put_text(w, i == 0 ? "first" : "second");
		quash_put_end(w);
	}
}

static int32_t read_two(quash_request *request)
{
	return quash_mcp_contents(request, put_two);
}

static const quash_mcp_resource list[] = {
	QUASH_MCP_RESOURCE("a:1", "one", NULL, read_variables, 0),
	QUASH_MCP_RESOURCE("a:2", "two", "text/plain", read_variables, 0),
	QUASH_MCP_RESOURCE("a:3", "three", NULL, read_two, 0),
};
static const quash_mcp_resource templates[] = {
	QUASH_MCP_RESOURCE("a:{x}", "first", NULL, read_variables, 0),
	QUASH_MCP_RESOURCE("b:{x}/{y}", "second", "text/plain", read_variables, 0),
	QUASH_MCP_RESOURCE("b:{+y}", "third", NULL, read_variables, 0),
	{ .uri = "c:{x}", .name = "fourth", .read = read_two, .ttl = 70 },
};
static const quash_mcp_resources resources = QUASH_MCP_RESOURCE_LISTS(list, templates);

static const char *const values[] = { "red", "green", NULL };
static const quash_mcp_completer completers[] = {
	{ NULL, "a:{x}", "x", values, NULL },
	{ NULL, "b:{x}/{y}", "y", values, NULL },
	{ NULL, "c:{x}", "x", values, NULL },
};
static const quash_mcp_completion completion = QUASH_MCP_COMPLETERS(completers);
static const quash_mcp_part *const parts[] = { &resources.part, &completion.part, NULL };
QUASH_MCP_WATCHES(watches, 8, 20);
static quash_mcp_session session;
static const quash_mcp_server server = { .name = "s", .version = "1", .session = &session, .parts = parts, .modern = &quash_mcp_modern,
	.watches = &watches, .page = 1 };
static const quash_method methods[] = { QUASH_MCP_LEGACY(&server), QUASH_MCP_MODERN(&server), QUASH_MCP_RESOURCES(&server),
	QUASH_MCP_SUBSCRIBE(&server), QUASH_MCP_COMPLETION(&server) };

#define COMPLETE "'resultType':'complete','_meta':{'io.modelcontextprotocol/serverInfo':{'name':'s','version':'1'}},"
#define CACHE(ttl) "'ttlMs':" ttl ",'cacheScope':'public'"

static int set_up(void **state)
{
	(void)state;
	mcp_start(methods, COUNT_OF(methods), QUASH_MCP_STATE(7, 16), LOOP_TX);
	return 0;
}

static int set_up_legacy(void **state)
{
	set_up(state);
	mcp_send(INITIALIZE("0", "2025-11-25"));
	loop_settle(&mcp, 10);
	(void)loop_heard(&mcp);
	return 0;
}

/* --- Lists */

static void check_pages(const char *method, const char *member, const char *const *entries, unsigned count)
{
	char asked[300], expected[400], next[40];
	for (unsigned i = 0; i < count; i++) {
		snprintf(next, sizeof next, ",'nextCursor':'%u'", i + 1);
		snprintf(asked, sizeof asked, i > 0 ? REQUEST("1", "%s", "'cursor':'%u'") : REQUEST("1", "%s", ""), method, i);
		snprintf(expected, sizeof expected, RESULT("1", "'%s':[{%s}]%s"), member, entries[i], i < count - 1 ? next : "");
		mcp_check(asked, expected);
	}
}

static void test_lists(void **state)
{
	static const char *const listed[] = { "'uri':'a:1','name':'one'", "'uri':'a:2','name':'two','mimeType':'text/plain'", "'uri':'a:3','name':'three'" };
	static const char *const templated[] = { "'uriTemplate':'a:{x}','name':'first'", "'uriTemplate':'b:{x}/{y}','name':'second','mimeType':'text/plain'",
		"'uriTemplate':'b:{+y}','name':'third'", "'uriTemplate':'c:{x}','name':'fourth'" };
	(void)state;
	check_pages("resources/list", "resources", listed, COUNT_OF(listed));
	check_pages("resources/templates/list", "resourceTemplates", templated, COUNT_OF(templated));
}

/* --- Reading */

#define READ(uri) REQUEST("1", "resources/read", "'uri':'" uri "'," META)
#define READS(uri, type, text) \
	mcp_check(READ(uri), RESULT("1", COMPLETE CACHE("0") ",'contents':[{'uri':'" uri "'," type "'text':'" text "'}]"))
#define TWO(uri, ttl) \
	mcp_check(READ(uri), RESULT("1", COMPLETE CACHE(ttl) ",'contents':[{'uri':'" uri "','text':'first'},{'uri':'a:other','text':'second'}]"))

/* Of templates the first that fits, and what is listed before any. */
static void test_read(void **state)
{
	(void)state;
	READS("a:1", "", "one no x no y");
	READS("a:2", "'mimeType':'text/plain',", "two no x no y");
	TWO("a:3", "0");
	READS("a:4", "", "first x=4 no y");
	READS("b:1/2", "'mimeType':'text/plain',", "second x=1 y=2");
	READS("b:1", "", "third no x y=1");
	READS("b:1/2/3", "", "third no x y=1/2/3");
	TWO("c:any", "70");
}

static void test_no_such_resource(void **state)
{
	static const char *const uris[] = { "", "a", "a:", "a:1/2", "b:", "c:1/2", "d:1", "A:1" };
	char asked[300], expected[300];
	(void)state;
	for (size_t i = 0; i < COUNT_OF(uris); i++) {
		snprintf(asked, sizeof asked, READ("%s"), uris[i]);
		snprintf(expected, sizeof expected, "{'jsonrpc':'2.0','id':1,'error':{'code':-32602,'message':'Resource not found','data':{'uri':'%s'}}}\n", uris[i]);
		mcp_check(asked, expected);
	}
}

/* --- What is watched, and whose arguments are completed: of the list, of a template, and of its pattern */

static void test_watched(void **state)
{
	static const char *const known[] = { "a:1", "a:3", "a:4", "b:1/2", "b:1/2/3", "c:1" }, *const unknown[] = { "a:1/2", "d:1", "" };
	char asked[300], expected[300];
	(void)state;
	for (size_t i = 0; i < COUNT_OF(known); i++) {
		snprintf(asked, sizeof asked, REQUEST("1", "resources/subscribe", "'uri':'%s'"), known[i]);
		mcp_check(asked, RESULT("1", ""));
		assert_true(quash_mcp_updated(&mcp.peer, &server, known[i]));
		snprintf(expected, sizeof expected, "{'jsonrpc':'2.0','method':'notifications/resources/updated','params':{'uri':'%s'}}\n", known[i]);
		assert_string_equal(loop_heard(&mcp), mcp_quoted(expected));
	}
	for (size_t i = 0; i < COUNT_OF(unknown); i++) {
		snprintf(asked, sizeof asked, REQUEST("1", "resources/subscribe", "'uri':'%s'"), unknown[i]);
		snprintf(expected, sizeof expected, "{'jsonrpc':'2.0','id':1,'error':{'code':-32002,'message':'Resource not found','data':{'uri':'%s'}}}\n", unknown[i]);
		mcp_check(asked, expected);
		assert_true(quash_mcp_updated(&mcp.peer, &server, unknown[i]));
		assert_string_equal(loop_heard(&mcp), "");
	}
}

static void check_completed(const char *type, const char *uri, const char *argument, const char *result)
{
	char asked[300];
	snprintf(asked, sizeof asked, REQUEST("1", "completion/complete", "'ref':{'type':'%s','uri':'%s'},'argument':{'name':'%s','value':'g'}"),
		type, uri, argument);
	mcp_check(asked, result);
}

#define VALUES(values, count) RESULT("1", "'completion':{'values':[" values "],'total':" count ",'hasMore':false}")
#define NO_REF ERROR("1", "-32602", "Unknown ref")

static void test_completed(void **state)
{
	static const char *const unknown[] = { "d:1", "a:", "{x}", "c:{x}/{y}" };
	(void)state;
	check_completed("ref/resource", "a:{x}", "x", VALUES("'green'", "1"));
	check_completed("ref/resource", "b:{x}/{y}", "y", VALUES("'green'", "1"));
	check_completed("ref/resource", "c:{x}", "x", VALUES("'green'", "1"));
	check_completed("ref/resource", "b:{x}/{y}", "x", VALUES("", "0"));
	check_completed("ref/resource", "b:{+y}", "y", VALUES("", "0"));
	check_completed("ref/resource", "a:1", "x", VALUES("", "0"));
	check_completed("ref/resource", "a:4", "x", VALUES("", "0"));
	for (size_t i = 0; i < COUNT_OF(unknown); i++)
		check_completed("ref/resource", unknown[i], "x", NO_REF);
	check_completed("ref/prompt", "a:{x}", "x", NO_REF);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_lists, set_up_legacy),
		cmocka_unit_test_setup(test_read, set_up),
		cmocka_unit_test_setup(test_no_such_resource, set_up),
		cmocka_unit_test_setup(test_watched, set_up_legacy),
		cmocka_unit_test_setup(test_completed, set_up_legacy),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
