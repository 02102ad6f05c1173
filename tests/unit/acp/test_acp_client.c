/* SPDX-License-Identifier: MIT
 * What an agent asks of its client: permission, files, terminals; refusals, results, cancels. */
#include "acp_agent.h"

#include <stdio.h>

/* In each test the first turn of the script asks, the further ones look at the result. */

static int32_t outcome;
static uint8_t chosen;

struct turn {
	bool begun;
	bool finished;
	union {
		quash_acp_permission permission;
		quash_acp_read read;
		quash_acp_write write;
		struct {
			quash_acp_terminal terminal;
			quash_acp_look look;
			quash_acp_look kill;
		} run;
	} ask;
};

static int32_t end_with(quash_request *request, int32_t code)
{
	outcome = code;
	if (quash_cancelled(request))
		return QUASH_CANCELLED;
	return code == QUASH_PENDING ? QUASH_PENDING : quash_acp_stop(request, QUASH_ACP_END_TURN);
}

static bool begins(struct turn *t)
{
	const bool first = !t->begun;
	t->begun = true;
	return first;
}

#define ASKED(id, method, members) \
	"{'jsonrpc':'2.0','id':" id ",'method':'" method "','params':{'sessionId':'s1'," members "}}\n"
#define ENDED RESULT("2", "{'stopReason':'end_turn'}")
#define ANSWER(id, value) "{'jsonrpc':'2.0','id':" id ",'result':" value "}"
#define REFUSAL(id, code) "{'jsonrpc':'2.0','id':" id ",'error':{'code':" code ",'message':'no'}}"

static void prompt_it(quash_handler *turn)
{
	assert_in_range(sizeof(struct turn), 1, AGENT_TURN);
	outcome = QUASH_DONE;
	chosen = 9;
	agent_start(turn);
	say(PROMPT("2", "s1", "x"));
	step();
}

/* --- Permission */

static int32_t asks_permission(quash_request *request)
{
	static const quash_acp_tool_call call = { .id = "c", .title = "T" };
	static const quash_acp_option options[] = { { "y", "Yes", QUASH_ACP_ALLOW_ONCE },
		{ "a", "Always", QUASH_ACP_ALLOW_ALWAYS }, { "n", "No", QUASH_ACP_REJECT_ONCE }, { "x", "Never", QUASH_ACP_REJECT_ALWAYS } };
	struct turn *const t = QUASH_STATE(struct turn, request);
	quash_acp_permission *const p = &t->ask.permission;
	if (begins(t)) {
		p->tool_call = &call;
		p->options = options;
		p->option_count = COUNT_OF(options);
		assert_int_equal(quash_acp_permission_result(p, &chosen), QUASH_INVALID_REQUEST);
		assert_int_equal(quash_acp_request_permission(request, p), QUASH_DONE);
		assert_int_equal(quash_acp_request_permission(request, p), QUASH_INVALID_REQUEST);
	}
	return end_with(request, quash_acp_permission_result(p, &chosen));
}

#define PERMISSION \
	ASKED("1", "session/request_permission", \
		"'toolCall':{'toolCallId':'c','title':'T'},'options':[{'optionId':'y','name':'Yes','kind':'allow_once'}," \
		"{'optionId':'a','name':'Always','kind':'allow_always'},{'optionId':'n','name':'No','kind':'reject_once'}," \
		"{'optionId':'x','name':'Never','kind':'reject_always'}]")

static void test_permission_is_given(void **state)
{
	(void)state;
	prompt_it(asks_permission);
	ANSWERS(PERMISSION);
	assert_int_equal(outcome, QUASH_PENDING);
	say(ANSWER("1", "{'outcome':{'outcome':'selected','optionId':'n'}}"));
	step();
	ANSWERS(ENDED);
	assert_int_equal(outcome, QUASH_DONE);
	assert_int_equal(chosen, 2);
	assert_int_equal(quash_call_count(&device.peer), 0);
}

static void test_permission_is_asked_through_the_smallest_tx(void **state)
{
	(void)state;
	agent_start_with(asks_permission, 64);
	say(PROMPT("2", "s1", "x"));
	steps(20);
	ANSWERS(PERMISSION);
	say(CANCEL("2"));
	steps(20);
	ANSWERS(CANCEL("1") "\n" CANCELLED_TURN("2"));
	COUNTED(changed, 0);
}

