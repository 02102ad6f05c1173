/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <stdio.h>

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

static int32_t add(quash_request *request)
{
	struct sum *const s = QUASH_TOOL(struct sum, request);
	s->sum = s->a + s->b;
	return quash_mcp_struct(request);
}

/* A text that stays in the params. */
struct repeat {
	uint8_t calls;
};

static const quash_param repeat_list[] = { QUASH_ARG_STRING("text", NULL) };
static const quash_params repeat_params = QUASH_PARAMS_ONLY(repeat_list);
static const quash_params repeat_late_params = QUASH_PARAMS(struct repeat, repeat_list);

static void put_repeat(quash_writer *w, const quash_request *request)
{
	quash_put_object(w);
	quash_put_key(w, "text");
	quash_put_value(w, quash_mcp_argument(request, "text"));
}

static int32_t repeat(quash_request *request)
{
	return quash_mcp_structured(request, put_repeat);
}

#ifdef QUASH_CHECKED
/* Each answer has the same two values whenever it is put. */
static void put_by_turns(quash_writer *w, const quash_request *request)
{
	static bool on;
	(void)request;
	on = !on;
	quash_put_object(w);
	quash_put_key(w, "on\"");
	quash_put_int(w, on ? 1 : 2);
}

static int32_t by_turns(quash_request *request)
{
	return quash_mcp_structured(request, put_by_turns);
}

static const quash_mcp_tool turning_tools[] = { QUASH_MCP_TOOL("by_turns", NULL, NULL, by_turns, 0) };
#endif

static void put_text(quash_writer *w, const quash_request *request)
{
	quash_put_value(w, quash_mcp_argument(request, "text"));
}

/* Its text is still there at the third call. */
static int32_t repeat_late(quash_request *request)
{
	struct repeat *const r = QUASH_TOOL(struct repeat, request);
	return r->calls++ < 2 ? QUASH_PENDING : quash_mcp_reply(request, put_text);
}

struct work {
	int32_t steps;
	int32_t done;
};

static const quash_param work_list[] = { QUASH_ARG_INT(struct work, steps, 0, 1000, NULL) };
static const quash_params work_params = QUASH_PARAMS(struct work, work_list);

static unsigned calls, ends, releases;
static quash_cause end_cause;
static bool met; /* the tool itself has read the token `me` */

static int32_t work(quash_request *request)
{
	struct work *const w = QUASH_TOOL(struct work, request);
	const quash_value params = quash_params_of(request);
	assert_int_equal(quash_kind_of(params), w->done == 0 ? QUASH_OBJECT : QUASH_NONE);
	if (w->done == 0)
		met = quash_is(quash_get(params, "_meta.progressToken"), "me");
	calls++;
	if (w->done == w->steps)
		return quash_mcp_text(request, "worked");
	w->done++;
	(void)quash_mcp_progress(request, (uint32_t)w->done, (uint32_t)w->steps, NULL);
	return QUASH_PENDING;
}

static int32_t work_end(quash_request *request)
{
	const struct work *const w = QUASH_CONST_TOOL(struct work, request);
	assert_in_range((uint32_t)w->done, 0, (uint32_t)w->steps);
	ends++;
	end_cause = quash_cancelled(request);
	return QUASH_DONE;
}

static void work_released(quash_request *request)
{
	(void)request;
	assert_true(++releases <= ends);
}

/* Its motor needs three more steps to come to rest. */
static int32_t brake(quash_request *request)
{
	struct work *const w = QUASH_TOOL(struct work, request);
	if (w->done >= 0) {
		ends++;
		w->done = -3;
	}
	return ++w->done < 0 ? QUASH_PENDING : QUASH_DONE;
}

/* Reports progress that goes back and forth, without total. */
static int32_t waver(quash_request *request)
{
	static const uint32_t values[] = { 0, 0, 5, 4, 5, 6, UINT32_MAX, 7 };
	static const bool taken[] = { true, false, true, false, false, true, true, false };
	const bool asked = quash_is(quash_mcp_argument(request, "asked"), "yes");
	for (size_t i = 0; i < COUNT_OF(values); i++)
		assert_int_equal(quash_mcp_progress(request, values[i], 0, "so \"far\""), asked && taken[i]);
	return quash_mcp_text(request, "");
}

static int32_t broken(quash_request *request)
{
	return quash_mcp_failure(request, "no \"water\"");
}

static void put_why(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_put_string_open(w);
	quash_put_string_int(w, 7);
	quash_put_string_part(w, " valves", 7);
	quash_put_string_close(w);
}

static int32_t broken_too(quash_request *request)
{
	return quash_mcp_failure_put(request, put_why);
}

static void put_links(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_put_raw(w, "{\"type\":\"resource_link\",\"uri\":\"a:b\",\"name\":\"c\"}");
	quash_put_raw(w, "{\"type\":\"text\",\"text\":\"d\"}");
}

static int32_t links(quash_request *request)
{
	return quash_mcp_content(request, false, put_links);
}

static int32_t broken_links(quash_request *request)
{
	return quash_mcp_content(request, true, put_links);
}

static void put_list(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_put_raw(w, "[1,\"2\"]");
}

static int32_t json(quash_request *request)
{
	return quash_mcp_json(request, put_list);
}

static int32_t wrong(quash_request *request)
{
	return quash_mcp_struct(request);
}

/* The first answer stands, and so does what it reads. */
static int32_t twice(quash_request *request)
{
	(void)quash_mcp_text(request, "first");
	return quash_mcp_failure_put(request, put_why);
}

/* Tries until its progress is taken. */
static int32_t patient(quash_request *request)
{
	return quash_mcp_progress(request, 1, 0, NULL) ? quash_mcp_text(request, "waited") : QUASH_PENDING;
}

static quash_group motor;

static const quash_mcp_tool tools[] = {
	{ .name = "add", .title = "Sum", .description = "adds", .args = &add_params, .output = &sum_params,
	  .call = add,
	  .hints = QUASH_MCP_READ_ONLY | QUASH_MCP_ADDITIVE | QUASH_MCP_IDEMPOTENT | QUASH_MCP_CLOSED_WORLD },
	QUASH_MCP_TOOL_STRUCT("repeat", NULL, &repeat_params, &repeat_params, repeat, 0),
	QUASH_MCP_TOOL("repeat_late", NULL, &repeat_late_params, repeat_late, 0),
	{ .name = "work", .args = &work_params, .call = work, .end = work_end, .released = work_released,
	  .marks = QUASH_DROPS },
	{ .name = "late", .args = &work_params, .call = work, .end = work_end, .released = work_released, .deadline = 5 },
	{ .name = "waver", .call = waver, .output_schema = "{\"type\":\"object\"}" },
	QUASH_MCP_TOOL("broken", NULL, NULL, broken, 0),
	QUASH_MCP_TOOL("links", NULL, NULL, links, 0),
	QUASH_MCP_TOOL("wrong", NULL, NULL, wrong, 0),
	QUASH_MCP_TOOL("broken_too", NULL, NULL, broken_too, 0),
	QUASH_MCP_TOOL("broken_links", NULL, NULL, broken_links, 0),
	QUASH_MCP_TOOL("json", NULL, NULL, json, 0),
	QUASH_MCP_TOOL("twice", NULL, NULL, twice, 0),
	QUASH_MCP_TOOL("patient", NULL, NULL, patient, 0),
};

