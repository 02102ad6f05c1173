/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include "mcp_talk.h"
#include "quash/mcp.h"

enum { TOKEN = 8 };

/* --- The server under test */

struct sum {
	int32_t a, b, sum;
};

static const quash_param add_list[] = {
	QUASH_ARG_INT(struct sum, a, -99, 99, "one"),
	QUASH_ARG_INT_OR(struct sum, b, -99, 99, 1, "other"),
};
static const quash_param sum_list[] = { QUASH_ARG_INT(struct sum, sum, -198, 198, NULL) };
static const quash_params add_params = QUASH_PARAMS(struct sum, add_list);
static const quash_params sum_params = QUASH_PARAMS(struct sum, sum_list);

static int32_t add(quash_request *request, void *tool_state)
{
	struct sum *const s = tool_state;
	s->sum = s->a + s->b;
	return quash_mcp_struct(request, s);
}

struct say {
	quash_value text;
	uint8_t calls;
};

static const quash_param say_list[] = { QUASH_ARG_STRING(struct say, text, NULL) };
static const quash_params say_params = QUASH_PARAMS(struct say, say_list);

static int32_t say_back(quash_request *request, void *tool_state)
{
	return quash_mcp_struct(request, tool_state);
}

/* Its text is there at the first call and gone at the second. */
static int32_t say_late(quash_request *request, void *tool_state)
{
	struct say *const s = tool_state;
	if (s->calls++ == 0)
		return quash_is(s->text, "x") ? QUASH_PENDING : QUASH_INTERNAL_ERROR;
	return quash_mcp_text(request, quash_kind_of(s->text) == QUASH_NONE ? "gone" : "there");
}

struct work {
	int32_t steps;
	int32_t done;
};

static const quash_param work_list[] = { QUASH_ARG_INT(struct work, steps, 0, 1000, NULL) };
static const quash_params work_params = QUASH_PARAMS(struct work, work_list);

static unsigned calls, ends;
static quash_cause end_cause;

static int32_t work(quash_request *request, void *tool_state)
{
	struct work *const w = tool_state;
	calls++;
	if (w->done == w->steps)
		return quash_mcp_text(request, "worked");
	w->done++;
	quash_mcp_progress(request, (uint32_t)w->done, (uint32_t)w->steps, NULL);
	return QUASH_PENDING;
}

static void work_end(quash_request *request, void *tool_state)
{
	const struct work *const w = tool_state;
	assert_in_range((uint32_t)w->done, 0, (uint32_t)w->steps);
	ends++;
	end_cause = quash_cancelled(request);
}

/* Tells progress that goes back and forth, without total. */
static int32_t waver(quash_request *request, void *tool_state)
{
	static const uint32_t values[] = { 0, 0, 5, 4, 5, 6, UINT32_MAX, 7 };
	(void)tool_state;
	for (size_t i = 0; i < COUNT_OF(values); i++)
		quash_mcp_progress(request, values[i], 0, "so \"far\"");
	return quash_mcp_text(request, "");
}

static int32_t broken(quash_request *request, void *tool_state)
{
	(void)tool_state;
	return quash_mcp_failure(request, "no \"water\"");
}

static int32_t link_to(quash_request *request, void *tool_state)
{
	(void)tool_state;
	quash_put_raw(quash_mcp_content(request, false), "{\"type\":\"resource_link\",\"uri\":\"a:b\","
							 "\"name\":\"c\"}");
	return quash_send(request);
}

static int32_t wrong(quash_request *request, void *tool_state)
{
	return quash_mcp_struct(request, tool_state);
}