static void test_permission_has_other_ends(void **state)
{
	(void)state;
	static const struct {
		const char *answer;
		int32_t code;
	} cases[] = {
		{ ANSWER("1", "{'outcome':{'outcome':'cancelled'}}"), QUASH_CANCELLED },
		{ ANSWER("1", "{'outcome':{'outcome':'selected','optionId':'z'}}"), QUASH_INTERNAL_ERROR },
		{ ANSWER("1", "{'outcome':{'outcome':'selected'}}"), QUASH_INTERNAL_ERROR },
		{ ANSWER("1", "{'outcome':{'outcome':'else','optionId':'y'}}"), QUASH_INTERNAL_ERROR },
		{ ANSWER("1", "{'outcome':'cancelled'}"), QUASH_INTERNAL_ERROR },
		{ ANSWER("1", "null"), QUASH_INTERNAL_ERROR },
		{ REFUSAL("1", "-32601"), QUASH_METHOD_NOT_FOUND },
		{ REFUSAL("1", "-32800"), QUASH_CANCELLED },
		{ REFUSAL("1", "1"), QUASH_INTERNAL_ERROR },
		{ REFUSAL("1", "2"), QUASH_INTERNAL_ERROR },
		{ REFUSAL("1", "-70000"), QUASH_INTERNAL_ERROR },
		{ REFUSAL("1", "0"), QUASH_INTERNAL_ERROR },
		{ "{'jsonrpc':'2.0','id':1,'result':{},'error':{}}", QUASH_INTERNAL_ERROR },
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		prompt_it(asks_permission);
		loop_heard(&device);
		say(cases[i].answer);
		step();
		assert_int_equal(outcome, cases[i].code);
		assert_int_equal(chosen, 9);
		ANSWERS(ENDED);
	}
}

static void test_answers_to_others_are_not_taken(void **state)
{
	(void)state;
	prompt_it(asks_permission);
	loop_heard(&device);
	say(ANSWER("'1'", "{'outcome':{'outcome':'selected','optionId':'y'}}"));
	say(ANSWER("2", "{'outcome':{'outcome':'selected','optionId':'y'}}"));
	step();
	ANSWERS("");
	assert_int_equal(outcome, QUASH_PENDING);
}

static void test_a_cancel_runs_down(void **state)
{
	(void)state;
	static const char *const cancels[] = { CANCEL("2"), NOTE_WITH("session/cancel", "{'sessionId':'s1'}") };
	for (size_t i = 0; i < COUNT_OF(cancels); i++) {
		prompt_it(asks_permission);
		loop_heard(&device);
		say(cancels[i]);
		step();
		ANSWERS(CANCEL("1") "\n" CANCELLED_TURN("2"));
		say(ANSWER("1", "{'outcome':{'outcome':'cancelled'}}"));
		step();
		ANSWERS("");
		COUNTED(call_cancels, 1);
		COUNTED(late_responses, 1);
		assert_int_equal(quash_call_count(&device.peer), 0);
	}
}

static void test_the_end_of_input_ends_a_question(void **state)
{
	(void)state;
	prompt_it(asks_permission);
	loop_heard(&device);
	quash_input_end(&device.peer);
	step();
	ANSWERS(ENDED);
	assert_int_equal(outcome, QUASH_LINK_LOST);
}

/* --- Capabilities */

static int32_t asks_everything(quash_request *request)
{
	struct turn *const t = QUASH_STATE(struct turn, request);
	t->ask.read.path = "/a";
	assert_int_equal(quash_acp_read_file(request, &t->ask.read), QUASH_METHOD_NOT_FOUND);
	assert_int_equal(quash_acp_result(&t->ask.read.ask), QUASH_INVALID_REQUEST);
	assert_int_equal(quash_acp_write_file(request, &t->ask.write), QUASH_METHOD_NOT_FOUND);
	assert_int_equal(quash_acp_create_terminal(request, &t->ask.run.terminal), QUASH_METHOD_NOT_FOUND);
	t->ask.run.look.terminal = &t->ask.run.terminal;
	assert_int_equal(quash_acp_kill(request, &t->ask.run.look), QUASH_INVALID_REQUEST);
	assert_int_equal(quash_acp_close_terminal(request, &t->ask.run.terminal), QUASH_DONE);
	return quash_acp_stop(request, QUASH_ACP_END_TURN);
}

static void test_what_the_client_cannot_do_is_not_asked(void **state)
{
	(void)state;
	agent_start(asks_everything);
	agent_connection.client = 0;
	say(PROMPT("2", "s1", "x"));
	step();
	ANSWERS(ENDED);
	COUNTED(calls, 0);
}

/* --- Files */

static const char *content;