static const quash_mcp_tool moving_tools[] = {
	QUASH_MCP_TOOL_MOTION("move", NULL, &work_params, work, brake, "motor is busy", QUASH_NO_LIMIT, 300, &motor, 0),
	QUASH_MCP_TOOL_MOTION("home", NULL, &work_params, work, brake, NULL, 60000, 200, &motor, 0),
	QUASH_MCP_TOOL("blink", NULL, &work_params, work, 0),
};

static quash_mcp_session session;

static const quash_mcp_server server = {
	.name = "unit", .version = "1", .title = "Unit", .instructions = "Test.", .tools = tools,
	.modern = &quash_mcp_modern,
	.session = &session, .ttl = 1000, .tool_count = COUNT_OF(tools), .page = 4, .token_size = TOKEN,
};
static const quash_mcp_server moving_server = QUASH_MCP_SERVER("moving", "3", &session, moving_tools, TOKEN);
static const quash_mcp_server plain_server = {
	.name = "plain", .version = "2", .tools = tools, .modern = &quash_mcp_modern, .session = &session, .tool_count = 2,
};

#ifdef QUASH_CHECKED
static const quash_mcp_server turning_server = QUASH_MCP_SERVER("turning", "1", &session, turning_tools, TOKEN);
#endif

static const char *const host_names[] = { "toolCallId", "sessionId", NULL };
static const quash_mcp_server closed_server = {
	.name = "closed", .version = "1", .tools = tools, .session = &session, .tool_count = 3, .ignored = host_names, .closed = &quash_mcp_closed,
};

static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };
static const quash_method closed_methods[] = { QUASH_MCP_LEGACY(&closed_server), QUASH_MCP_TOOLS(&closed_server) };
static const quash_method plain_methods[] = { QUASH_MCP_METHODS(&plain_server) };
static const quash_method moving_methods[] = { QUASH_MCP_METHODS(&moving_server) };

/* --- Talking */

#define MODERN "'resultType':'complete','_meta':{'io.modelcontextprotocol/serverInfo':" \
	       "{'name':'unit','title':'Unit','version':'1'}}"