static const quash_mcp_tool tools[] = {
	{ .name = "add", .title = "Sum", .description = "adds", .args = &add_params, .output = &sum_params,
	  .call = add,
	  .hints = QUASH_MCP_READ_ONLY | QUASH_MCP_ADDITIVE | QUASH_MCP_IDEMPOTENT | QUASH_MCP_CLOSED_WORLD },
	{ .name = "say", .args = &say_params, .output = &say_params, .call = say_back },
	{ .name = "say_late", .args = &say_params, .call = say_late },
	{ .name = "work", .args = &work_params, .call = work, .end = work_end, .marks = QUASH_DROPS },
	{ .name = "late", .args = &work_params, .call = work, .end = work_end, .deadline = 5 },
	{ .name = "waver", .call = waver, .output_schema = "{\"type\":\"object\"}" },
	{ .name = "broken", .call = broken },
	{ .name = "link", .call = link_to },
	{ .name = "wrong", .call = wrong },
};

static quash_mcp_session session;

static const quash_mcp_server server = {
	.name = "unit", .version = "1", .title = "Unit", .instructions = "Test.", .tools = tools,
	.session = &session, .ttl = 1000, .tool_count = COUNT_OF(tools), .page = 4, .token_size = TOKEN,
};
static const quash_mcp_server plain_server = {
	.name = "plain", .version = "2", .tools = tools, .session = &session, .tool_count = 2,
};

static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };
static const quash_method plain_methods[] = { QUASH_MCP_METHODS(&plain_server) };

/* --- Talking */

#define MODERN "'resultType':'complete','_meta':{'io.modelcontextprotocol/serverInfo':" \
	       "{'name':'unit','title':'Unit','version':'1'}}"

enum { STATE = (QUASH_MCP_STATE(TOKEN, sizeof(struct say)) + 7) / 8 * 8 };
static void start_with(const quash_method *list, uint8_t count, quash_size state_size, quash_size tx_size)
{
	session.version = NULL;
	calls = ends = 0;
	end_cause = QUASH_NOT_CANCELLED;
	mcp_start(list, count, state_size, tx_size);
}

#define INITIALIZED(id, version) \
	RESULT(id, "'protocolVersion':'" version "','capabilities':{'tools':{}},'instructions':'Test.'," \
	       "'serverInfo':{'name':'unit','title':'Unit','version':'1'}")

static int set_up(void **state)
{
	(void)state;
	start_with(methods, COUNT_OF(methods), STATE, LOOP_TX);
	return 0;
}

static int set_up_legacy(void **state)
{
	set_up(state);
	mcp_check(INITIALIZE("0", "2025-11-25"), INITIALIZED("0", "2025-11-25"));
	return 0;
}

/* --- Beginning */

static void test_versions(void **state)
{
	mcp_check(INITIALIZE("1", "2024-11-05"), INITIALIZED("1", "2024-11-05"));
	set_up(state);
	mcp_check(INITIALIZE("1", "2025-03-26"), INITIALIZED("1", "2025-03-26"));
	set_up(state);
	mcp_check(INITIALIZE("1", "2025-06-18"), INITIALIZED("1", "2025-06-18"));
	set_up(state);
	mcp_check(INITIALIZE("1", "2026-07-28"), INITIALIZED("1", "2025-11-25"));
	set_up(state);
	mcp_check(INITIALIZE("1", ""), INITIALIZED("1", "2025-11-25"));
}

static void test_initialize_twice(void **state)
{
	(void)state;
	mcp_check(INITIALIZE("1", "2025-06-18") "\n" INITIALIZE("2", "2025-06-18"),
	      INITIALIZED("1", "2025-06-18") ERROR("2", "-32600", "Already initialized"));
	mcp_check("{'jsonrpc':'2.0','method':'notifications/initialized'}", "");
	mcp_check(INITIALIZE("1", "2025-06-18"), ERROR("1", "-32600", "Already initialized"));
}

static void test_initialize_without_version(void **state)
{
	(void)state;
	mcp_check(REQUEST("1", "initialize", ""), ERROR("1", "-32602", "Missing protocolVersion"));
	mcp_check("{'jsonrpc':'2.0','id':1,'method':'initialize'}", ERROR("1", "-32602", "Missing "
	      "protocolVersion"));
	mcp_check(INITIALIZE("1", "2025-06-18"), INITIALIZED("1", "2025-06-18"));
}

