/* SPDX-License-Identifier: MIT
 * Questions in both eras: the same handlers, asked by a client that answers requests, and by one that sends its request again. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "mcp_talk.h"
#include "quash.h"
#include "quash/mcp_input.h"

/* --- The server */

struct name {
	quash_call call, second;
	char first[24];
	int32_t age;
};

static const quash_param name_args[] = { QUASH_ARG_TEXT(struct name, first, "the first name") };
static const quash_params name_params = QUASH_PARAMS(struct name, name_args);
static const quash_param age_args[] = { QUASH_ARG_INT(struct name, age, 0, 150, NULL) };
static const quash_params age_params = QUASH_PARAMS(struct name, age_args);
static unsigned acted, ended;

static void put_name(quash_writer *w, const quash_call *call)
{
	quash_mcp_put_question(w, call, "Who?", &name_params);
}

static void put_age(quash_writer *w, const quash_call *call)
{
	quash_mcp_put_question(w, call, "How old?", &age_params);
}

static void put_both(quash_writer *w, const quash_request *request)
{
	const struct name *const s = QUASH_CONST_TOOL(struct name, request);
	quash_put_string_open(w);
	quash_put_string_part(w, s->first, strlen(s->first));
	quash_put_string_part(w, " ", 1);
	quash_put_string_int(w, s->age);
	quash_put_string_close(w);
}

static int32_t end(quash_request *request)
{
	(void)request;
	ended++;
	return QUASH_DONE;
}

/* One question, then the other. */
static int32_t greet(quash_request *request)
{
	struct name *const s = QUASH_TOOL(struct name, request);
	s->call.put = put_name;
	s->second.put = put_age;
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	if (quash_mcp_ask(request, &s->call, QUASH_MCP_ELICITATION) != QUASH_DONE)
		return quash_mcp_failure(request, "nobody can be asked");
	if (!quash_call_has_ended(&s->call))
		return QUASH_PENDING;
	if (!quash_mcp_accepted(&s->call, &name_params, s))
		return quash_mcp_failure(request, "no name");
	if (quash_mcp_ask(request, &s->second, QUASH_MCP_ELICITATION) != QUASH_DONE)
		return quash_mcp_failure(request, "nobody can be asked");
	if (!quash_call_has_ended(&s->second))
		return QUASH_PENDING;
	if (!quash_mcp_accepted(&s->second, &age_params, s))
		return quash_mcp_failure(request, "no age");
	acted++;
	return quash_mcp_reply(request, put_both);
}

static void put_sample(quash_writer *w, const quash_call *call)
{
	quash_mcp_put_sampling(w, call, NULL, "Well?", 9);
}

/* What it has sampled is put from the answer itself. */
static void put_sampled(quash_writer *w, const quash_request *request)
{
	quash_put_text(w, quash_mcp_sampled(&QUASH_CONST_TOOL(struct name, request)->call));
}

/* Both at once; and it goes on for some steps with the answers. */
static int32_t both(quash_request *request)
{
	struct name *const s = QUASH_TOOL(struct name, request);
	s->call.put = put_sample;
	(void)quash_mcp_ask(request, &s->call, QUASH_MCP_SAMPLING);
	(void)quash_mcp_ask(request, &s->second, QUASH_MCP_ROOTS);
	if (!quash_call_has_ended(&s->call) || !quash_call_has_ended(&s->second))
		return QUASH_PENDING;
	return ++s->age < 3 ? QUASH_PENDING : quash_mcp_reply(request, put_sampled);
}

/* Asks, and does not wait. */
static int32_t hasty(quash_request *request)
{
	struct name *const s = QUASH_TOOL(struct name, request);
	s->call.put = put_name;
	(void)quash_mcp_ask(request, &s->call, QUASH_MCP_ELICITATION);
	return quash_mcp_text(request, "done");
}

static int32_t needs(quash_request *request)
{
	if (!quash_mcp_can_ask(request, QUASH_MCP_ELICITATION_URL))
		return quash_mcp_require(request, QUASH_MCP_ELICITATION | QUASH_MCP_ELICITATION_URL | QUASH_MCP_ROOTS);
	return quash_mcp_text(request, "done");
}