enum { STATE = (QUASH_MCP_STATE(TOKEN, sizeof(struct sum)) + 7) / 8 * 8 };
static void start_with(const quash_method *list, uint8_t count, quash_size state_size, quash_size tx_size)
{
	session.version = NULL;
	calls = ends = releases = 0;
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

/* The next client speaks: what the last one had begun is stopped in silence. */
static void test_initialize_twice(void **state)
{
	(void)state;
	mcp_check(INITIALIZE("1", "2025-06-18"), INITIALIZED("1", "2025-06-18"));
	mcp_check("{'jsonrpc':'2.0','method':'notifications/initialized'}", "");
	mcp_check_steps(2, CALL("2", "work", "'steps':9"), "");
	mcp_check(INITIALIZE("2", "2024-11-05"), INITIALIZED("2", "2024-11-05"));
	assert_int_equal(ends, 1);
	assert_int_equal(releases, 1);
	assert_int_equal(end_cause, QUASH_BY_SESSION);
	mcp_check(CALL("2", "work", "'steps':0"), TEXT("2", "worked"));
}

/* What is put of the first answer after that is what was measured before. */
static void test_initialize_while_the_last_answer_leaves(void **state)
{
	(void)state;
	start_with(methods, COUNT_OF(methods), STATE, QUASH_TX_MIN);
	mcp.stalled = true;
	mcp_send(INITIALIZE("1", "2025-06-18"));
	loop_step(&mcp, 1);
	mcp_send(INITIALIZE("2", "2024-11-05"));
	loop_step(&mcp, 1);
	mcp.stalled = false;
	loop_settle(&mcp, 2000);
	assert_string_equal(loop_heard(&mcp), mcp_quoted(INITIALIZED("1", "2025-06-18") INITIALIZED("2", "2024-11-05")));
	assert_int_equal(mcp.counters.changed, 0);
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
		ERROR("1", "-32602", "No initialize. Missing _meta io.modelcontextprotocol/protocolVersion");
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
#define REPEAT_TOOL "{'name':'repeat'," SCHEMA(TEXT_PROPERTY) ",'required':['text']}," \
	"'outputSchema':{'type':'object','properties':{" TEXT_PROPERTY "},'required':['text']}}"
#define STEPS(name) "{'name':'" name "'," SCHEMA(INTEGER("steps", "0", "1000", "")) ",'required':['steps']}}"
#define BARE(name, more) "{'name':'" name "'," SCHEMA("") "}" more "}"
#define PAGE_1 "'tools':[" ADD_TOOL "," REPEAT_TOOL ",{'name':'repeat_late'," SCHEMA(TEXT_PROPERTY) \
	",'required':['text']}}," STEPS("work") "],'nextCursor':'4'"
#define PAGE_2 "'tools':[" STEPS("late") "," BARE("waver", ",'outputSchema':{'type':'object'}") "," \
	BARE("broken", "") "," BARE("links", "") "],'nextCursor':'8'"
#define PAGE_3 "'tools':[" BARE("wrong", "") "," BARE("broken_too", "") "," BARE("broken_links", "") "," \
	BARE("json", "") "],'nextCursor':'12'"
#define PAGE_4 "'tools':[" BARE("twice", "") "," BARE("patient", "") "]"
#define CACHE ",'ttlMs':1000,'cacheScope':'public'"

static void test_list_pages(void **state)
{
	(void)state;
	mcp_check(REQUEST("1", "tools/list", ""), RESULT("1", PAGE_1));
	mcp_check("{'jsonrpc':'2.0','id':1,'method':'tools/list'}", RESULT("1", PAGE_1));
	mcp_check(REQUEST("1", "tools/list", "'cursor':'4'"), RESULT("1", PAGE_2));
	mcp_check(REQUEST("1", "tools/list", "'cursor':'8'"), RESULT("1", PAGE_3));
	mcp_check(REQUEST("1", "tools/list", "'cursor':'12'"), RESULT("1", PAGE_4));
}

static void test_bad_cursors(void **state)
{
	(void)state;
	mcp_check(REQUEST("1", "tools/list", "'cursor':''"), ERROR("1", "-32602", "Invalid cursor"));
	mcp_check(REQUEST("1", "tools/list", "'cursor':'0'"), ERROR("1", "-32602", "Invalid cursor"));
	mcp_check(REQUEST("1", "tools/list", "'cursor':'04'"), ERROR("1", "-32602", "Invalid cursor"));
	mcp_check(REQUEST("1", "tools/list", "'cursor':'5'"), ERROR("1", "-32602", "Invalid cursor"));
	mcp_check(REQUEST("1", "tools/list", "'cursor':'16'"), ERROR("1", "-32602", "Invalid cursor"));
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
	mcp_check(REQUEST("1", "tools/list", ""), RESULT("1", "'tools':[" ADD_TOOL "," REPEAT_TOOL "]"));
	mcp_check(REQUEST("1", "tools/list", "'cursor':'1'"), ERROR("1", "-32602", "Invalid cursor"));
}

/* --- tools/call */

#define LINKS "{'type':'resource_link','uri':'a:b','name':'c'},{'type':'text','text':'d'}"

static void test_results(void **state)
{
	(void)state;
	mcp_check(CALL("1", "work", "'steps':0"), TEXT("1", "worked"));
	mcp_check(CALL("1", "broken", ""), FAILURE("1", "no \\'water\\'"));
	mcp_check(CALL("1", "broken_too", ""), FAILURE("1", "7 valves"));
	mcp_check(REQUEST("1", "tools/call", "'name':'links'"), RESULT("1", "'content':[" LINKS "]"));
	mcp_check(CALL("1", "broken_links", ""), RESULT("1", "'isError':true,'content':[" LINKS "]"));
	mcp_check(CALL("1", "json", ""), TEXT("1", "[1,\\'2\\']"));
	mcp_check(CALL("1", "wrong", ""), ERROR("1", "-32603", "Internal error"));
}

static void test_structured(void **state)
{
	(void)state;
	mcp_check(CALL("1", "add", "'a':-5,'b':3"),
	      RESULT("1", "'content':[{'type':'text','text':'{\\'sum\\':-2}'}],'structuredContent':{'sum':"
		     "-2}"));
	mcp_check(CALL("1", "repeat", "'text':'\\u0001\\\\ \\' and more than one piece of it \\u20ac'"),
	      RESULT("1", "'content':[{'type':'text','text':'{\\'text\\':\\'\\\\u0001\\\\\\\\ \\\\\\' and "
		     "more than one "
			  "piece of it \xe2\x82\xac\\'}'}],'structuredContent':{'text':'\\u0001\\\\ \\' "
			  "and more than "
			  "one piece of it \xe2\x82\xac'}"));
}

#ifdef QUASH_CHECKED
static unsigned changes;

static void note_change(quash_peer *peer, quash_event event, const quash_request *request, int32_t detail, quash_why why)
{
	(void)peer;
	(void)request;
	if (event == QUASH_MISUSED && why == QUASH_WHY_CHANGED && detail == QUASH_INTERNAL_ERROR)
		changes++;
}

/* The build for tests sees a value that changes between its text and its structure. */
static void test_structured_by_turns(void **state)
{
	static const quash_method turning[] = { QUASH_MCP_METHODS(&turning_server) };
	(void)state;
	changes = 0;
	mcp_prepare(turning, COUNT_OF(turning), MCP_STATE, 256);
	mcp.config.trace = note_change;
	loop_start(&mcp);
	mcp_send(INITIALIZE("0", "2025-11-25"));
	loop_settle(&mcp, 10);
	(void)loop_heard(&mcp);
	mcp_check(CALL("1", "by_turns", ""), ERROR("1", "-32603", "Internal error"));
	assert_int_equal(changes, 1);
	assert_int_equal(mcp.counters.changed, 1);
}
#endif

static void test_borrowed_text_stays(void **state)
{
	(void)state;
	mcp_check(CALL("1", "repeat_late", "'text':'x'") "\n" CALL("2", "work", "'steps':9"),
		TEXT("1", "x") TEXT("2", "worked"));
}

static void test_first_answer_stands(void **state)
{
	(void)state;
	mcp_check(CALL("1", "twice", ""), TEXT("1", "first"));
	assert_int_equal(mcp.counters.misuses, 1);
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

/* Nothing of the tool is called. A tool without a table takes any arguments. */
static void test_unknown_arguments(void **state)
{
	(void)state;
	mcp_check(CALL("1", "add", "'a':1,'B':2"), FAILURE("1", "B: is unknown, try b"));
	mcp_check(CALL("1", "add", "'a':'x','sessionId':2"), FAILURE("1", "sessionId: is unknown"));
	mcp_check(CALL("1", "add", "'a':'x','_meta':{}"), FAILURE("1", "a: must be an integer from -99 to 99"));
	mcp_check(CALL_WITH("1", "work", "'Steps':0", META), RESULT("1", MODERN ",'isError':true,'content':[{'type':'text',"
		"'text':'Steps: is unknown, try steps'}]"));
	mcp_check(CALL("1", "json", "'any':2"), TEXT("1", "[1,\\'2\\']"));
	assert_int_equal(calls, 0);
	assert_int_equal(ends, 0);
}

/* What its host adds; and schemas that say it. */
static void test_a_server_that_ignores_arguments(void **state)
{
	(void)state;
	start_with(closed_methods, COUNT_OF(closed_methods), STATE, LOOP_TX);
	mcp_check(INITIALIZE("0", "2025-11-25"), RESULT("0", "'protocolVersion':'2025-11-25','capabilities':{'tools':{}},"
		"'serverInfo':{'name':'closed','version':'1'}"));
	mcp_check(CALL("1", "repeat_late", "'toolCallId':'a','text':'t','sessionId':{}"), TEXT("1", "t"));
	mcp_check(CALL("1", "repeat_late", "'toolCallID':'a','text':'t'"), FAILURE("1", "toolCallID: is unknown"));
	mcp_check(REQUEST("1", "tools/list", ""), RESULT("1", "'tools':["
		"{'name':'add','title':'Sum','description':'adds','inputSchema':{'type':'object','properties':{"
		INTEGER("a", "-99", "99", ",'description':'one'") "," INTEGER("b", "-99", "99", ",'default':1,'description':'other'")
		"},'required':['a'],'additionalProperties':false},'outputSchema':{'type':'object','properties':{"
		INTEGER("sum", "-198", "198", "") "},'required':['sum']},'annotations':{'readOnlyHint':true,'destructiveHint':false,"
		"'idempotentHint':true,'openWorldHint':false}},"
		"{'name':'repeat'," SCHEMA(TEXT_PROPERTY) ",'required':['text'],'additionalProperties':false},"
		"'outputSchema':{'type':'object','properties':{" TEXT_PROPERTY "},'required':['text']}},"
		"{'name':'repeat_late'," SCHEMA(TEXT_PROPERTY) ",'required':['text'],'additionalProperties':false}}]"));
}

static void test_end_hook(void **state)
{
	(void)state;
	mcp_check(CALL("1", "work", "'steps':3"), TEXT("1", "worked"));
	assert_int_equal(calls, 4);
	assert_int_equal(ends, 1);
	assert_int_equal(releases, 1);
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

/* The first call of a tool finds all params, those after it what was copied. */
static void test_meta_of_a_tool_that_copies(void **state)
{
	(void)state;
	mcp_check(CALL_WITH("1", "work", "'steps':3", "'_meta':{'progressToken':'me'}"),
	      PROGRESS("'me'", "'progress':1,'total':3") PROGRESS("'me'", "'progress':2,'total':3") TEXT("1", "worked"));
	assert_true(met);
}

/* A token is kept in the request's own state: what stands around it is not touched. */
static void test_a_token_stays_in_its_state(void **state)
{
	enum { GUARD = 64 };
	static uint64_t memory[(STATE + 2 * GUARD) / 8];
	uint8_t *const bytes = (uint8_t *)memory;
	(void)state;
	memset(memory, '#', sizeof memory);
	mcp.config.states = &bytes[GUARD];
	mcp.config.slot_count = 1;
	loop_start(&mcp);
	mcp_check(INITIALIZE("0", "2025-11-25"), INITIALIZED("0", "2025-11-25"));
	mcp_check(CALL_WITH("1", "work", "'steps':2", "'_meta':{'progressToken':'12345678'}"),
	      PROGRESS("'12345678'", "'progress':1,'total':2") TEXT("1", "worked"));
	for (size_t i = 0; i < GUARD; i++) {
		assert_int_equal(bytes[i], '#');
		assert_int_equal(bytes[GUARD + STATE + i], '#');
	}
}

/* The struct and the token fill the state: neither has a byte of the other's. */
enum { FULL_TOKEN = 7 };
struct full {
	int32_t steps;
	char bytes[16 - (sizeof(quash_mcp_slot) + sizeof(int32_t) + FULL_TOKEN + 1) % 8];
};

static int32_t fill(quash_request *request)
{
	struct full *const f = QUASH_TOOL(struct full, request);
	for (size_t i = 0; i < sizeof f->bytes; i++) {
		assert_int_equal(f->bytes[i], 0);
		f->bytes[i] = 'x';
	}
	(void)quash_mcp_progress(request, 1, 0, NULL);
	return quash_mcp_text(request, "full");
}

static void test_token_beside_a_struct_of_the_largest_size(void **state)
{
	static const quash_param arguments[] = { QUASH_ARG_INT(struct full, steps, 1, 9, NULL) };
	static const quash_params params = QUASH_PARAMS(struct full, arguments);
	static const quash_mcp_tool list[] = { { .name = "fill", .call = fill, .args = &params } };
	static const quash_mcp_server full_server = QUASH_MCP_SERVER("full", "1", &session, list, FULL_TOKEN);
	static const quash_method full_methods[] = { QUASH_MCP_METHODS(&full_server) };
	(void)state;
	start_with(full_methods, COUNT_OF(full_methods), QUASH_MCP_STATE(FULL_TOKEN, sizeof(struct full)), LOOP_TX);
	mcp_send(INITIALIZE("0", "2025-11-25"));
	loop_settle(&mcp, 2);
	(void)loop_heard(&mcp);
	mcp_check(CALL_WITH("1", "fill", "'steps':1", "'_meta':{'progressToken':'1234567'}"),
	      PROGRESS("'1234567'", "'progress':1") TEXT("1", "full"));
}

static void test_progress_rises(void **state)
{
	(void)state;
	mcp_check(CALL_WITH("1", "waver", "'asked':'yes'", "'_meta':{'progressToken':-1}"),
	      PROGRESS("-1", "'progress':0,'message':'so \\'far\\''")
	      PROGRESS("-1", "'progress':5,'message':'so \\'far\\''")
	      PROGRESS("-1", "'progress':6,'message':'so \\'far\\''")
	      PROGRESS("-1", "'progress':4294967295,'message':'so \\'far\\''") TEXT("1", ""));
}

static void test_no_progress(void **state)
{
	(void)state;
	mcp_check(CALL("1", "waver", ""), TEXT("1", ""));
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

/* What was not taken may be tried again, and counts only once it is. */
static void test_progress_without_room(void **state)
{
	(void)state;
	start_with(methods, COUNT_OF(methods), STATE, 256);
	mcp_check(INITIALIZE("0", "2025-11-25"), INITIALIZED("0", "2025-11-25"));
	mcp.stalled = true;
	mcp_check_steps(1, REQUEST("1", "tools/list", "'cursor':'12'"), "");
	mcp_check_steps(5, CALL_WITH("2", "patient", "", "'_meta':{'progressToken':9}"), "");
	mcp.stalled = false;
	mcp_check("", RESULT("1", PAGE_4) PROGRESS("9", "'progress':1") TEXT("2", "waited"));
	assert_in_range(mcp.counters.dropped, 1, 5);
}

/* --- Cancelling */

static void test_cancel(void **state)
{
	(void)state;
	mcp_send(CALL_WITH("1", "work", "'steps':9", "'_meta':{'progressToken':1}"));
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
	mcp_send(CALL_WITH("1", "late", "'steps':4", "'_meta':{'progressToken':1}"));
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

/* This server names no leases. */
#define LATE ERROR("1", "-32800", "Request cancelled")

static void test_deadline(void **state)
{
	(void)state;
	mcp_check(CALL("1", "late", "'steps':3"), TEXT("1", "worked"));
	mcp_check(CALL("1", "late", "'steps':100"), LATE);
	assert_int_equal(end_cause, QUASH_BY_DEADLINE);
	assert_int_equal(ends, 2);
}

/* --- Motion */

#define LIFE_SIGN "'experimental':{'quash/lifeSign':{'ms':200},'quash/longest':{'home':60000}}"

static int set_up_moving(void **state)
{
	(void)state;
	start_with(moving_methods, COUNT_OF(moving_methods), STATE, LOOP_TX);
	mcp_check(INITIALIZE("0", "2025-11-25"),
	      RESULT("0", "'protocolVersion':'2025-11-25','capabilities':{'tools':{}," LIFE_SIGN "},"
			  "'serverInfo':{'name':'moving','version':'3'}"));
	return 0;
}

static void test_lease_is_announced(void **state)
{
	(void)state;
	mcp_check(REQUEST("1", "server/discover", META),
	      RESULT("1", "'resultType':'complete','_meta':{'io.modelcontextprotocol/serverInfo':{'name':'moving',"
			  "'version':'3'}},'supportedVersions':['2026-07-28'],'capabilities':{'tools':{}," LIFE_SIGN "},"
			  "'ttlMs':0,'cacheScope':'public'"));
}

/* The group is held until the motor is at rest. */
static void test_one_at_a_time(void **state)
{
	(void)state;
	mcp_check_steps(2, CALL("1", "move", "'steps':100"), "");
	mcp_check_steps(1, CALL("2", "home", "'steps':1"), FAILURE("2", "home is busy"));
	mcp_check_steps(1, CALL("3", "move", "'steps':1"), FAILURE("3", "motor is busy"));
	assert_int_equal(mcp.counters.held, 2);
	mcp_check_steps(1, CALL("4", "move", "'steps':true"), FAILURE("4", "steps: must be an integer from 0 to 1000"));
	mcp_check_steps(2, CALL("5", "blink", "'steps':0"), TEXT("5", "worked"));
	assert_int_equal(ends, 0);
	mcp_check_steps(1, CANCEL("1") "\n" CALL("6", "home", "'steps':0"), FAILURE("6", "home is busy"));
	assert_int_equal(ends, 1);
	mcp_check_steps(3, "", "");
	mcp_check(CALL("7", "home", "'steps':0"), TEXT("7", "worked"));
	assert_int_equal(ends, 2);
}

/* A method that stands beside the tools may have a shorter one. */
static void test_lease_of_a_method_is_announced(void **state)
{
	static const quash_method beside[] = {
		QUASH_MCP_METHODS(&moving_server), { .name = "x/turn", .handler = quash_mcp_ping, .end = brake, .deadline = 9000, .lease = 150 }
	};
	(void)state;
	start_with(beside, COUNT_OF(beside), STATE, LOOP_TX);
	mcp_check(INITIALIZE("0", "2025-11-25"),
	      RESULT("0", "'protocolVersion':'2025-11-25','capabilities':{'tools':{},"
			  "'experimental':{'quash/lifeSign':{'ms':150},'quash/longest':{'home':60000}}},'serverInfo':{'name':'moving','version':'3'}"));
}

/* Who has given a sign of life, and gives none any more, is taken for gone. */
static void test_lease(void **state)
{
	(void)state;
	mcp_check_steps(1, "", "");
	mcp_check_steps(1, CALL("1", "move", "'steps':1000") "\n" CALL("2", "blink", "'steps':1000"), "");
	mcp_check_steps(250, "", "");
	mcp_check_steps(299, "", "");
	assert_int_equal(ends, 0);
	for (unsigned i = 0; i < 5; i++)
		loop_step(&mcp, 1);
	assert_int_equal(ends, 1);
	assert_string_equal(loop_heard(&mcp), mcp_quoted(ERROR("1", "-32800", "Request cancelled")));
	assert_int_equal(mcp.counters.cancelled[QUASH_BY_LEASE], 1);
	loop_settle(&mcp, 2000);
	assert_string_equal(loop_heard(&mcp), mcp_quoted(TEXT("2", "worked")));
}

/* After the end of input no sign of life can come: what moves is stopped at once, what would move does not begin. */
static void test_no_motion_behind_the_end_of_input(void **state)
{
	(void)state;
	mcp_check_steps(1, CALL("1", "move", "'steps':1000") "\n" CALL("2", "blink", "'steps':1"), "");
	assert_int_equal(calls, 2);
	mcp_send(CALL("3", "home", "'steps':1000"));
	quash_input_end(&mcp.peer);
	loop_step(&mcp, 0);
	assert_int_equal(mcp.counters.cancelled[QUASH_BY_LEASE], 1);
	for (unsigned i = 0; i < 5; i++)
		loop_step(&mcp, 1);
	assert_int_equal(ends, 1);
	assert_int_equal(mcp.counters.cancelled[QUASH_BY_LEASE], 1);
	assert_string_equal(loop_heard(&mcp), mcp_quoted(ERROR("1", "-32800", "Request cancelled") TEXT("2", "worked")
			FAILURE("3", "home is busy")));
}

static void test_no_motion_begins_behind_the_end_of_input(void **state)
{
	(void)state;
	mcp_send(CALL("1", "move", "'steps':1000"));
	mcp_send(CALL("2", "blink", "'steps':1"));
	mcp_send(CALL("3", "move", "'steps':'far'"));
	quash_input_end(&mcp.peer);
	for (unsigned i = 0; i < 5; i++)
		loop_step(&mcp, 1);
	assert_int_equal(calls, 2); /* of `blink` */
	assert_int_equal(ends, 0);
	assert_int_equal(mcp.counters.cancelled[QUASH_BY_LEASE], 1);
	assert_string_equal(loop_heard(&mcp), mcp_quoted(ERROR("1", "-32800", "Request cancelled")
			FAILURE("3", "steps: must be an integer from 0 to 1000") TEXT("2", "worked")));
	assert_true(quash_is_at_rest(&mcp.peer));
}

/* Nor does a tool that wants to be called when it is cancelled. */
static void test_no_tool_begins_behind_the_end_of_input(void **state)
{
	static const quash_mcp_tool list[] = { { .name = "turn", .call = broken, .end = work_end, .deadline = QUASH_NO_LIMIT, .lease = 300 } };
	static const quash_mcp_server turning = QUASH_MCP_SERVER("turning", "3", &session, list, TOKEN);
	static const quash_method turning_methods[] = { QUASH_MCP_METHODS(&turning) };
	(void)state;
	start_with(turning_methods, COUNT_OF(turning_methods), STATE, LOOP_TX);
	mcp_send(INITIALIZE("0", "2025-11-25"));
	loop_step(&mcp, 0);
	(void)loop_heard(&mcp);
	mcp_send(CALL("1", "turn", ""));
	quash_input_end(&mcp.peer);
	mcp_check_steps(2, "", ERROR("1", "-32800", "Request cancelled"));
	assert_int_equal(ends, 0);
}

/* The deadline counts from when the request gets its slot. */
static void test_deadline_counts_from_the_slot(void **state)
{
	set_up_legacy(state);
	mcp_send(CALL("1", "late", "'steps':100"));
	loop_step(&mcp, 4);
	assert_int_equal(calls, 1);
	loop_step(&mcp, 1);
	assert_int_equal(mcp.counters.cancelled[QUASH_BY_DEADLINE], 1);
	loop_settle(&mcp, 200);
	assert_string_equal(loop_heard(&mcp), mcp_quoted(LATE));
}

/* --- The longest time */

static int32_t hurry(quash_request *request)
{
	if (calls++ == 0)
		quash_deadline(request, 3);
	return quash_cancelled(request) != QUASH_NOT_CANCELLED ? QUASH_INTERNAL_ERROR : QUASH_PENDING;
}

static int32_t linger(quash_request *request)
{
	quash_deadline(request, 1000);
	return QUASH_PENDING;
}

static int32_t hasten(quash_request *request)
{
	quash_deadline(request, calls++ == 0 ? 2 : 1000);
	return QUASH_PENDING;
}

static const char *const tolerated[] = { "mine", NULL };
static const quash_params tolerant_params = QUASH_PARAMS_IGNORING(struct work, work_list, tolerated);

static const quash_mcp_tool limited_tools[] = {
	QUASH_MCP_TOOL("tolerant", NULL, &tolerant_params, work, 0),
	QUASH_MCP_TOOL_MOTION("short", NULL, &work_params, work, brake, NULL, 4, 300, &motor, 0),
	{ .name = "hurry", .call = hurry },
	{ .name = "fails", .call = hurry, .deadline = 3 },
	{ .name = "endless", .call = hurry, .deadline = QUASH_NO_LIMIT },
	QUASH_MCP_TOOL_MOTION("lingers", NULL, &work_params, linger, brake, NULL, 4, 300, &motor, 0),
	QUASH_MCP_TOOL_MOTION("hastens", NULL, &work_params, hasten, brake, NULL, 9, 300, &motor, 0),
};
static const quash_mcp_server limited_server = QUASH_MCP_SERVER("limited", "4", &session, limited_tools, TOKEN);
static const quash_method limited_methods[] = { QUASH_MCP_METHODS(&limited_server) };
static const quash_method briefly[] = { QUASH_MCP_LEGACY(&limited_server), QUASH_MCP_MODERN(&limited_server),
	{ "tools/call", quash_mcp_tools_call, quash_mcp_tools_end, quash_mcp_tools_released, NULL, &limited_server, 2, 0,
	  sizeof(quash_mcp_slot), QUASH_LISTED, NULL } };

static int set_up_limited(void **state)
{
	(void)state;
	start_with(limited_methods, COUNT_OF(limited_methods), STATE, LOOP_TX);
	mcp_check(INITIALIZE("0", "2025-11-25"),
	      RESULT("0", "'protocolVersion':'2025-11-25','capabilities':{'tools':{},'experimental':{'quash/lifeSign':{'ms':300},"
			  "'quash/longest':{'short':4,'lingers':4,'hastens':9}}},'serverInfo':{'name':'limited','version':'4'}"));
	return 0;
}

#define LIMITED "'resultType':'complete','_meta':{'io.modelcontextprotocol/serverInfo':{'name':'limited','version':'4'}}"
#define SHORT "'content':[{'type':'text','text':'short: stopped, its longest time of 4 ms is up'}]"

/* The model reads why it has stopped, while the motor still comes to rest. */
static void test_a_motion_that_takes_too_long(void **state)
{
	(void)state;
	mcp_check_steps(3, CALL("1", "short", "'steps':100"), "");
	assert_int_equal(calls, 3);
	mcp_check_steps(1, "", RESULT("1", "'isError':true," SHORT));
	assert_int_equal(ends, 1);
	mcp_check_steps(1, CALL("2", "short", "'steps':0"), FAILURE("2", "short is busy"));
	mcp_check_steps(2, "", "");
	mcp_check(REQUEST("3", "tools/call", "'name':'short','arguments':{'steps':100}," META),
	      RESULT("3", LIMITED ",'isError':true," SHORT));
	assert_int_equal(mcp.counters.cancelled[QUASH_BY_DEADLINE], 2);
	assert_int_equal(mcp.counters.errors, 0);
	assert_int_equal(mcp.counters.misuses, 0);
}

/* A cancel that comes in time silences it. */
static void test_a_late_motion_is_cancelled(void **state)
{
	(void)state;
	mcp_check_steps(3, CALL("1", "short", "'steps':100"), "");
	quash_tick(&mcp.peer, mcp.now + 1);
	assert_int_equal(mcp.counters.cancelled[QUASH_BY_DEADLINE], 1);
	mcp_check(CANCEL("1"), "");
	assert_int_equal(mcp.counters.silenced, 1);
	assert_int_equal(ends, 1);
}

/* What the tool returns when it is called again does not matter. */
static void test_a_late_tool_that_fails(void **state)
{
	(void)state;
	mcp_check(CALL("1", "fails", ""), FAILURE("1", "fails: stopped, its longest time of 3 ms is up"));
	assert_int_equal(mcp.counters.misuses, 0);
}

/* A table lists arguments that its tool alone ignores. */
static void test_a_table_that_ignores_arguments(void **state)
{
	(void)state;
	mcp_check(CALL("1", "tolerant", "'mine':1,'steps':0"), TEXT("1", "worked"));
	mcp_check(CALL("2", "tolerant", "'yours':1,'steps':0"), FAILURE("2", "yours: is unknown"));
	mcp_check(CALL("3", "short", "'mine':1,'steps':0"), FAILURE("3", "mine: is unknown"));
}

/* A handler makes the time of what moves shorter, never longer. */
static void test_the_time_of_a_motion_is_never_longer(void **state)
{
	(void)state;
	mcp_check(CALL("1", "lingers", "'steps':1"), FAILURE("1", "lingers: stopped, its longest time of 4 ms is up"));
	mcp_check_steps(3, "", "");
	mcp_check(CALL("2", "hastens", "'steps':1"), FAILURE("2", "hastens: stopped, its longest time of 3 ms is up"));
}

/* The tool's own time, and its method's, are in no table of tools. */
static void test_times_beside_the_longest_one(void **state)
{
	set_up_limited(state);
	mcp_check(CALL("1", "hurry", ""), ERROR("1", "-32800", "Request cancelled"));
	calls = 0;
	mcp_check(CALL("1", "endless", ""), ERROR("1", "-32800", "Request cancelled"));
	start_with(briefly, COUNT_OF(briefly), STATE, LOOP_TX);
	mcp_send(INITIALIZE("0", "2025-11-25"));
	loop_step(&mcp, 0);
	loop_heard(&mcp);
	mcp_send(CALL("1", "short", "'steps':100")); /* it is parked */
	quash_tick(&mcp.peer, mcp.now + 2);
	mcp_check("", ERROR("1", "-32800", "Request cancelled"));
	assert_int_equal(calls, 0);
}

/* --- Configs that are wrong */

static void check_fault(const quash_mcp_server *wrong_server, const char *table, const char *name, const char *what)
{
	const quash_method wrong_methods[] = { QUASH_MCP_LEGACY(wrong_server) };
	quash_config config = mcp.config;
	quash_fault fault;
	config.methods = wrong_methods;
	config.method_count = COUNT_OF(wrong_methods);
	assert_false(quash_mcp_check(&config, &fault));
	assert_string_equal(fault.table, table);
	assert_string_equal(fault.name != NULL ? fault.name : "", name);
	assert_fault(&fault, what);
	static quash_config before;
	before = mcp.config;
	mcp.config = config;
	assert_false(quash_init(&mcp.peer, &mcp.config, &fault));
	assert_says_fault(&mcp, &fault);
	mcp.config = before;
}

static void check_tool(quash_mcp_tool tool, const char *table, const char *name, const char *what)
{
	const quash_mcp_tool list[] = { QUASH_MCP_TOOL("good", NULL, NULL, broken, 0), tool };
	const quash_mcp_server wrong_server = QUASH_MCP_SERVER("s", "1", &session, list, TOKEN);
	check_fault(&wrong_server, table, name, what);
}

static void test_good_configs(void **state)
{
	quash_fault fault;
	(void)state;
	set_up(state);
	assert_true(quash_mcp_check(&mcp.config, &fault));
	set_up_moving(state);
	assert_true(quash_mcp_check(&mcp.config, &fault));
}

/* Letters, digits and _ - . are all that a tool's name may have. */
static void test_characters_of_a_name(void **state)
{
	char name[2] = "";
	(void)state;
	for (unsigned c = 1; c < 256; c++) {
		quash_fault fault;
		const quash_mcp_tool list[] = { { .name = name, .call = broken } };
		const quash_mcp_server named_server = QUASH_MCP_SERVER("s", "1", &session, list, TOKEN);
		const quash_method named_methods[] = { QUASH_MCP_METHODS(&named_server) };
		name[0] = (char)c;
		mcp.config.methods = named_methods;
		mcp.config.method_count = COUNT_OF(named_methods);
		const bool good = strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.", (int)c) != NULL;
		assert_int_equal(quash_mcp_check(&mcp.config, &fault), good);
	}
}

static void test_wrong_tools(void **state)
{
	static const quash_param odd_list[] = { QUASH_ARG_INT(struct work, steps, 2, 1, NULL) };
	static const quash_params odd = QUASH_PARAMS(struct work, odd_list);
	static const quash_params large_params = { NULL, MCP_STATE, 0, NULL };
	static char long_name[130], large_state[80];
	(void)state;
	snprintf(large_state, sizeof large_state, "state_size %u, needs %u", (unsigned)mcp.config.state_size,
		(unsigned)QUASH_MCP_STATE(TOKEN, MCP_STATE));
	memset(long_name, 'a', sizeof long_name - 1);
	check_tool((quash_mcp_tool){ .name = "good", .call = broken }, "tools", "good", "name stands twice");
	check_tool((quash_mcp_tool){ .name = "so bad", .call = broken }, "tools", "so bad", "name is no name");
	check_tool((quash_mcp_tool){ .name = "", .call = broken }, "tools", "", "name is no name");
	check_tool((quash_mcp_tool){ .call = broken }, "tools", "", "name is missing");
	check_tool((quash_mcp_tool){ .name = long_name, .call = broken }, "tools", long_name, "name is too long");
	check_tool((quash_mcp_tool){ .name = "x" }, "tools", "x", "call is missing");
	check_tool((quash_mcp_tool){ .name = "x", .call = broken, .marks = QUASH_PARTIAL }, "tools", "x", "marks do not go together");
	check_tool((quash_mcp_tool){ .name = "x", .call = broken, .deadline = UINT32_MAX - 1 }, "tools", "x", "deadline is 0 for what moves something, or too large");
	check_tool((quash_mcp_tool){ .name = "x", .call = broken, .deadline = 1, .lease = 1 }, "tools", "x", "end is missing, though it moves something");
	check_tool((quash_mcp_tool){ .name = "x", .call = broken, .end = brake, .lease = 1 }, "tools", "x", "deadline is 0 for what moves something, or too large");
	check_tool((quash_mcp_tool){ .name = "x", .call = broken, .lease = UINT32_MAX }, "tools", "x", "lease is too large");
	check_tool((quash_mcp_tool){ .name = "x", .call = broken, .busy = "busy" }, "tools", "x", "busy needs a group");
	check_tool((quash_mcp_tool){ .name = "x", .call = broken, .output = &sum_params, .output_schema = "{}" },
		"tools", "x", "output_schema stands beside what takes its place");
	check_tool((quash_mcp_tool){ .name = "x", .call = broken, .args = &odd }, "x", "steps", "min leaves no value");
	check_tool((quash_mcp_tool){ .name = "x", .call = broken, .output = &odd }, "x", "steps", "min leaves no value");
	check_tool((quash_mcp_tool){ .name = "x", .call = broken, .args = &large_params }, "tools", "x", large_state);
}

/* A name that has no room in the word would never be found, and what it names never read. */
static void test_what_is_kept_has_room(void **state)
{
	static const quash_keep own[] = { { "_meta>example.org/<user", 40, false },
		{ "a name of fifty-three characters, which is one too many", 0, false } };
	quash_mcp_server named = { .name = "named", .version = "1", .session = &session, .modern = &quash_mcp_modern, .keep_count = 1 };
	const quash_method alone[] = { QUASH_MCP_LEGACY(&named) };
	quash_fault fault;
	(void)state;
	check_fault(&named, "server", "named", "keeps is missing");
	named.keeps = own;
	named.token_size = 233;
	check_fault(&named, "server", "named", "token_size is too large");
	named.token_size = 0;
	mcp.config.methods = alone;
	mcp.config.method_count = COUNT_OF(alone);
	mcp.config.word_size = 46;
	assert_true(quash_mcp_check(&mcp.config, &fault));
	mcp.config.word_size = 45;
	check_fault(&named, "config", "", "word_size 45, needs 46");
	mcp.config.keeps = NULL;
	assert_true(quash_mcp_check(&mcp.config, &fault));
	mcp.config.keeps = &quash_mcp_keeps;
	mcp.config.word_size = 57;
	named.keep_count = 2;
	check_fault(&named, "config", "", "word_size 57, needs 59");
}

/* A server that names nothing to announce a lease has none. */
static void test_leases_that_nobody_announces(void **state)
{
	static const quash_mcp_tool still = QUASH_MCP_TOOL("still", NULL, NULL, broken, 0);
	static const quash_mcp_tool moves = { .name = "moves", .call = broken, .end = work_end, .deadline = QUASH_NO_LIMIT, .lease = 300 };
	quash_mcp_server quiet = { .name = "quiet", .version = "1", .session = &session, .tools = &moves, .tool_count = 1 };
	const quash_method beside[] = { QUASH_MCP_LEGACY(&quiet), { .name = "x/turn", .handler = quash_mcp_ping, .end = brake, .deadline = 9000, .lease = 150 } };
	quash_fault fault;
	(void)state;
	check_fault(&quiet, "server", "quiet", "leases is needed and not named");
	quiet.tools = &still;
	mcp.config.methods = beside;
	mcp.config.method_count = COUNT_OF(beside) - 1;
	assert_true(quash_mcp_check(&mcp.config, &fault));
	mcp.config.method_count = COUNT_OF(beside);
	assert_false(quash_mcp_check(&mcp.config, &fault));
	assert_string_equal(fault.table, "server");
	assert_fault(&fault, "leases is needed and not named");
	quiet.leases = &quash_mcp_leases;
	quiet.tools = &moves;
	assert_true(quash_mcp_check(&mcp.config, &fault));
}

/* Also where the program's own methods stand in front of the server's, and between them. */
static void test_a_server_behind_own_methods(void **state)
{
	static const quash_mcp_server nameless = { .version = "1", .session = &session, .modern = &quash_mcp_modern };
	static const quash_method own = QUASH_METHOD("own", broken, 0);
	const quash_method first[] = { own, QUASH_MCP_LEGACY(&nameless) };
	const quash_method second[] = { own, QUASH_MCP_LEGACY(&server), own, QUASH_MCP_MODERN(&nameless) };
	quash_fault fault;
	(void)state;
	mcp.config.methods = first;
	mcp.config.method_count = COUNT_OF(first);
	assert_false(quash_mcp_check(&mcp.config, &fault));
	assert_string_equal(fault.member, "name");
	mcp.config.methods = second;
	mcp.config.method_count = COUNT_OF(second);
	assert_false(quash_mcp_check(&mcp.config, &fault));
	assert_string_equal(fault.member, "name");
}

static void test_wrong_servers(void **state)
{
	const quash_mcp_server nameless = { .version = "1", .session = &session };
	const quash_mcp_server no_version = { .name = "s", .session = &session };
	const quash_mcp_server no_session = { .name = "s", .version = "1" };
	const quash_mcp_server no_tools = { .name = "s", .version = "1", .session = &session, .tool_count = 1 };
	const quash_mcp_server long_tokens = { .name = "s", .version = "1", .session = &session, .token_size = 232 };
	char long_state[80];
	const quash_mcp_server good = { .name = "s", .version = "1", .session = &session };
	(void)state;
	snprintf(long_state, sizeof long_state, "state_size %u, needs %u", (unsigned)mcp.config.state_size,
		(unsigned)QUASH_MCP_STATE(232, 0));
	check_fault(&nameless, "server", "", "name is missing");
	check_fault(&no_version, "server", "s", "version is missing");
	check_fault(&no_session, "server", "s", "session is missing");
	check_fault(&no_tools, "server", "s", "tools is missing");
	check_fault(&long_tokens, "server", "s", long_state);
	check_fault(NULL, "methods", "initialize", "data is missing");
	mcp.config.new_session = NULL;
	check_fault(&good, "config", "", "new_session is needed and not named");
}

static void test_no_server(void **state)
{
	quash_config config = mcp.config;
	quash_fault fault;
	(void)state;
	config.method_count = 0;
	assert_false(quash_mcp_check(&config, &fault));
	assert_fault(&fault, "initialize is missing");
}

/* `quash_init` names the tool that has no room. */
static void test_init_finds_the_tool(void **state)
{
	quash_fault fault;
	(void)state;
	mcp.config.state_size = (quash_size)(QUASH_MCP_STATE(TOKEN, sizeof(struct sum)) / 8 * 8);
	assert_false(quash_init(&mcp.peer, &mcp.config, &fault));
	assert_string_equal(fault.table, "tools");
	assert_string_equal(fault.name, "add");
	assert_string_equal(fault.member, "state_size");
	assert_int_equal(fault.is, mcp.config.state_size);
	assert_int_equal(fault.needs, QUASH_MCP_STATE(TOKEN, sizeof(struct sum)));
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
	      ERROR("1", "-32602", "protocolVersion must be a string"));
	mcp_check(REQUEST("1", "ping", META), ERROR("1", "-32601", "Method not found"));
	mcp_check(REQUEST("1", "initialize", META), ERROR("1", "-32601", "Method not found"));
	mcp_check(REQUEST("1", "initialize", ""), ERROR("1", "-32602", "Missing protocolVersion"));
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
	{ CALL("3", "repeat", "'text':'a text that is longer than the smallest TX, in both of its places'"),
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
		assert_int_equal(mcp.counters.changed, 0);
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
			mcp_send(long_talk[i][0]);
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
	mcp_send(INITIALIZE("1", "2025-11-25"));
	loop_step(&mcp, 1);
	assert_int_equal(quash_live_count(&mcp.peer), 1);
	mcp.stalled = false;
	quash_reopen(&mcp.peer);
	quash_mcp_new_session(&mcp.peer);
	assert_null(session.version);
	mcp_check(INITIALIZE("2", "2025-06-18"), INITIALIZED("2", "2025-06-18"));
}

/* A config that nobody has checked. */
static void test_small_state(void **state)
{
	(void)state;
	start_with(methods, COUNT_OF(methods), STATE, LOOP_TX);
	mcp.config.state_size = 8;
	quash_start(&mcp.peer, &mcp.config);
	mcp_check(INITIALIZE("1", "2025-11-25"), ERROR("1", "-32603", "Internal error"));
	mcp_check(CALL_WITH("1", "work", "'steps':0", META), ERROR("1", "-32603", "Internal error"));
	mcp.config.state_size = sizeof(quash_mcp_slot);
	quash_start(&mcp.peer, &mcp.config);
	mcp_check(INITIALIZE("1", "2025-11-25"), INITIALIZED("1", "2025-11-25"));
	mcp_check(CALL_WITH("1", "work", "'steps':0", META), ERROR("1", "-32603", "Internal error"));
	assert_int_equal(calls, 0);
}

/* Its result has no room: it is not called. */
static void test_small_state_for_the_result(void **state)
{
	static const quash_params no_args = QUASH_NO_PARAMS(struct work);
	static const quash_params large = { sum_list, MCP_STATE, COUNT_OF(sum_list), NULL };
	static const quash_mcp_tool list[] = { QUASH_MCP_TOOL_STRUCT("wide", NULL, &no_args, &large, work, 0) };
	static const quash_mcp_server wide_server = QUASH_MCP_SERVER("wide", "1", &session, list, TOKEN);
	static const quash_method wide_methods[] = { QUASH_MCP_METHODS(&wide_server) };
	(void)state;
	mcp_prepare(methods, COUNT_OF(methods), STATE, LOOP_TX);
	mcp.config.methods = wide_methods;
	mcp.config.method_count = COUNT_OF(wide_methods);
	quash_start(&mcp.peer, &mcp.config);
	mcp_check(CALL_WITH("1", "wide", "", META), ERROR("1", "-32603", "Internal error"));
	assert_int_equal(calls, 0);
	assert_int_equal(mcp.counters.misuses, 1);
}

struct beyond {
	uint8_t bytes[MCP_STATE];
};

static int32_t beyond(quash_request *request)
{
	assert_non_null(QUASH_TOOL(struct beyond, request));
	assert_non_null(QUASH_CONST_TOOL(struct beyond, request));
	return QUASH_DONE;
}

/* A tool without tables that asks for more than there is. */
static void test_a_struct_beyond_the_state(void **state)
{
	static const quash_mcp_tool list[] = { QUASH_MCP_TOOL("beyond", NULL, NULL, beyond, 0) };
	static const quash_mcp_server beyond_server = QUASH_MCP_SERVER("beyond", "1", &session, list, TOKEN);
	static const quash_method beyond_methods[] = { QUASH_MCP_METHODS(&beyond_server) };
	(void)state;
	start_with(beyond_methods, COUNT_OF(beyond_methods), STATE, LOOP_TX);
	mcp_check(CALL_WITH("1", "beyond", "", META), ERROR("1", "-32603", "Internal error"));
	assert_int_equal(mcp.counters.misuses, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_versions, set_up),
		cmocka_unit_test_setup(test_initialize_twice, set_up),
		cmocka_unit_test(test_initialize_while_the_last_answer_leaves),
		cmocka_unit_test_setup(test_initialize_without_version, set_up),
		cmocka_unit_test_setup(test_initialize_is_not_cancelled, set_up),
		cmocka_unit_test_setup(test_call_right_behind_initialize, set_up),
		cmocka_unit_test_setup(test_before_initialize, set_up),
		cmocka_unit_test_setup(test_list_pages, set_up_legacy),
		cmocka_unit_test_setup(test_bad_cursors, set_up_legacy),
		cmocka_unit_test(test_list_without_pages),
		cmocka_unit_test_setup(test_results, set_up_legacy),
		cmocka_unit_test_setup(test_structured, set_up_legacy),
#ifdef QUASH_CHECKED
		cmocka_unit_test(test_structured_by_turns),
#endif
		cmocka_unit_test_setup(test_borrowed_text_stays, set_up_legacy),
		cmocka_unit_test_setup(test_first_answer_stands, set_up_legacy),
		cmocka_unit_test_setup(test_no_such_tool, set_up_legacy),
		cmocka_unit_test_setup(test_bad_arguments, set_up_legacy),
		cmocka_unit_test_setup(test_unknown_arguments, set_up_legacy),
		cmocka_unit_test(test_a_server_that_ignores_arguments),
		cmocka_unit_test_setup(test_end_hook, set_up_legacy),
		cmocka_unit_test_setup(test_progress, set_up_legacy),
		cmocka_unit_test_setup(test_meta_of_a_tool_that_copies, set_up_legacy),
		cmocka_unit_test_setup(test_a_token_stays_in_its_state, set_up_legacy),
		cmocka_unit_test_setup(test_token_beside_a_struct_of_the_largest_size, set_up),
		cmocka_unit_test_setup(test_progress_rises, set_up_legacy),
		cmocka_unit_test_setup(test_no_progress, set_up_legacy),
		cmocka_unit_test(test_progress_without_room),
		cmocka_unit_test_setup(test_cancel, set_up_legacy),
		cmocka_unit_test_setup(test_cancel_without_drops, set_up_legacy),
		cmocka_unit_test_setup(test_cancel_before_start, set_up_legacy),
		cmocka_unit_test_setup(test_deadline, set_up_legacy),
		cmocka_unit_test(test_a_struct_beyond_the_state),
		cmocka_unit_test_setup(test_a_table_that_ignores_arguments, set_up_limited),
		cmocka_unit_test_setup(test_the_time_of_a_motion_is_never_longer, set_up_limited),
		cmocka_unit_test_setup(test_lease_is_announced, set_up_moving),
		cmocka_unit_test_setup(test_one_at_a_time, set_up_moving),
		cmocka_unit_test(test_lease_of_a_method_is_announced),
		cmocka_unit_test_setup(test_lease, set_up_moving),
		cmocka_unit_test_setup(test_no_motion_behind_the_end_of_input, set_up_moving),
		cmocka_unit_test_setup(test_no_motion_begins_behind_the_end_of_input, set_up_moving),
		cmocka_unit_test(test_no_tool_begins_behind_the_end_of_input),
		cmocka_unit_test_setup(test_a_motion_that_takes_too_long, set_up_limited),
		cmocka_unit_test_setup(test_a_late_motion_is_cancelled, set_up_limited),
		cmocka_unit_test_setup(test_a_late_tool_that_fails, set_up_limited),
		cmocka_unit_test_setup(test_times_beside_the_longest_one, set_up_limited),
		cmocka_unit_test(test_deadline_counts_from_the_slot),
		cmocka_unit_test(test_good_configs),
		cmocka_unit_test_setup(test_wrong_tools, set_up),
		cmocka_unit_test_setup(test_what_is_kept_has_room, set_up),
		cmocka_unit_test_setup(test_leases_that_nobody_announces, set_up),
		cmocka_unit_test_setup(test_characters_of_a_name, set_up),
		cmocka_unit_test_setup(test_a_server_behind_own_methods, set_up),
		cmocka_unit_test_setup(test_wrong_servers, set_up),
		cmocka_unit_test_setup(test_no_server, set_up),
		cmocka_unit_test_setup(test_init_finds_the_tool, set_up),
		cmocka_unit_test_setup(test_discover, set_up),
		cmocka_unit_test_setup(test_modern_calls, set_up),
		cmocka_unit_test_setup(test_modern_refusals, set_up),
		cmocka_unit_test_setup(test_both_eras, set_up_legacy),
		cmocka_unit_test(test_small_tx),
		cmocka_unit_test(test_small_tx_and_haste),
		cmocka_unit_test(test_session_goes_with_its_link),
		cmocka_unit_test(test_small_state),
		cmocka_unit_test(test_small_state_for_the_result),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