static void test_initialize_is_not_cancelled(void **state)
{
	(void)state;
	mcp_check(INITIALIZE("1", "2025-06-18") "\n"
	      "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':1}}",
	      INITIALIZED("1", "2025-06-18"));
}

static void test_call_right_behind_initialize(void **state)
{
	(void)state;
	mcp_check(INITIALIZE("1", "2025-11-25") "\n" CALL("2", "add", "'a':1"),
	      INITIALIZED("1", "2025-11-25")
	      RESULT("2", "'content':[{'type':'text','text':'{\\'sum\\':2}'}],'structuredContent':{'sum':"
		     "2}"));
}

static void test_before_initialize(void **state)
{
	static const char missing[] =
		ERROR("1", "-32602", "Missing initialize, or _meta io.modelcontextprotocol/protocolVersion");
	(void)state;
	mcp_check("{'jsonrpc':'2.0','id':1,'method':'ping'}", RESULT("1", ""));
	mcp_check(REQUEST("1", "tools/list", ""), missing);
	mcp_check(CALL("1", "add", "'a':1"), missing);
	mcp_check(REQUEST("1", "server/discover", "'_meta':{}"), missing);
	assert_int_equal(calls, 0);
}

/* --- tools/list */

#define SCHEMA(properties) "'inputSchema':{'type':'object','properties':{" properties "}"
#define INTEGER(name, from, to, more) "'" name "':{'type':'integer','minimum':" from ",'maximum':" to more "}"
#define ADD_TOOL "{'name':'add','title':'Sum','description':'adds'," \
	SCHEMA(INTEGER("a", "-99", "99", ",'description':'one'") "," \
	       INTEGER("b", "-99", "99", ",'default':1,'description':'other'")) ",'required':['a']}," \
	"'outputSchema':{'type':'object','properties':{" INTEGER("sum", "-198", "198", "") "},'required':" \
	"['sum']}," \
	"'annotations':{'readOnlyHint':true,'destructiveHint':false,'idempotentHint':true,'openWorldHint':" \
	"false}}"
#define TEXT_PROPERTY "'text':{'type':'string'}"
#define SAY_TOOL "{'name':'say'," SCHEMA(TEXT_PROPERTY) ",'required':['text']}," \
	"'outputSchema':{'type':'object','properties':{" TEXT_PROPERTY "},'required':['text']}}"
#define STEPS(name) "{'name':'" name "'," SCHEMA(INTEGER("steps", "0", "1000", "")) ",'required':['steps']}}"
#define BARE(name, more) "{'name':'" name "'," SCHEMA("") "}" more "}"
#define PAGE_1 "'tools':[" ADD_TOOL "," SAY_TOOL ",{'name':'say_late'," SCHEMA(TEXT_PROPERTY) \
	",'required':['text']}}," STEPS("work") "],'nextCursor':'4'"
#define PAGE_2 "'tools':[" STEPS("late") "," BARE("waver", ",'outputSchema':{'type':'object'}") "," \
	BARE("broken", "") "," BARE("link", "") "],'nextCursor':'8'"
#define PAGE_3 "'tools':[" BARE("wrong", "") "]"
#define CACHE ",'ttlMs':1000,'cacheScope':'public'"

static void test_list_pages(void **state)
{
	(void)state;
	mcp_check(REQUEST("1", "tools/list", ""), RESULT("1", PAGE_1));
	mcp_check("{'jsonrpc':'2.0','id':1,'method':'tools/list'}", RESULT("1", PAGE_1));
	mcp_check(REQUEST("1", "tools/list", "'cursor':'4'"), RESULT("1", PAGE_2));
	mcp_check(REQUEST("1", "tools/list", "'cursor':'8'"), RESULT("1", PAGE_3));
}

