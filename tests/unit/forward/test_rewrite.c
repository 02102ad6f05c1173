/* SPDX-License-Identifier: MIT
 * What a bridge to several servers needs besides: names that are changed on the way, ids from a number on, and a look at
 * what passes. */
#include "device.h"

#include "quash/forward.h"

enum { TOKEN = 12, STATE = 256 };

static loop front, back;
static uint64_t front_states[LOOP_SLOTS * STATE / 8], back_states[LOOP_SLOTS * STATE / 8];
static quash_kind seen_at_first, seen_at_last;
static const quash_request *reported;

/* `motor_turn` is `turn` there, and its result is put in brackets. */
static void put_name(quash_writer *w, const quash_request *request, quash_value value)
{
	const size_t prefix = sizeof "motor_" - 1;
	(void)request;
	quash_put_string(w, quash_text(value) + prefix, quash_length(value) - prefix);
}

static void put_result(quash_writer *w, const quash_request *request, quash_value result)
{
	(void)request;
	quash_put_array(w);
	quash_put_value(w, result);
	quash_put_end(w);
}

static void put_hop(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_put_key(w, "hop");
	quash_put_text(w, "own");
}

static const quash_rewrite both = { .member = "name", .param = put_name, .result = put_result };
static const quash_rewrite results = { .result = put_result };
static const quash_rewrite hops = { .hop = "hop", .put_hop = put_hop };
static const quash_rewrite without_hop = { .hop = "hop" };
static const quash_route hopping = { &back.peer, NULL, &quash_mcp_progress_form, TOKEN, &hops };
static const quash_route stripping = { &back.peer, NULL, &quash_mcp_progress_form, TOKEN, &without_hop };
static const quash_route renaming = { &back.peer, NULL, &quash_mcp_progress_form, TOKEN, &both };
static const quash_route plainly = { .to = &back.peer, .rewrite = &both };
static const quash_route bracketing = { .to = &back.peer, .rewrite = &results };

static int32_t look(quash_request *request)
{
	const quash_kind before = quash_kind_of(quash_forward_answer(request));
	const int32_t outcome = quash_forward_to(request, &renaming);
	if (outcome == QUASH_PENDING)
		seen_at_first = before;
	else
		seen_at_last = before;
	return outcome;
}

static int32_t progress(quash_request *request)
{
	reported = quash_forward_of_progress(request);
	return quash_forward_progress(request);
}

static const quash_method front_methods[] = {
	{ .name = "call", .handler = look, .state_size = QUASH_FORWARD_STATE(TOKEN) },
	{ .name = "plain", .handler = quash_forward, .data = &plainly, .state_size = QUASH_FORWARD_STATE(0) },
	{ .name = "hop", .handler = quash_forward, .data = &hopping, .state_size = QUASH_FORWARD_STATE(TOKEN) },
	{ .name = "strip", .handler = quash_forward, .data = &stripping, .state_size = QUASH_FORWARD_STATE(TOKEN) },
	{ .name = "read", .handler = quash_forward, .data = &bracketing, .state_size = QUASH_FORWARD_STATE(0) },
};

static const quash_method back_methods[] = {
	{ .name = "notifications/progress", .handler = progress, .data = &renaming, .marks = QUASH_NOTIFICATION },
};

static void use(loop *l, const quash_method *methods, uint8_t count, uint64_t *states)
{
	loop_init(l, &quash_mcp, methods, count);
	l->config.states = states;
	l->config.state_size = STATE;
	l->config.calls = &quash_calls;
	memset(states, 0, sizeof front_states);
	loop_start(l);
}

static int set_up(void **state)
{
	(void)state;
	use(&front, front_methods, COUNT_OF(front_methods), front_states);
	use(&back, back_methods, COUNT_OF(back_methods), back_states);
	seen_at_first = seen_at_last = QUASH_NONE;
	reported = NULL;
	return 0;
}

static void turns(unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		(void)loop_step(&front, 1);
		(void)loop_step(&back, 1);
	}
}

static void sends(loop *l, const char *message)
{
	loop_say_message(l, quoted(message));
	turns(3);
}

#define CLIENT_GETS(expected) assert_string_equal(loop_heard(&front), quoted(expected))
#define SERVER_GETS(expected) assert_string_equal(loop_heard(&back), quoted(expected))
/* Sent by one, what is then received by the other is this. */
#define PASSED_ON(message, expected) (sends(&front, message), SERVER_GETS(expected))
#define PASSED_BACK(message, expected) (sends(&back, message), CLIENT_GETS(expected))
#define ANSWER(id, value) "{'jsonrpc':'2.0','id':" id ",'result':" value "}"
#define REFUSAL(id) "{'jsonrpc':'2.0','id':" id ",'error':{'code':-7,'message':'no'}}"

static void test_a_name_is_changed_and_a_result(void **state)
{
	(void)state;
	PASSED_ON(REQUEST_WITH("8", "call", "{'name':'motor_turn','arguments':{'name':'motor_x'},'_meta':{'progressToken':3}}"), REQUEST_WITH("1", "call", "{'name':'turn','arguments':{'name':'motor_x'},'_meta':{'progressToken':'w1'}}") "\n");
	PASSED_BACK(ANSWER("1", "{'a':1}"), RESULT("8", "[{'a':1}]"));
}