static const quash_params any = QUASH_NO_PARAMS(struct name);
static const quash_param mark_args[] = { QUASH_ARG_INT_OR(struct name, age, 0, 150, 0, NULL) };
static const quash_params mark_params = QUASH_PARAMS(struct name, mark_args);
static const quash_mcp_tool tools[] = { { .name = "greet", .args = &mark_params, .call = greet, .end = end },
	{ .name = "both", .args = &any, .call = both, .end = end }, { .name = "hasty", .args = &any, .call = hasty, .end = end },
	{ .name = "needs", .call = needs } };
static const uint8_t key[QUASH_MCP_KEY] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
static quash_mcp_input input = QUASH_MCP_INPUT(key, 5000, 200);
static const quash_mcp_part *parts[] = { &input.part, NULL, NULL };
static quash_mcp_session session;
static const quash_mcp_server server = { .name = "s", .version = "1", .session = &session, .tools = tools,
	.tool_count = COUNT_OF(tools), .parts = parts, .modern = &quash_mcp_modern, .token_size = 7 };
static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };

static int set_up(void **state)
{
	static const quash_mcp_input usual = QUASH_MCP_INPUT(key, 5000, 200);
	(void)state;
	input = usual;
	parts[1] = NULL;
	mcp_prepare(methods, COUNT_OF(methods), QUASH_MCP_STATE(7, sizeof(struct name)), LOOP_TX);
	mcp.config.calls = &quash_mcp_calls;
	loop_start(&mcp);
	acted = ended = 0;
	return 0;
}

/* With params of which only what is needed is stored. */
static int set_up_kept(void **state)
{
	set_up(state);
	mcp.config.keeps = &quash_mcp_keeps;
	loop_start(&mcp);
	return 0;
}

/* --- The client: what it is asked, and the state that it carries */

#define CAN(what) "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28','io.modelcontextprotocol/clientCapabilities':{" what "}}"
#define ASKS CAN("'elicitation':{}")
#define SERVER "'_meta':{'io.modelcontextprotocol/serverInfo':{'name':'s','version':'1'}}"
#define REQUIRED(id, questions) "{'jsonrpc':'2.0','id':" id ",'result':{'resultType':'input_required'," SERVER ",'inputRequests':{" questions "},'requestState':'"
#define FORM(message, member) "{'method':'elicitation/create','params':{'message':'" message "','requestedSchema':" \
	"{'type':'object','properties':{" member "}"
#define WHO "'q1':" FORM("Who?", "'first':{'type':'string','maxLength':23,'description':'the first name'}") ",'required':['first']}}}"
#define AGE "'q2':" FORM("How old?", "'age':{'type':'integer','minimum':0,'maximum':150}") ",'required':['age']}}}"

static char carried[512];

/* The answer begins so, and ends with a state, which is kept. */
static void check_required(const char *message, const char *expected)
{
	mcp_send(message);
	loop_settle(&mcp, 20);
	const char *const heard = loop_heard(&mcp), *const begin = mcp_quoted(expected);
	const size_t n = strlen(begin);
	if (strstr(heard, begin) != heard)
		assert_string_equal(heard, begin);
	const size_t length = strcspn(heard + n, "\"");
	assert_string_equal(heard + n + length, "\"}}\n");
	assert_true(length < sizeof carried);
	memcpy(carried, heard + n, length);
	carried[length] = '\0';
}

static const char *retry(const char *id, const char *params, const char *responses)
{
	static char text[1500];
	snprintf(text, sizeof text, "{'jsonrpc':'2.0','id':%s,'method':'tools/call','params':{%s,'inputResponses':{%s},'requestState':'%s'," CAN("'elicitation':{},'sampling':{},'roots':{}") "}}",
		id, params, responses, carried);
	return text;
}

#define GREET "'name':'greet','arguments':{'age':7}"
#define ADA "{'action':'accept','content':{'first':'Ada'}}"
#define OLD "{'action':'accept','content':{'age':36}}"
#define COMPLETE(id, text) RESULT(id, "'resultType':'complete'," SERVER ",'content':[{'type':'text','text':'" text "'}]")
#define FAILED(id, text) RESULT(id, "'resultType':'complete'," SERVER ",'isError':true,'content':[{'type':'text','text':'" text "'}]")
#define WRONG(id) ERROR(id, "-32602", "requestState is wrong, or of another request, or has expired")

/* --- Rounds */