static void test_bad_cursors(void **state)
{
	(void)state;
	mcp_check(REQUEST("1", "tools/list", "'cursor':''"), ERROR("1", "-32602", "Invalid cursor"));
	mcp_check(REQUEST("1", "tools/list", "'cursor':'0'"), ERROR("1", "-32602", "Invalid cursor"));
	mcp_check(REQUEST("1", "tools/list", "'cursor':'04'"), ERROR("1", "-32602", "Invalid cursor"));
	mcp_check(REQUEST("1", "tools/list", "'cursor':'5'"), ERROR("1", "-32602", "Invalid cursor"));
	mcp_check(REQUEST("1", "tools/list", "'cursor':'12'"), ERROR("1", "-32602", "Invalid cursor"));
	mcp_check(REQUEST("1", "tools/list", "'cursor':'260'"), ERROR("1", "-32602", "Invalid cursor"));
	mcp_check(REQUEST("1", "tools/list", "'cursor':'4x'"), ERROR("1", "-32602", "Invalid cursor"));
	mcp_check(REQUEST("1", "tools/list", "'cursor':'4444444444444'"), ERROR("1", "-32602", "Invalid cursor"));
	mcp_check(REQUEST("1", "tools/list", "'cursor':4"), ERROR("1", "-32602", "Invalid cursor"));
	mcp_check(REQUEST("1", "tools/list", "'cursor':null"), ERROR("1", "-32602", "Invalid cursor"));
}

static void test_list_without_pages(void **state)
{
	(void)state;
	start_with(plain_methods, COUNT_OF(plain_methods), STATE, LOOP_TX);
	mcp_check(INITIALIZE("1", "2025-11-25"),
	      RESULT("1", "'protocolVersion':'2025-11-25','capabilities':{'tools':{}},"
			  "'serverInfo':{'name':'plain','version':'2'}"));
	mcp_check(REQUEST("1", "tools/list", ""), RESULT("1", "'tools':[" ADD_TOOL "," SAY_TOOL "]"));
	mcp_check(REQUEST("1", "tools/list", "'cursor':'1'"), ERROR("1", "-32602", "Invalid cursor"));
}

/* --- tools/call */

static void test_results(void **state)
{
	(void)state;
	mcp_check(CALL("1", "work", "'steps':0"), TEXT("1", "worked"));
	mcp_check(CALL("1", "broken", ""), FAILURE("1", "no \\'water\\'"));
	mcp_check(REQUEST("1", "tools/call", "'name':'link'"),
	      RESULT("1", "'content':[{'type':'resource_link','uri':'a:b','name':'c'}]"));
	mcp_check(CALL("1", "wrong", ""), ERROR("1", "-32603", "Internal error"));
}

static void test_structured(void **state)
{
	(void)state;
	mcp_check(CALL("1", "add", "'a':-5,'b':3"),
	      RESULT("1", "'content':[{'type':'text','text':'{\\'sum\\':-2}'}],'structuredContent':{'sum':"
		     "-2}"));
	mcp_check(CALL("1", "say", "'text':'\\u0001\\\\ \\' and more than one piece of it \\u20ac'"),
	      RESULT("1", "'content':[{'type':'text','text':'{\\'text\\':\\'\\\\u0001\\\\\\\\ \\\\\\' and "
		     "more than one "
			  "piece of it \xe2\x82\xac\\'}'}],'structuredContent':{'text':'\\u0001\\\\ \\' "
			  "and more than "
			  "one piece of it \xe2\x82\xac'}"));
}

static void test_borrowed_text_goes(void **state)
{
	(void)state;
	mcp_check(CALL("1", "say_late", "'text':'x'"), TEXT("1", "gone"));
}