static void test_without_tokens(void **state)
{
	(void)state;
	PASSED_ON(REQUEST_WITH("8", "plain", "{'x':{'name':'motor_a'},'name':'motor_b'}"), REQUEST_WITH("1", "plain", "{'x':{'name':'motor_a'},'name':'b'}") "\n");
	PASSED_ON(REQUEST_WITH("9", "plain", "['name']"), REQUEST_WITH("2", "plain", "['name']") "\n");
}

/* What is beside the token, for one hop alone. */
static void test_a_member_of_one_hop(void **state)
{
	(void)state;
	PASSED_ON(REQUEST_WITH("1", "hop", "{'hop':1,'_meta':{'hop':{'a':2},'b':3,'progressToken':4}}"), REQUEST_WITH("1", "hop", "{'hop':1,'_meta':{'b':3,'progressToken':'w1','hop':'own'}}") "\n");
	PASSED_ON(REQUEST_WITH("2", "hop", "{'_meta':{}}"), REQUEST_WITH("2", "hop", "{'_meta':{'hop':'own'}}") "\n");
	PASSED_ON(REQUEST_WITH("3", "hop", "{'a':1}"), REQUEST_WITH("3", "hop", "{'a':1}") "\n");
	PASSED_ON(REQUEST_WITH("4", "strip", "{'_meta':{'a':1,'hop':2},'hop':3}"), REQUEST_WITH("4", "strip", "{'_meta':{'a':1},'hop':3}") "\n");
	PASSED_ON(REQUEST_WITH("5", "strip", "{'_meta':{'hop':2},'a':[]}"), REQUEST_WITH("5", "strip", "{'a':[]}") "\n");
	PASSED_ON(REQUEST_WITH("6", "strip", "{'_meta':{}}"), REQUEST_WITH("6", "strip", "{'_meta':{}}") "\n");
}

static void test_the_result_alone_and_no_error(void **state)
{
	(void)state;
	PASSED_ON(REQUEST_WITH("1", "read", "{'name':'motor_a'}"), REQUEST_WITH("1", "read", "{'name':'motor_a'}") "\n");
	PASSED_BACK(ANSWER("1", "2"), RESULT("1", "[2]"));
	sends(&front, REQUEST("1", "read"));
	(void)loop_heard(&back);
	PASSED_BACK(REFUSAL("2"), REFUSAL("1") "\n");
}

static void test_the_result_is_seen_before_it_goes_on(void **state)
{
	(void)state;
	sends(&front, REQUEST_WITH("8", "call", "{'name':'motor_turn'}"));
	sends(&back, ANSWER("1", "{'a':1}"));
	assert_int_equal(seen_at_first, QUASH_NONE);
	assert_int_equal(seen_at_last, QUASH_OBJECT);
	sends(&front, REQUEST_WITH("9", "call", "{'name':'motor_turn'}"));
	sends(&back, REFUSAL("2"));
	assert_int_equal(seen_at_last, QUASH_NONE);
}

static void test_whom_progress_is_about(void **state)
{
	(void)state;
	sends(&front, REQUEST_WITH("8", "call", "{'name':'motor_turn','_meta':{'progressToken':'t'}}"));
	sends(&back, "{'jsonrpc':'2.0','method':'notifications/progress','params':{'progressToken':'w1','progress':1}}");
	assert_non_null(reported);
	assert_ptr_equal(reported, quash_forward_find(&back.peer, 1));
	CLIENT_GETS("{'jsonrpc':'2.0','method':'notifications/progress','params':{'progressToken':'t','progress':1}}\n");
	sends(&back, "{'jsonrpc':'2.0','method':'notifications/progress','params':{'progressToken':'w2','progress':1}}");
	assert_null(reported);
	assert_null(quash_forward_find(&back.peer, 2));
}

static void test_ids_from_a_number_on(void **state)
{
	(void)state;
	quash_call_ids_from(&back.peer, 700);
	PASSED_ON(REQUEST("1", "read"), REQUEST("700", "read") "\n");
	quash_call_ids_from(&back.peer, 700);
	quash_call_ids_from(&back.peer, 0);
	quash_call_ids_from(&back.peer, UINT32_MAX);
	PASSED_ON(REQUEST("2", "read"), REQUEST("701", "read") "\n");
	PASSED_BACK(ANSWER("701", "2"), RESULT("2", "[2]"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_a_name_is_changed_and_a_result, set_up),
		cmocka_unit_test_setup(test_without_tokens, set_up),
		cmocka_unit_test_setup(test_a_member_of_one_hop, set_up),
		cmocka_unit_test_setup(test_the_result_alone_and_no_error, set_up),
		cmocka_unit_test_setup(test_the_result_is_seen_before_it_goes_on, set_up),
		cmocka_unit_test_setup(test_whom_progress_is_about, set_up),
		cmocka_unit_test_setup(test_ids_from_a_number_on, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