static int32_t reads(quash_request *request)
{
	struct turn *const t = QUASH_STATE(struct turn, request);
	quash_value text;
	if (begins(t)) {
		t->ask.read.path = "/a";
		t->ask.read.line = 3;
		t->ask.read.limit = 10;
		assert_int_equal(quash_acp_read_file(request, &t->ask.read), QUASH_DONE);
	}
	const int32_t code = quash_acp_read_result(&t->ask.read, &text);
	if (code == QUASH_DONE)
		assert_string_equal(quash_text(text), content);
	return end_with(request, code);
}

static void test_read(void **state)
{
	(void)state;
	content = "one\ntwo\n";
	prompt_it(reads);
	ANSWERS(ASKED("1", "fs/read_text_file", "'path':'/a','line':3,'limit':10"));
	say(ANSWER("1", "{'content':'one\\ntwo\\n'}"));
	step();
	ANSWERS(ENDED);
	assert_int_equal(outcome, QUASH_DONE);
	prompt_it(reads);
	loop_heard(&device);
	say(ANSWER("1", "{'content':null}"));
	step();
	assert_int_equal(outcome, QUASH_INTERNAL_ERROR);
	prompt_it(reads);
	say(REFUSAL("1", "-32002"));
	step();
	assert_int_equal(outcome, -32002);
}

static void test_a_file_that_is_too_large(void **state)
{
	(void)state;
	static char message[2 * LOOP_ARENA];
	prompt_it(reads);
	snprintf(message, sizeof message, "{'jsonrpc':'2.0','id':1,'result':{'content':'%01500d'}}\n", 0);
	say_on(message);
	step();
	assert_int_equal(outcome, QUASH_TOO_LARGE);
}

static char long_text[1000];

static int32_t writes(quash_request *request)
{
	struct turn *const t = QUASH_STATE(struct turn, request);
	if (begins(t)) {
		t->ask.write.path = "/a";
		t->ask.write.content = long_text;
		t->ask.write.length = sizeof long_text;
		assert_int_equal(quash_acp_write_file(request, &t->ask.write), QUASH_DONE);
	}
	return end_with(request, quash_acp_result(&t->ask.write.ask));
}

static void test_write_leaves_in_windows(void **state)
{
	(void)state;
	memset(long_text, 'w', sizeof long_text);
	prompt_it(writes);
	steps(5);
	const char *const asked = loop_heard(&device);
	assert_non_null(strstr(asked, quoted("'path':'/a','content':'www")));
	assert_int_equal(strlen(asked),
		sizeof long_text + strlen(quoted(ASKED("1", "fs/write_text_file", "'path':'/a','content':''"))));
	say(ANSWER("1", "null"));
	step();
	ANSWERS(ENDED);
	assert_int_equal(outcome, QUASH_DONE);
}

/* --- Terminals */

static quash_acp_exit how;

static int32_t runs(quash_request *request)
{
	static const char *const args[] = { "-l", "/" };
	static const quash_acp_variable env[] = { { "A", "1" }, { "B", "2" } };
	struct turn *const t = QUASH_STATE(struct turn, request);
	quash_acp_terminal *const terminal = &t->ask.run.terminal;
	quash_value id;
	if (begins(t)) {
		terminal->command = "ls";
		terminal->args = args;
		terminal->arg_count = 2;
		terminal->env = env;
		terminal->env_count = 2;
		terminal->cwd = "/notes";
		terminal->output_limit = 100;
		assert_int_equal(quash_acp_create_terminal(request, terminal), QUASH_DONE);
		t->ask.run.look.terminal = t->ask.run.kill.terminal = terminal;
	}
	if (!quash_cancelled(request) && !t->finished) {
		outcome = quash_acp_terminal_result(terminal, &id);
		if (outcome == QUASH_PENDING)
			return QUASH_PENDING;
		if (outcome == QUASH_DONE && !quash_call_in_use(&t->ask.run.look.ask.call))
			assert_int_equal(quash_acp_wait_for_exit(request, &t->ask.run.look), QUASH_DONE);
		if (outcome == QUASH_DONE)
			outcome = quash_acp_exit_result(&t->ask.run.look, &how);
		if (outcome == QUASH_PENDING)
			return QUASH_PENDING;
		t->finished = true;
	}
	const int32_t code = quash_acp_close_terminal(request, terminal);
	if (code == QUASH_PENDING)
		return code;
	assert_false(terminal->closing || quash_call_in_use(&terminal->release) || quash_call_in_use(&terminal->ask.call));
	return end_with(request, outcome);
}

#define CREATE \
	ASKED("1", "terminal/create", \
		"'command':'ls','args':['-l','/'],'env':[{'name':'A','value':'1'},{'name':'B','value':'2'}]," \
		"'cwd':'/notes','outputByteLimit':100")