static void test_no_such_tool(void **state)
{
	(void)state;
	mcp_check(CALL("1", "work2", ""), ERROR("1", "-32602", "Unknown tool"));
	mcp_check(CALL("1", "", ""), ERROR("1", "-32602", "Unknown tool"));
	mcp_check(REQUEST("1", "tools/call", ""), ERROR("1", "-32602", "name must be a string"));
	mcp_check(REQUEST("1", "tools/call", "'name':1"), ERROR("1", "-32602", "name must be a string"));
	mcp_check("{'jsonrpc':'2.0','id':1,'method':'tools/call'}", ERROR("1", "-32602", "name must be a "
	      "string"));
}

static void test_bad_arguments(void **state)
{
	(void)state;
	mcp_check(CALL("1", "add", ""), FAILURE("1", "a: is required"));
	mcp_check(CALL("1", "add", "'a':100"), FAILURE("1", "a: must be an integer from -99 to 99"));
	mcp_check(REQUEST("1", "tools/call", "'name':'add'"), FAILURE("1", "a: is required"));
	mcp_check(REQUEST("1", "tools/call", "'name':'add','arguments':[]"),
	      ERROR("1", "-32602", "arguments must be an object"));
	mcp_check(REQUEST("1", "tools/call", "'name':'add','arguments':null"),
	      ERROR("1", "-32602", "arguments must be an object"));
	mcp_check(CALL("1", "work", "'steps':'1'"), FAILURE("1", "steps: must be an integer from 0 to 1000"));
	assert_int_equal(calls, 0);
	assert_int_equal(ends, 0);
}

static void test_end_hook(void **state)
{
	(void)state;
	mcp_check(CALL("1", "work", "'steps':3"), TEXT("1", "worked"));
	assert_int_equal(calls, 4);
	assert_int_equal(ends, 1);
	assert_int_equal(end_cause, QUASH_NOT_CANCELLED);
}

/* --- Progress */

static void test_progress(void **state)
{
	(void)state;
	mcp_check(CALL_WITH("1", "work", "'steps':3", "'_meta':{'progressToken':7}"),
	      PROGRESS("7", "'progress':1,'total':3") PROGRESS("7", "'progress':2,"
		       "'total':3") TEXT("1", "worked"));
	mcp_check(CALL_WITH("1", "work", "'steps':2", "'_meta':{'progressToken':'7'}"),
	      PROGRESS("'7'", "'progress':1,'total':2") TEXT("1", "worked"));
	mcp_check(CALL_WITH("1", "work", "'steps':2", "'_meta':{'progressToken':0}"),
	      PROGRESS("0", "'progress':1,'total':2") TEXT("1", "worked"));
	mcp_check(CALL_WITH("1", "work", "'steps':2", "'_meta':{'progressToken':''}"),
	      PROGRESS("''", "'progress':1,'total':2") TEXT("1", "worked"));
	mcp_check(CALL_WITH("1", "work", "'steps':2", "'_meta':{'progressToken':'a\\'b\\nc\\u0000d'}"),
	      PROGRESS("'a\\'b\\nc\\u0000d'", "'progress':1,'total':2") TEXT("1", "worked"));
}

static void test_progress_rises(void **state)
{
	(void)state;
	mcp_check(CALL_WITH("1", "waver", "", "'_meta':{'progressToken':-1}"),
	      PROGRESS("-1", "'progress':0,'message':'so \\'far\\''")
	      PROGRESS("-1", "'progress':5,'message':'so \\'far\\''")
	      PROGRESS("-1", "'progress':6,'message':'so \\'far\\''")
	      PROGRESS("-1", "'progress':4294967295,'message':'so \\'far\\''") TEXT("1", ""));
}

static void test_no_progress(void **state)
{
	(void)state;
	mcp_check(CALL("1", "work", "'steps':2"), TEXT("1", "worked"));
	mcp_check(CALL_WITH("1", "work", "'steps':2", "'_meta':{'progressToken':null}"), TEXT("1", "worked"));
	mcp_check(CALL_WITH("1", "work", "'steps':2", "'_meta':{'progressToken':1.5}"), TEXT("1", "worked"));
	mcp_check(CALL_WITH("1", "work", "'steps':2", "'_meta':{'progressToken':{}}"), TEXT("1", "worked"));
	mcp_check(CALL_WITH("1", "work", "'steps':2", "'_meta':{'progressToken':"
			"'123456789'}"), TEXT("1", "worked"));
	mcp_check(CALL_WITH("1", "work", "'steps':2", "'_meta':{'progressToken':"
			"123456789}"), TEXT("1", "worked"));
	mcp_check(CALL_WITH("1", "work", "'steps':2", "'_meta':7"), TEXT("1", "worked"));
}