static void test_rounds(void **state)
{
	(void)state;
	check_required(REQUEST("1", "tools/call", GREET "," ASKS), REQUIRED("1", WHO));
	assert_int_equal(ended, 1);
	check_required(retry("2", GREET, "'q1':" ADA), REQUIRED("2", AGE));
	assert_int_equal(acted, 0);
	mcp_check(retry("3", GREET, "'q2':" OLD), COMPLETE("3", "Ada 36"));
	assert_int_equal(acted, 1);
	assert_int_equal(ended, 3);
	assert_int_equal(mcp.counters.misuses, 0);
}

static void test_the_same_in_the_legacy_era(void **state)
{
	(void)state;
	mcp_check(REQUEST("0", "initialize", "'protocolVersion':'2025-11-25','capabilities':{'elicitation':{}}"),
		RESULT("0", "'protocolVersion':'2025-11-25','capabilities':{'tools':{}},'serverInfo':{'name':'s','version':'1'}"));
	mcp_send(CALL("1", "greet", "'age':7"));
	loop_step(&mcp, 1);
	loop_step(&mcp, 1);
	assert_non_null(strstr(loop_heard(&mcp), "Who?"));
	mcp_send("{'jsonrpc':'2.0','id':1,'result':" ADA "}");
	loop_step(&mcp, 1);
	loop_step(&mcp, 1);
	assert_non_null(strstr(loop_heard(&mcp), "How old?"));
	mcp_check("{'jsonrpc':'2.0','id':2,'result':" OLD "}", TEXT("1", "Ada 36"));
	assert_int_equal(ended, 1);
}

static void test_an_answer_that_is_missing_is_asked_for_again(void **state)
{
	(void)state;
	check_required(REQUEST("1", "tools/call", GREET "," ASKS), REQUIRED("1", WHO));
	check_required(retry("2", GREET, "'q9':" ADA ",'other':1"), REQUIRED("2", WHO));
	check_required(retry("3", GREET, "'q1':7"), REQUIRED("3", WHO));
	check_required(REQUEST("4", "tools/call", GREET ",'inputResponses':{'q1':" ADA "}," ASKS), REQUIRED("4", WHO));
}

static void test_declined(void **state)
{
	(void)state;
	check_required(REQUEST("1", "tools/call", GREET "," ASKS), REQUIRED("1", WHO));
	mcp_check(retry("2", GREET, "'q1':{'action':'decline'}"), FAILED("2", "no name"));
	mcp_check(retry("3", GREET, "'q1':{'action':'accept','content':{'first':7}}"), FAILED("3", "no name"));
}

static void test_who_cannot_be_asked(void **state)
{
	(void)state;
	mcp_check(REQUEST("1", "tools/call", GREET "," CAN("")), FAILED("1", "nobody can be asked"));
	mcp_check(REQUEST("2", "tools/call", GREET "," CAN("'elicitation':{'url':{}}")), FAILED("2", "nobody can be asked"));
	check_required(REQUEST("3", "tools/call", GREET "," CAN("'elicitation':{'form':{},'url':{}}")), REQUIRED("3", WHO));
	mcp_check(REQUEST("4", "tools/call", "'name':'needs'," CAN("'elicitation':{}")),
		"{'jsonrpc':'2.0','id':4,'error':{'code':-32021,'message':'The client cannot be asked for what this needs',"
		"'data':{'requiredCapabilities':{'elicitation':{'form':{},'url':{}},'roots':{}}}}}\n");
	mcp_check(REQUEST("5", "tools/call", "'name':'needs'," CAN("'elicitation':{'url':{}}")), COMPLETE("5", "done"));
}

#define BOTH "'name':'both','arguments':{}"
#define SAMPLES CAN("'sampling':{},'roots':{}")

static void test_several_at_once(void **state)
{
	(void)state;
	check_required(REQUEST("1", "tools/call", BOTH "," SAMPLES),
		REQUIRED("1", "'q1':{'method':'sampling/createMessage','params':{'messages':[{'role':'user','content':{'type':'text','text':'Well?'}}],"
			      "'maxTokens':9}},'q2':{'method':'roots/list'}"));
	check_required(retry("2", BOTH, "'q2':{'roots':[]}"),
		REQUIRED("2", "'q1':{'method':'sampling/createMessage','params':{'messages':[{'role':'user','content':{'type':'text','text':'Well?'}}],"
			      "'maxTokens':9}}"));
	mcp_check(retry("3", BOTH, "'q1':{'content':{'type':'text','text':'Very well'}}"), COMPLETE("3", "Very well"));
}