#define CREATED ANSWER("1", "{'terminalId':'t 1'}")
#define WAIT(id) ASKED(id, "terminal/wait_for_exit", "'terminalId':'t 1'")
#define RELEASE(id) ASKED(id, "terminal/release", "'terminalId':'t 1'")

static void test_a_terminal_from_beginning_to_end(void **state)
{
	(void)state;
	prompt_it(runs);
	ANSWERS(CREATE);
	say(CREATED);
	step();
	ANSWERS(WAIT("2"));
	say(ANSWER("2", "{'exitCode':4294967295,'signal':null}"));
	steps(2);
	ANSWERS(RELEASE("3"));
	say(ANSWER("3", "{}"));
	steps(10);
	ANSWERS(ENDED);
	assert_true(how.exited && how.has_code);
	assert_int_equal(how.code, UINT32_MAX);
	assert_int_equal(quash_kind_of(how.signal), QUASH_NONE);
	assert_int_equal(quash_call_count(&device.peer), 0);
}

/* An exit code is an integer of 32 bits without sign; any other is none. */
static void test_exit_codes(void **state)
{
	static const struct {
		const char *status;
		bool has_code;
		uint32_t code;
	} cases[] = { { "{'exitCode':0}", true, 0 }, { "{'exitCode':1}", true, 1 }, { "{'exitCode':4294967295}", true, UINT32_MAX },
		{ "{'exitCode':4294967296}", false, 0 }, { "{'exitCode':-1}", false, 0 }, { "{'exitCode':1.5}", false, 0 },
		{ "{'exitCode':'1'}", false, 0 }, { "{'exitCode':null}", false, 0 }, { "{}", false, 0 } };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char answer[80];
		prompt_it(runs);
		say(CREATED);
		step();
		snprintf(answer, sizeof answer, ANSWER("2", "%s"), cases[i].status);
		say(answer);
		steps(2);
		assert_int_equal(outcome, QUASH_DONE);
		assert_true(how.exited);
		assert_int_equal(how.has_code, cases[i].has_code);
		assert_int_equal(how.code, cases[i].code);
		loop_heard(&device);
	}
	prompt_it(runs);
	say(CREATED);
	step();
	say(ANSWER("2", "null")); /* says nothing of an end */
	steps(2);
	assert_int_equal(outcome, QUASH_INTERNAL_ERROR);
}

static void test_a_terminal_that_is_not_created(void **state)
{
	(void)state;
	prompt_it(runs);
	loop_heard(&device);
	say(REFUSAL("1", "-32603"));
	step();
	ANSWERS(ENDED);
	assert_int_equal(outcome, -32603);
	prompt_it(runs);
	loop_heard(&device);
	say(ANSWER("1", "{'terminalId':7}"));
	step();
	ANSWERS(ENDED);
	assert_int_equal(outcome, QUASH_INTERNAL_ERROR);
	assert_int_equal(quash_call_count(&device.peer), 0);
}

/* The client creates it although it was cancelled: it is released. */
static void test_a_cancel_while_it_is_created(void **state)
{
	(void)state;
	prompt_it(runs);
	loop_heard(&device);
	say(CANCEL("2"));
	step();
	ANSWERS(CANCEL("1") "\n");
	say(CREATED);
	steps(10);
	ANSWERS(RELEASE("2"));
	say(ANSWER("2", "null"));
	steps(10);
	ANSWERS(CANCELLED_TURN("2"));
	assert_int_equal(quash_call_count(&device.peer), 0);
}

/* A client that never answers is waited for two seconds, and no longer. */
static void test_a_cancel_of_what_is_never_created(void **state)
{
	(void)state;
	prompt_it(runs);
	loop_heard(&device);
	say(CANCEL("2"));
	step();
	ANSWERS(CANCEL("1") "\n");
	steps(1990);
	ANSWERS("");
	steps(20);
	ANSWERS(CANCELLED_TURN("2"));
	assert_int_equal(quash_live_count(&device.peer), 0);
	say(CREATED);
	steps(10);
	ANSWERS("");
	COUNTED(late_responses, 1);
	assert_int_equal(quash_call_count(&device.peer), 0);
}

static void test_a_cancel_while_it_runs(void **state)
{
	(void)state;
	prompt_it(runs);
	say(CREATED);
	step();
	loop_heard(&device);
	say(NOTE_WITH("session/cancel", "{'sessionId':'s1'}"));
	step();
	ANSWERS(CANCEL("2") "\n" RELEASE("3"));
	say(ANSWER("3", "{}"));
	steps(10);
	ANSWERS(CANCELLED_TURN("2"));
	assert_int_equal(quash_call_count(&device.peer), 0);
}