/* --- Cancelling */

static void test_cancel(void **state)
{
	(void)state;
	mcp_say(CALL_WITH("1", "work", "'steps':9", "'_meta':{'progressToken':1}"));
	loop_step(&mcp, 1);
	assert_string_equal(loop_heard(&mcp), mcp_quoted(PROGRESS("1", "'progress':1,'total':9")));
	mcp_check(CANCEL("1"), "");
	assert_int_equal(calls, 1);
	assert_int_equal(ends, 1);
	assert_int_equal(end_cause, QUASH_BY_OTHER_SIDE);
}

static void test_cancel_without_drops(void **state)
{
	(void)state;
	mcp_say(CALL_WITH("1", "late", "'steps':4", "'_meta':{'progressToken':1}"));
	loop_step(&mcp, 0);
	loop_heard(&mcp);
	mcp_check(CANCEL("1"), "");
	assert_int_equal(calls, 5);
	assert_int_equal(ends, 1);
}

static void test_cancel_before_start(void **state)
{
	(void)state;
	mcp_check(CALL("1", "work", "'steps':9") "\n" CANCEL("1") "\n" CALL("2", "work", "'steps':1"),
	      TEXT("2", "worked"));
	assert_int_equal(calls, 2);
	assert_int_equal(ends, 1);
}

static void test_deadline(void **state)
{
	(void)state;
	mcp_check(CALL("1", "late", "'steps':3"), TEXT("1", "worked"));
	mcp_check(CALL("1", "late", "'steps':100"), ERROR("1", "-32800", "Request cancelled"));
	assert_int_equal(end_cause, QUASH_BY_DEADLINE);
	assert_int_equal(ends, 2);
}

/* --- 2026-07-28 */

static void test_discover(void **state)
{
	(void)state;
	mcp_check(REQUEST("'p'", "server/discover", META),
	      RESULT("'p'", MODERN ",'supportedVersions':['2026-07-28'],'capabilities':{'tools':{}},"
			    "'instructions':'Test.'" CACHE));
}

static void test_modern_calls(void **state)
{
	(void)state;
	mcp_check(CALL_WITH("1", "add", "'a':1", META),
	      RESULT("1", MODERN ",'content':[{'type':'text','text':'{\\'sum\\':2}'}],'structuredContent':{"
		     "'sum':2}"));
	mcp_check(CALL_WITH("1", "add", "'a':'1'", META),
	      RESULT("1", MODERN ",'isError':true,'content':[{'type':'text','text':"
			  "'a: must be an integer from -99 to 99'}]"));
	mcp_check(CALL_WITH("1", "work", "'steps':2", META),
	      RESULT("1", MODERN ",'content':[{'type':'text','text':'worked'}]"));
	mcp_check(CALL_WITH("1", "nix", "", META), ERROR("1", "-32602", "Unknown tool"));
	mcp_check(REQUEST("1", "tools/list", "'cursor':'8'," META), RESULT("1", MODERN "," PAGE_3 CACHE));
}