/* What is asked and not waited for is not asked. */
static void test_an_answer_beside_a_question(void **state)
{
	(void)state;
	mcp_check(REQUEST("1", "tools/call", "'name':'hasty'," ASKS), COMPLETE("1", "done"));
	mcp_check(REQUEST("2", "tools/call", "'name':'hasty'," ASKS), COMPLETE("2", "done"));
	assert_int_equal(ended, 2);
}

/* The arena is packed while it goes on, with other requests in it. */
static void test_answers_move(void **state)
{
	(void)state;
	check_required(REQUEST("1", "tools/call", BOTH "," SAMPLES), REQUIRED("1", "'q1':{'method':'sampling/createMessage',"
		"'params':{'messages':[{'role':'user','content':{'type':'text','text':'Well?'}}],'maxTokens':9}},'q2':{'method':'roots/list'}"));
	mcp_send(CALL_WITH("8", "hasty", "", ASKS));
	mcp_send(retry("3", BOTH, "'q2':{'roots':[]},'q1':{'content':{'type':'text','text':'Very well'}}"));
	loop_settle(&mcp, 20);
	assert_non_null(strstr(loop_heard(&mcp), "Very well"));
}

/* --- States that are not good */

static void test_each_byte_counts(void **state)
{
	char good[sizeof carried];
	(void)state;
	check_required(REQUEST("1", "tools/call", GREET "," ASKS), REQUIRED("1", WHO));
	check_required(retry("2", GREET, "'q1':" ADA), REQUIRED("2", AGE));
	memcpy(good, carried, sizeof good);
	const size_t n = strlen(good);
	for (size_t i = 0; i < n; i++) {
		carried[i] = good[i] == 'A' ? 'B' : 'A';
		const bool in_padding = i + 2 >= n && strchr("=", good[n - 1]) != NULL && good[n - 1] != '\0';
		mcp_send(retry("3", GREET, "'q2':" OLD));
		loop_settle(&mcp, 20);
		if (!in_padding)
			assert_string_equal(loop_heard(&mcp), mcp_quoted(WRONG("3")));
		else
			(void)loop_heard(&mcp);
		carried[i] = good[i];
	}
	for (size_t i = 0; i < n; i++) {
		carried[i] = '\0';
		mcp_check(retry("4", GREET, "'q2':" OLD), WRONG("4"));
		carried[i] = good[i];
	}
	assert_int_equal(acted, 0);
	mcp_check(retry("5", GREET, "'q2':" OLD), COMPLETE("5", "Ada 36"));
}

static void test_of_another_request(void **state)
{
	(void)state;
	check_required(REQUEST("1", "tools/call", GREET "," ASKS), REQUIRED("1", WHO));
	mcp_check(retry("2", "'name':'greet','arguments':{'age':8}", "'q1':" ADA), WRONG("2"));
	mcp_check(retry("2", "'name':'greet','arguments':{}", "'q1':" ADA), WRONG("2"));
	mcp_check(retry("2", "'name':'greet'", "'q1':" ADA), WRONG("2"));
	mcp_check(retry("2", "'name':'both','arguments':{'age':7}", "'q1':" ADA), WRONG("2"));
	mcp_check("{'jsonrpc':'2.0','id':3,'method':'tools/call','params':{" GREET ",'requestState':7," ASKS "}}", WRONG("3"));
	mcp_check("{'jsonrpc':'2.0','id':3,'method':'tools/call','params':{" GREET ",'requestState':{'q1':" ADA "}," ASKS "}}", WRONG("3"));
	check_required(retry("4", GREET, "'q1':" ADA), REQUIRED("4", AGE));
}

static void test_expired(void **state)
{
	(void)state;
	check_required(REQUEST("1", "tools/call", GREET "," ASKS), REQUIRED("1", WHO));
	loop_step(&mcp, 4900);
	check_required(retry("2", GREET, "'q1':" ADA), REQUIRED("2", AGE));
	loop_step(&mcp, 5100);
	mcp_check(retry("3", GREET, "'q2':" OLD), WRONG("3"));
}