static void test_a_client_that_does_not_release(void **state)
{
	(void)state;
	prompt_it(runs);
	say(CREATED);
	step();
	say(CANCEL("2"));
	step();
	loop_heard(&device);
	steps(1999);
	ANSWERS("");
	steps(10);
	ANSWERS(CANCEL("3") "\n" CANCELLED_TURN("2"));
	assert_int_equal(quash_call_count(&device.peer), 0);
}

static void test_a_client_that_is_gone(void **state)
{
	(void)state;
	prompt_it(runs);
	say(CREATED);
	step();
	quash_gone(&device.peer);
	steps(10);
	assert_int_equal(quash_live_count(&device.peer), 0);
	assert_int_equal(quash_call_count(&device.peer), 0);
}

static quash_acp_output output;

static int32_t looks(quash_request *request)
{
	struct turn *const t = QUASH_STATE(struct turn, request);
	quash_acp_terminal *const terminal = &t->ask.run.terminal;
	if (begins(t)) {
		terminal->command = "x";
		assert_int_equal(quash_acp_create_terminal(request, terminal), QUASH_DONE);
		t->ask.run.look.terminal = t->ask.run.kill.terminal = terminal;
	}
	if (quash_acp_terminal_result(terminal, NULL) == QUASH_PENDING)
		return QUASH_PENDING;
	if (!t->finished) {
		t->finished = true;
		assert_int_equal(quash_acp_get_output(request, &t->ask.run.look), QUASH_DONE);
		assert_int_equal(quash_acp_kill(request, &t->ask.run.kill), QUASH_DONE);
	}
	if (quash_acp_output_result(&t->ask.run.look, &output) == QUASH_DONE)
		device_note(NULL, quash_text(output.text));
	if (quash_acp_result(&t->ask.run.kill.ask) == QUASH_PENDING)
		return QUASH_PENDING;
	const int32_t code = quash_acp_close_terminal(request, terminal);
	return code == QUASH_PENDING ? code : quash_acp_stop(request, QUASH_ACP_END_TURN);
}

static void test_output_and_kill(void **state)
{
	(void)state;
	prompt_it(looks);
	ANSWERS(ASKED("1", "terminal/create", "'command':'x'"));
	say(CREATED);
	step();
	ANSWERS(ASKED("2", "terminal/output", "'terminalId':'t 1'") ASKED("3", "terminal/kill", "'terminalId':'t 1'"));
	say(ANSWER("2", "{'output':'half a l','truncated':true}"));
	step();
	DID("half a l()");
	assert_true(output.truncated);
	assert_false(output.end.exited);
	say(ANSWER("3", "{}"));
	step();
	ANSWERS(RELEASE("4"));
}

static void test_output_of_what_has_ended(void **state)
{
	(void)state;
	prompt_it(looks);
	say(CREATED);
	step();
	say(ANSWER("2", "{'output':'','truncated':false,'exitStatus':{'exitCode':null,'signal':'SIGKILL'}}"));
	step();
	assert_false(output.truncated);
	assert_true(output.end.exited);
	assert_false(output.end.has_code);
	assert_string_equal(quash_text(output.end.signal), "SIGKILL");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_permission_is_given),
		cmocka_unit_test(test_permission_is_asked_through_the_smallest_tx),
		cmocka_unit_test(test_permission_has_other_ends),
		cmocka_unit_test(test_answers_to_others_are_not_taken),
		cmocka_unit_test(test_a_cancel_runs_down),
		cmocka_unit_test(test_the_end_of_input_ends_a_question),
		cmocka_unit_test(test_what_the_client_cannot_do_is_not_asked),
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_a_file_that_is_too_large),
		cmocka_unit_test(test_write_leaves_in_windows),
		cmocka_unit_test(test_a_terminal_from_beginning_to_end),
		cmocka_unit_test(test_exit_codes),
		cmocka_unit_test(test_a_terminal_that_is_not_created),
		cmocka_unit_test(test_a_cancel_while_it_is_created),
		cmocka_unit_test(test_a_cancel_of_what_is_never_created),
		cmocka_unit_test(test_a_cancel_while_it_runs),
		cmocka_unit_test(test_a_client_that_does_not_release),
		cmocka_unit_test(test_a_client_that_is_gone),
		cmocka_unit_test(test_output_and_kill),
		cmocka_unit_test(test_output_of_what_has_ended),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
