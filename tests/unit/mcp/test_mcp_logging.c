/* SPDX-License-Identifier: MIT
 * Log messages of a request: as long as it is one that is answered, and not after its answer. */
#include "unit.h"

#include "mcp_talk.h"
#include "quash/mcp.h"
#include "quash/mcp_logging.h"

/* States are of exactly the size that is needed: a multiple of 8. */
enum { TOKEN = 7 + (8 - sizeof(quash_mcp_slot) % 8) % 8 };

static quash_mcp_sent logged[4];
static unsigned calls;

/* Logs in each of its calls, whatever has become of it. */
static int32_t tell(quash_request *request)
{
	const unsigned call = calls++;
	if (call < COUNT_OF(logged))
		logged[call] = quash_mcp_log(request, QUASH_MCP_INFO, NULL, "told");
	return call < 2 ? QUASH_PENDING : quash_mcp_text(request, "done");
}

static int32_t tell_too_late(quash_request *request)
{
	const int32_t outcome = quash_mcp_text(request, "done");
	logged[0] = quash_mcp_log(request, QUASH_MCP_INFO, NULL, "late");
	return outcome;
}

/* As one that must not lose its message. */
static int32_t insist(quash_request *request)
{
	static char text[LOOP_TX]; /* with its quotes it is longer than TX */
	int32_t length = 0;
	(void)quash_int32(quash_mcp_argument(request, "length"), &length);
	memset(text, 'x', sizeof text);
	text[length] = '\0';
	calls++;
	logged[0] = quash_mcp_log(request, QUASH_MCP_INFO, NULL, text);
	return logged[0] ? quash_mcp_text(request, "done") : QUASH_PENDING;
}

static int32_t tell_how_far(quash_request *request)
{
	logged[0] = quash_mcp_progress(request, 1, 2, NULL);
	logged[1] = quash_mcp_progress(request, 1, 2, NULL);
	return quash_mcp_text(request, "done");
}

static const quash_mcp_tool tools[] = { { .name = "tell", .call = tell }, { .name = "late", .call = tell_too_late },
	{ .name = "far", .call = tell_how_far }, { .name = "insist", .call = insist } };
static const quash_mcp_logging logging = { .part = { &quash_mcp_logging_kind }, .level = QUASH_MCP_INFO };
static const quash_mcp_part *const parts[] = { &logging.part, NULL };
static quash_mcp_session session;
static const quash_mcp_server server = { .name = "teller", .version = "1", .session = &session, .tools = tools, .tool_count = COUNT_OF(tools),
	.parts = parts, .token_size = TOKEN, .modern = &quash_mcp_modern };
static const quash_method methods[] = { QUASH_MCP_LEGACY(&server), QUASH_MCP_MODERN(&server), QUASH_MCP_TOOLS(&server), QUASH_MCP_LOGGING(&server) };

static int set_up(void **state)
{
	(void)state;
	mcp_start(methods, COUNT_OF(methods), QUASH_MCP_STATE(TOKEN, 0), LOOP_TX);
	mcp_check(INITIALIZE("0", "2025-11-25"), RESULT("0", "'protocolVersion':'2025-11-25','capabilities':{'tools':{},'logging':{}},"
		"'serverInfo':{'name':'teller','version':'1'}"));
	memset(logged, 0, sizeof logged);
	calls = 0;
	return 0;
}

#define TOLD "{'jsonrpc':'2.0','method':'notifications/message','params':{'level':'info','data':'told'}}\n"

/* A client that has cancelled hears nothing more of it, though the tool goes on. */
static void test_cancelled(void **state)
{
	(void)state;
	mcp_check_steps(1, CALL("1", "tell", ""), TOLD);
	mcp_check(CANCEL("1"), "");
	assert_int_equal(calls, 3);
	assert_int_equal(logged[0], QUASH_MCP_SENT);
	assert_int_equal(logged[1], QUASH_MCP_UNWANTED);
	assert_int_equal(logged[2], QUASH_MCP_UNWANTED);
}

static void test_behind_the_answer(void **state)
{
	(void)state;
	mcp_check(CALL("1", "late", ""), TEXT("1", "done"));
	assert_int_equal(logged[0], QUASH_MCP_UNWANTED);
}