static void test_more_answers_than_a_state_may_hold(void **state)
{
	(void)state;
	check_required(REQUEST("1", "tools/call", BOTH "," SAMPLES), REQUIRED("1", "'q1':{'method':'sampling/createMessage',"
		"'params':{'messages':[{'role':'user','content':{'type':'text','text':'Well?'}}],'maxTokens':9}},'q2':{'method':'roots/list'}"));
	mcp_check(retry("2", BOTH, "'q2':{'roots':['0123456789012345678901234567890123456789012345678901234567890123456789',"
				   "'0123456789012345678901234567890123456789012345678901234567890123456789','012345678901234567890123456789']}"),
		ERROR("2", "-32011", "Message too large"));
}

/* With one round of questions there are none of earlier rounds. */
static void test_no_answers_in_the_state(void **state)
{
	(void)state;
	input.most = 0;
	check_required(REQUEST("1", "tools/call", GREET "," ASKS), REQUIRED("1", WHO));
	mcp_check(retry("2", GREET, "'q1':{'action':'decline'}"), FAILED("2", "no name"));
	mcp_check(retry("3", GREET, "'q1':" ADA), ERROR("3", "-32011", "Message too large"));
}

/* --- Cancelled, and in small windows */

static void test_cancelled(void **state)
{
	(void)state;
	mcp_send(REQUEST("1", "tools/call", GREET "," ASKS));
	mcp_send(CANCEL("1"));
	loop_settle(&mcp, 20);
	assert_string_equal(loop_heard(&mcp), "");
}

static void test_small_tx(void **state)
{
	(void)state;
	for (quash_size size = QUASH_TX_MIN; size < 300; size = (quash_size)(size + 7)) {
		mcp_prepare(methods, COUNT_OF(methods), QUASH_MCP_STATE(7, sizeof(struct name)), size);
		mcp.config.calls = &quash_mcp_calls;
		loop_start(&mcp);
		test_rounds(state);
		assert_int_equal(mcp.counters.changed, 0);
		acted = ended = 0;
	}
}

static void test_wrong_configs(void **state)
{
	static const uint8_t nothing[QUASH_MCP_KEY];
	quash_fault fault;
	(void)state;
	mcp.config.calls = &quash_calls;
	assert_false(quash_init(&mcp.peer, &mcp.config, &fault));
	assert_fault(&fault, "calls is needed and not named");
	mcp.config.calls = &quash_mcp_calls;
	input.key = nothing;
	assert_false(quash_init(&mcp.peer, &mcp.config, &fault));
	assert_fault(&fault, "key is missing");
	input.key = key;
	parts[1] = &quash_mcp_ask_part;
	assert_false(quash_init(&mcp.peer, &mcp.config, &fault));
	assert_fault(&fault, "parts is missing");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_rounds, set_up),
		cmocka_unit_test_setup(test_the_same_in_the_legacy_era, set_up),
		cmocka_unit_test_setup(test_an_answer_that_is_missing_is_asked_for_again, set_up),
		cmocka_unit_test_setup(test_rounds, set_up_kept),
		cmocka_unit_test_setup(test_several_at_once, set_up_kept),
		cmocka_unit_test_setup(test_who_cannot_be_asked, set_up_kept),
		cmocka_unit_test_setup(test_of_another_request, set_up_kept),
		cmocka_unit_test_setup(test_declined, set_up),
		cmocka_unit_test_setup(test_who_cannot_be_asked, set_up),
		cmocka_unit_test_setup(test_several_at_once, set_up),
		cmocka_unit_test_setup(test_an_answer_beside_a_question, set_up),
		cmocka_unit_test_setup(test_answers_move, set_up),
		cmocka_unit_test_setup(test_each_byte_counts, set_up),
		cmocka_unit_test_setup(test_of_another_request, set_up),
		cmocka_unit_test_setup(test_expired, set_up),
		cmocka_unit_test_setup(test_more_answers_than_a_state_may_hold, set_up),
		cmocka_unit_test_setup(test_no_answers_in_the_state, set_up),
		cmocka_unit_test_setup(test_cancelled, set_up),
		cmocka_unit_test_setup(test_small_tx, set_up),
		cmocka_unit_test_setup(test_wrong_configs, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