static void test_modern_refusals(void **state)
{
	(void)state;
	mcp_check(REQUEST("1", "tools/list", "'_meta':{'io.modelcontextprotocol/protocolVersion':'1900-01-01'}"),
	      "{'jsonrpc':'2.0','id':1,'error':{'code':-32022,'message':'Unsupported protocol version',"
	      "'data':{'supported':['2026-07-28'],'requested':'1900-01-01'}}}\n");
	mcp_check(REQUEST("1", "tools/call", "'_meta':{'io.modelcontextprotocol/protocolVersion':'2025-11-25'}"),
	      "{'jsonrpc':'2.0','id':1,'error':{'code':-32022,'message':'Unsupported protocol version',"
	      "'data':{'supported':['2026-07-28'],'requested':'2025-11-25'}}}\n");
	mcp_check(REQUEST("1", "tools/list", "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28'}"),
	      ERROR("1", "-32602", "Missing _meta io.modelcontextprotocol/clientCapabilities"));
	mcp_check(REQUEST("1", "server/discover", "'_meta':{'io.modelcontextprotocol/protocolVersion':1}"),
	      ERROR("1", "-32602", "_meta io.modelcontextprotocol/protocolVersion must be a string"));
	mcp_check(REQUEST("1", "ping", META), ERROR("1", "-32601", "Method not found"));
}

static void test_both_eras(void **state)
{
	(void)state;
	mcp_check(CALL_WITH("1", "work", "'steps':0", META) "\n" CALL("2", "work", "'steps':0"),
	      RESULT("1", MODERN ",'content':[{'type':'text','text':'worked'}]") TEXT("2", "worked"));
	mcp_check(REQUEST("1", "server/discover", ""), ERROR("1", "-32602", "Missing _meta "
		      "io.modelcontextprotocol/protocolVersion"));
}

/* --- Room */

static const char *const long_talk[][2] = {
	{ INITIALIZE("1", "2025-11-25"), INITIALIZED("1", "2025-11-25") },
	{ REQUEST("2", "tools/list", ""), RESULT("2", PAGE_1) },
	{ CALL("'0123456789012345678901234567890123456789'", "work", "'steps':2"),
	  TEXT("'0123456789012345678901234567890123456789'", "worked") },
	{ REQUEST("'9876543210987654321098765432109876543210'", "ping", ""),
	  RESULT("'9876543210987654321098765432109876543210'", "") },
	{ CALL("3", "say", "'text':'a text that is longer than the smallest TX, in both of its places'"),
	  RESULT("3", "'content':[{'type':'text','text':"
		      "'{\\'text\\':\\'a text that is longer than the smallest TX, in both of its places\\'}'"
		      "}],"
		      "'structuredContent':"
		      "{'text':'a text that is longer than the smallest TX, in both of its places'}") },
	{ CALL("4", "add", "'a':'x'"), FAILURE("4", "a: must be an integer from -99 to 99") },
	{ REQUEST("5", "server/discover", META),
	  RESULT("5", MODERN ",'supportedVersions':['2026-07-28'],'capabilities':{'tools':{}},"
		      "'instructions':'Test.'" CACHE) },
	{ REQUEST("1", "tools/list", "'_meta':{'io.modelcontextprotocol/protocolVersion':'1900-01-01'}"),
	  "{'jsonrpc':'2.0','id':1,'error':{'code':-32022,'message':'Unsupported protocol version',"
	  "'data':{'supported':['2026-07-28'],'requested':'1900-01-01'}}}\n" },
};

static void test_small_tx(void **state)
{
	(void)state;
	for (quash_size size = QUASH_TX_MIN; size < 200; size++) {
		start_with(methods, COUNT_OF(methods), STATE, size);
		for (size_t i = 0; i < COUNT_OF(long_talk); i++)
			mcp_check(long_talk[i][0], long_talk[i][1]);
		assert_int_equal(mcp.peer.counters.changed, 0);
		assert_int_equal(ends, 1);
	}
}

/* All at once: the answers may overtake each other, but none is changed. */
static void test_small_tx_and_haste(void **state)
{
	(void)state;
	for (quash_size size = QUASH_TX_MIN; size < 400; size += 3) {
		size_t length = 0;
		start_with(methods, COUNT_OF(methods), STATE, size);
		for (size_t i = 0; i < LOOP_SLOTS - 1; i++)
			mcp_say(long_talk[i][0]);
		loop_settle(&mcp, 2000);
		const char *const heard = loop_heard(&mcp);
		for (size_t i = 0; i < LOOP_SLOTS - 1; i++) {
			assert_non_null(strstr(heard, mcp_quoted(long_talk[i][1])));
			length += strlen(long_talk[i][1]);
		}
		assert_int_equal(strlen(heard), length);
	}
}