/* Nobody wants it, or it will never fit: no more is to be done, as if it were sent. */
static void test_who_insists_is_not_held(void **state)
{
	(void)state;
	mcp_check(CALL_WITH("1", "insist", "'length':5", META), RESULT("1", "'resultType':'complete',"
		"'_meta':{'io.modelcontextprotocol/serverInfo':{'name':'teller','version':'1'}},'content':[{'type':'text','text':'done'}]"));
	assert_int_equal(calls, 1);
	assert_int_equal(logged[0], QUASH_MCP_UNWANTED);
	mcp_check(REQUEST("2", "logging/setLevel", "'level':'error'"), RESULT("2", ""));
	mcp_check(CALL("3", "insist", "'length':5"), TEXT("3", "done"));
	assert_int_equal(logged[0], QUASH_MCP_UNWANTED);
	mcp_check(REQUEST("4", "logging/setLevel", "'level':'info'"), RESULT("4", ""));
	mcp_check(CALL("5", "insist", "'length':511"), TEXT("5", "done"));
	assert_int_equal(calls, 3);
	assert_int_equal(logged[0], QUASH_MCP_TOO_LONG);
}

/* False is to be tried again. */
static void test_who_insists_is_heard(void **state)
{
	(void)state;
	mcp.stalled = true;
	while (quash_mcp_log_session(&mcp.peer, &server, QUASH_MCP_ALERT, NULL, quash_mcp_put_log_text, "no room is left for the next"))
		continue;
	mcp_send(CALL("1", "insist", "'length':200"));
	loop_step(&mcp, 1);
	loop_step(&mcp, 1);
	assert_int_equal(calls, 2);
	assert_int_equal(logged[0], QUASH_MCP_NO_ROOM);
	mcp.stalled = false;
	loop_settle(&mcp, 10);
	assert_non_null(strstr(loop_heard(&mcp), "xxx\"}}\n{\"jsonrpc\":\"2.0\",\"id\":1,"));
	assert_int_equal(logged[0], QUASH_MCP_SENT);
}

/* A link that is gone, and a tool without a token. */
static void test_nobody_is_there(void **state)
{
	(void)state;
	mcp_check(CALL("1", "far", ""), TEXT("1", "done"));
	assert_int_equal(logged[0], QUASH_MCP_UNWANTED);
	quash_gone(&mcp.peer);
	assert_int_equal(quash_mcp_log_session(&mcp.peer, &server, QUASH_MCP_ALERT, NULL, quash_mcp_put_log_text, "x"), QUASH_MCP_UNWANTED);
}

static void test_progress_in_the_smallest_state(void **state)
{
	(void)state;
	mcp_check(CALL_WITH("1", "far", "", "'_meta':{'progressToken':'1234567'}"),
		PROGRESS("'1234567'", "'progress':1,'total':2") TEXT("1", "done"));
	assert_int_equal(logged[0], QUASH_MCP_SENT);
	assert_int_equal(logged[1], QUASH_MCP_UNWANTED); /* no news */
}

/* From the session's level on, and no higher than there is a name for; also of what belongs to no request. */
static void test_levels_of_the_session(void **state)
{
	(void)state;
	for (unsigned level = QUASH_MCP_DEBUG; level <= QUASH_MCP_EMERGENCY + 1; level++) {
		const bool wanted = level >= QUASH_MCP_INFO && level <= QUASH_MCP_EMERGENCY;
		assert_int_equal(quash_mcp_log_session(&mcp.peer, &server, (quash_mcp_level)level, NULL, quash_mcp_put_log_text, "x"),
			wanted ? QUASH_MCP_SENT : QUASH_MCP_UNWANTED);
		assert_int_equal(loop_heard(&mcp)[0] != '\0', wanted);
	}
	mcp.stalled = true;
	while (quash_mcp_log_session(&mcp.peer, &server, QUASH_MCP_ALERT, NULL, quash_mcp_put_log_text, "no room is left for the next"))
		continue;
	mcp.stalled = false;
	loop_step(&mcp, 1);
	assert_non_null(strstr(loop_heard(&mcp), "\"alert\""));
	assert_int_equal(quash_mcp_log_session(&mcp.peer, &server, QUASH_MCP_ALERT, NULL, quash_mcp_put_log_text, "room again"), QUASH_MCP_SENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_cancelled, set_up),
		cmocka_unit_test_setup(test_nobody_is_there, set_up),
		cmocka_unit_test_setup(test_progress_in_the_smallest_state, set_up),
		cmocka_unit_test_setup(test_levels_of_the_session, set_up),
		cmocka_unit_test_setup(test_behind_the_answer, set_up),
		cmocka_unit_test_setup(test_who_insists_is_not_held, set_up),
		cmocka_unit_test_setup(test_who_insists_is_heard, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