/* The link breaks while the answer to `initialize` leaves, and the session goes with it. */
static void test_session_goes_with_its_link(void **state)
{
	(void)state;
	start_with(methods, COUNT_OF(methods), STATE, QUASH_TX_MIN);
	mcp.stalled = true;
	mcp_say(INITIALIZE("1", "2025-11-25"));
	loop_step(&mcp, 1);
	assert_int_equal(quash_live_count(&mcp.peer), 1);
	mcp.stalled = false;
	quash_reopen(&mcp.peer);
	session.version = NULL;
	mcp_check(INITIALIZE("2", "2025-06-18"), INITIALIZED("2", "2025-06-18"));
}

static void test_small_state(void **state)
{
	(void)state;
	start_with(methods, COUNT_OF(methods), 8, LOOP_TX);
	mcp_check(INITIALIZE("1", "2025-11-25"), ERROR("1", "-32603", "Internal error"));
	mcp_check(CALL_WITH("1", "work", "'steps':0", META), ERROR("1", "-32603", "Internal error"));
	start_with(methods, COUNT_OF(methods), sizeof(quash_mcp_slot), LOOP_TX);
	mcp_check(INITIALIZE("1", "2025-11-25"), INITIALIZED("1", "2025-11-25"));
	mcp_check(CALL_WITH("1", "work", "'steps':0", META), ERROR("1", "-32603", "Internal error"));
	assert_int_equal(calls, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_versions, set_up),
		cmocka_unit_test_setup(test_initialize_twice, set_up),
		cmocka_unit_test_setup(test_initialize_without_version, set_up),
		cmocka_unit_test_setup(test_initialize_is_not_cancelled, set_up),
		cmocka_unit_test_setup(test_call_right_behind_initialize, set_up),
		cmocka_unit_test_setup(test_before_initialize, set_up),
		cmocka_unit_test_setup(test_list_pages, set_up_legacy),
		cmocka_unit_test_setup(test_bad_cursors, set_up_legacy),
		cmocka_unit_test(test_list_without_pages),
		cmocka_unit_test_setup(test_results, set_up_legacy),
		cmocka_unit_test_setup(test_structured, set_up_legacy),
		cmocka_unit_test_setup(test_borrowed_text_goes, set_up_legacy),
		cmocka_unit_test_setup(test_no_such_tool, set_up_legacy),
		cmocka_unit_test_setup(test_bad_arguments, set_up_legacy),
		cmocka_unit_test_setup(test_end_hook, set_up_legacy),
		cmocka_unit_test_setup(test_progress, set_up_legacy),
		cmocka_unit_test_setup(test_progress_rises, set_up_legacy),
		cmocka_unit_test_setup(test_no_progress, set_up_legacy),
		cmocka_unit_test_setup(test_cancel, set_up_legacy),
		cmocka_unit_test_setup(test_cancel_without_drops, set_up_legacy),
		cmocka_unit_test_setup(test_cancel_before_start, set_up_legacy),
		cmocka_unit_test_setup(test_deadline, set_up_legacy),
		cmocka_unit_test_setup(test_discover, set_up),
		cmocka_unit_test_setup(test_modern_calls, set_up),
		cmocka_unit_test_setup(test_modern_refusals, set_up),
		cmocka_unit_test_setup(test_both_eras, set_up_legacy),
		cmocka_unit_test(test_small_tx),
		cmocka_unit_test(test_small_tx_and_haste),
		cmocka_unit_test(test_session_goes_with_its_link),
		cmocka_unit_test(test_small_state),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
