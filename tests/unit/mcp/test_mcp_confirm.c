/* SPDX-License-Identifier: MIT
 * Motion that a person confirms: asked through the client, or at a button. */
#include "unit.h"

#include <stdio.h>

#include "mcp_talk.h"
#include "quash.h"

struct move {
	quash_mcp_confirming confirming;
	int32_t steps;
	bool back;
	bool goes_on; /* until it is cancelled */
};

struct fire {
	quash_mcp_confirming confirming;
	char who[8];
};

static quash_mcp_arming arming;
static unsigned moved, ended, slows; /* steps until it stands */
static int32_t last_steps;

static int32_t move(quash_request *request)
{
	struct move *const m = QUASH_TOOL(struct move, request);
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return slows > 0 ? slows--, quash_wait(request, 10) : QUASH_CANCELLED;
	moved++;
	last_steps = m->steps;
	return m->goes_on ? quash_wait(request, 100) : quash_mcp_text(request, "moved");
}

static int32_t fire(quash_request *request)
{
	moved++;
	return quash_mcp_text(request, "fired");
}

static int32_t stop(quash_request *request)
{
	(void)request;
	ended++;
	return QUASH_DONE;
}

static bool goes_back(const quash_request *request)
{
	return QUASH_CONST_TOOL(struct move, request)->back;
}

static const quash_param move_list[] = { QUASH_ARG_INT(struct move, steps, -9999, 9999, "how far"),
	QUASH_ARG_BOOL_OR(struct move, back, false, "to where it was"), QUASH_ARG_BOOL_OR(struct move, goes_on, false, "and on") };
static const quash_params move_params = QUASH_PARAMS(struct move, move_list);
static const quash_param fire_list[] = { QUASH_ARG_TEXT_OR(struct fire, who, NULL, "a name"), QUASH_ARG_STRING_OR("why", "a reason") };
static const quash_params fire_params = QUASH_PARAMS(struct fire, fire_list);
static const quash_params bare_params = QUASH_NO_PARAMS(struct fire);
static quash_mcp_rule rules[3];
static quash_mcp_tool tools[3];
static const quash_mcp_confirm confirm = QUASH_MCP_CONFIRM(rules);
static const uint8_t key[QUASH_MCP_KEY] = { 9 };
static const quash_mcp_input input = QUASH_MCP_INPUT(key, 60000, 100);
static const quash_mcp_part *parts[] = { &input.part, &confirm.part, NULL };
static quash_mcp_session session;
static const quash_mcp_server server = { .name = "s", .version = "1", .session = &session, .tools = tools, .tool_count = 3, .parts = parts,
	.modern = &quash_mcp_modern, .token_size = 7 };
static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };

static void fill_tables(void)
{
	const quash_mcp_rule by_value = { .tool = "move", .call = move, .end = stop, .param = "steps", .above = 100,
		.by = QUASH_MCP_BY_PERSON | QUASH_MCP_BY_BUTTON, .wait = 1000, .arming = &arming };
	const quash_mcp_rule always = { .tool = "fire", .call = fire, .end = stop, .words = "Is \"all\" clear?", .by = QUASH_MCP_BY_PERSON, .wait = 500, .arming = &arming };
	const quash_mcp_rule at_button = { .tool = "ring", .call = fire, .by = QUASH_MCP_BY_BUTTON, .wait = 1000, .arming = &arming };
	const quash_mcp_tool mover = { .name = "move", .args = &move_params, .call = quash_mcp_confirm_call, .end = quash_mcp_confirm_end, .deadline = 2000 };
	const quash_mcp_tool firer = { .name = "fire", .args = &fire_params, .call = quash_mcp_confirm_call, .end = quash_mcp_confirm_end };
	const quash_mcp_tool ringer = { .name = "ring", .args = &bare_params, .call = quash_mcp_confirm_call, .end = quash_mcp_confirm_end };
	rules[0] = by_value;
	rules[1] = always;
	rules[2] = at_button;
	tools[0] = mover;
	tools[1] = firer;
	tools[2] = ringer;
	parts[0] = &input.part;
	parts[1] = &confirm.part;
}

static int set_up(void **state)
{
	static const quash_mcp_arming fresh;
	(void)state;
	fill_tables();
	arming = fresh;
	moved = ended = slows = 0;
	mcp_prepare(methods, COUNT_OF(methods), QUASH_MCP_STATE(7, sizeof(union { struct move move; struct fire fire; })), LOOP_TX);
	mcp.config.calls = &quash_mcp_calls;
	loop_start(&mcp);
	return 0;
}

#define GREETED RESULT("0", "'protocolVersion':'2025-11-25','capabilities':{'tools':{}},'serverInfo':{'name':'s','version':'1'}")

static void greet_with(const char *capabilities)
{
	char text[200];
	snprintf(text, sizeof text, "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'2025-11-25','capabilities':{%s}}}", capabilities);
	mcp_check(text, GREETED);
}

#define QUESTION(id, words) "{'jsonrpc':'2.0','id':" id ",'method':'elicitation/create','params':{'message':'" words "'," \
	"'requestedSchema':{'type':'object','properties':{}}}}\n"
#define MOVE(steps) "Confirm move: steps is " steps ", back is false, goes_on is false"
#define FIRE(who) "Confirm fire: who is " who ", why is null. Is \\'all\\' clear?"
#define ANSWERED(id, action) "{'jsonrpc':'2.0','id':" id ",'result':{'action':'" action "','content':{}}}"
#define REFUSED(id, why) FAILURE(id, "Nothing was done: " why)

/* --- By elicitation */

static void test_what_needs_no_confirmation(void **state)
{
	(void)state;
	greet_with("");
	mcp_check(CALL("1", "move", "'steps':100"), TEXT("1", "moved"));
	mcp_check(CALL("2", "move", "'steps':0"), TEXT("2", "moved"));
	assert_int_equal(moved, 2);
	assert_int_equal(ended, 2);
}

static void test_accepted(void **state)
{
	(void)state;
	greet_with("'elicitation':{}");
	mcp_check_steps(2, CALL("1", "move", "'steps':101"), QUESTION("1", MOVE("101")));
	assert_int_equal(moved, 0);
	mcp_check(ANSWERED("1", "accept"), TEXT("1", "moved"));
	assert_int_equal(last_steps, 101);
	mcp_check_steps(2, CALL("2", "fire", ""), QUESTION("2", FIRE("\\'\\'")));
	mcp_check(ANSWERED("2", "accept"), TEXT("2", "fired"));
	assert_int_equal(ended, 2);
}

/* Both ends of the range, and nothing for the other side to mistake. */
static void test_below_the_range(void **state)
{
	(void)state;
	greet_with("'elicitation':{}");
	mcp_check_steps(2, CALL("1", "move", "'steps':-1"), QUESTION("1", MOVE("-1")));
	mcp_check(ANSWERED("1", "accept"), TEXT("1", "moved"));
	rules[0].below = -50;
	mcp_check(CALL("2", "move", "'steps':-50"), TEXT("2", "moved"));
	mcp_check_steps(2, CALL("3", "move", "'steps':-51"), QUESTION("2", MOVE("-51")));
	mcp_check(ANSWERED("2", "decline"), REFUSED("3", "the person has declined it"));
}

static void test_the_question_shows_all_arguments(void **state)
{
	(void)state;
	greet_with("'elicitation':{}");
	mcp_check_steps(2, CALL("1", "fire", "'who':'a\\'b','why':'it. \\'ok\\''"),
		QUESTION("1", "Confirm fire: who is \\'a\\\\\\'b\\', why is \\'it. \\\\\\'ok\\\\\\'\\'. Is \\'all\\' clear?"));
	mcp_check(ANSWERED("1", "accept"), TEXT("1", "fired"));
}

static void test_a_condition_of_the_program(void **state)
{
	(void)state;
	rules[0].param = NULL;
	rules[0].when = goes_back;
	greet_with("'elicitation':{}");
	mcp_check(CALL("1", "move", "'steps':5000"), TEXT("1", "moved"));
	mcp_check_steps(2, CALL("2", "move", "'steps':1,'back':true"),
		QUESTION("1", "Confirm move: steps is 1, back is true, goes_on is false"));
	mcp_check(ANSWERED("1", "accept"), TEXT("2", "moved"));
}

static void test_not_accepted(void **state)
{
	(void)state;
	greet_with("'elicitation':{}");
	mcp_check_steps(2, CALL("1", "move", "'steps':101"), QUESTION("1", MOVE("101")));
	mcp_check(ANSWERED("1", "decline"), REFUSED("1", "the person has declined it"));
	mcp_check_steps(2, CALL("2", "move", "'steps':101"), QUESTION("2", MOVE("101")));
	mcp_check(ANSWERED("2", "cancel"), REFUSED("2", "the person has closed the question without an answer"));
	mcp_check_steps(2, CALL("3", "fire", ""), QUESTION("3", FIRE("\\'\\'")));
	mcp_check("{'jsonrpc':'2.0','id':3,'error':{'code':-1,'message':'no','action':'accept'}}", REFUSED("3", "the client could not ask for the confirmation"));
	mcp_check_steps(2, CALL("4", "fire", ""), QUESTION("4", FIRE("\\'\\'")));
	mcp_check("{'jsonrpc':'2.0','id':4,'result':[]}", REFUSED("4", "the person has closed the question without an answer"));
	mcp_check_steps(2, CALL("5", "fire", ""), QUESTION("5", FIRE("\\'\\'")));
	mcp_send(CANCEL("5"));
	loop_settle(&mcp, 50);
	assert_string_equal(loop_heard(&mcp), mcp_quoted(CANCEL("5") "\n"));
	assert_int_equal(moved + ended, 0);
}

static void test_nobody_answers(void **state)
{
	(void)state;
	greet_with("'elicitation':{}");
	mcp_check_steps(2, CALL("1", "fire", ""), QUESTION("1", FIRE("\\'\\'")));
	loop_step(&mcp, 497);
	assert_string_equal(loop_heard(&mcp), "");
	loop_step(&mcp, 20);
	loop_settle(&mcp, 20);
	const char *const heard = loop_heard(&mcp);
	assert_non_null(strstr(heard, mcp_quoted(REFUSED("1", "nobody has confirmed it in time"))));
	assert_non_null(strstr(heard, mcp_quoted(CANCEL("1"))));
	assert_int_equal(moved + ended, 0);
}

static void test_an_answer_that_comes_too_late(void **state)
{
	(void)state;
	greet_with("'elicitation':{}");
	mcp_check_steps(2, CALL("1", "fire", ""), QUESTION("1", FIRE("\\'\\'")));
	mcp.now += 100000;
	mcp_check(ANSWERED("1", "accept"), REFUSED("1", "nobody has confirmed it in time"));
	assert_int_equal(moved + ended, 0);
}

static void test_who_cannot_ask(void **state)
{
	(void)state;
	greet_with("");
	mcp_check(CALL("1", "fire", ""), REFUSED("1", "a person must confirm this, and this client cannot ask one"));
	assert_int_equal(moved + ended, 0);
}

/* The longest time of the motion begins when it is confirmed. */
static void test_waiting_is_no_motion(void **state)
{
	(void)state;
	greet_with("'elicitation':{}");
	mcp_check_steps(2, CALL("1", "move", "'steps':101,'goes_on':true"), QUESTION("1", "Confirm move: steps is 101, back is false, goes_on is true"));
	loop_step(&mcp, 900);
	mcp_check_steps(1, ANSWERED("1", "accept"), "");
	loop_step(&mcp, 900);
	assert_int_equal(ended, 0);
	loop_step(&mcp, 100);
	assert_int_equal(ended, 1);
}

/* --- The button */

static void step_for(unsigned ms)
{
	for (unsigned passed = 0; passed < ms; passed += 10)
		loop_step(&mcp, 10);
}

static void press_and_step(void)
{
	quash_mcp_press(&arming);
	step_for(40);
}

static void test_button(void **state)
{
	(void)state;
	greet_with("");
	quash_mcp_press(&arming); /* before anybody has asked */
	assert_false(quash_mcp_waits(&arming));
	mcp_check_steps(1, CALL("1", "move", "'steps':500"), "");
	assert_true(quash_mcp_waits(&arming));
	step_for(200);
	press_and_step(); /* sooner than anybody can have read it */
	step_for(200);
	assert_int_equal(moved, 0);
	press_and_step();
	assert_string_equal(loop_heard(&mcp), mcp_quoted(TEXT("1", "moved")));
	assert_false(quash_mcp_waits(&arming));
	mcp_check_steps(1, CALL("2", "move", "'steps':500"), "");
	step_for(1100);
	assert_string_equal(loop_heard(&mcp), mcp_quoted(REFUSED("2", "nobody has pressed the button on the device in time")));
	assert_false(quash_mcp_waits(&arming));
	assert_int_equal(moved, 1);
}

/* However long nobody has looked: a press counts from the first look after 300 ms on. */
static void test_a_press_that_nobody_has_looked_at(void **state)
{
	(void)state;
	greet_with("");
	mcp_check_steps(1, CALL("1", "move", "'steps':500"), "");
	quash_mcp_press(&arming);
	loop_step(&mcp, 400);
	step_for(100);
	assert_int_equal(moved, 0);
	press_and_step();
	assert_int_equal(moved, 1);
	(void)loop_heard(&mcp);
	mcp_check_steps(1, CALL("2", "move", "'steps':500"), "");
	step_for(270);
	quash_mcp_press(&arming);
	step_for(100);
	assert_int_equal(moved, 1);
	quash_mcp_press(&arming); /* in time, but looked at when its time is over */
	loop_step(&mcp, 700);
	loop_settle(&mcp, 20);
	assert_string_equal(loop_heard(&mcp), mcp_quoted(REFUSED("2", "nobody has pressed the button on the device in time")));
	assert_int_equal(moved, 1);
}

static void test_one_waits_for_the_button(void **state)
{
	(void)state;
	greet_with("");
	mcp_check_steps(1, CALL("1", "move", "'steps':501"), "");
	mcp_check_steps(2, CALL("2", "move", "'steps':502"), REFUSED("2", "the button on the device waits for another call"));
	step_for(300);
	press_and_step();
	assert_string_equal(loop_heard(&mcp), mcp_quoted(TEXT("1", "moved")));
	assert_int_equal(last_steps, 501);
	press_and_step(); /* is nobody's */
	mcp_check_steps(1, CALL("3", "ring", ""), "");
	step_for(400);
	assert_int_equal(moved, 1);
	press_and_step();
	assert_string_equal(loop_heard(&mcp), mcp_quoted(TEXT("3", "fired")));
}

/* The press that was meant for a cancelled call confirms no other one. */
static void test_cancelled_at_the_button(void **state)
{
	(void)state;
	greet_with("");
	mcp_check_steps(1, CALL("1", "move", "'steps':501"), "");
	step_for(400);
	mcp_check_steps(2, CANCEL("1"), "");
	mcp_check_steps(1, CALL("2", "move", "'steps':502"), "");
	press_and_step();
	assert_int_equal(moved, 0);
	step_for(300);
	press_and_step();
	assert_int_equal(last_steps, 502);
	assert_int_equal(ended, 1);
	(void)loop_heard(&mcp);
}

/* A call that was dropped by quash_init had waited. */
static void test_button_after_a_new_beginning(void **state)
{
	static const quash_mcp_arming fresh;
	(void)state;
	greet_with("");
	quash_mcp_press(&arming);
	mcp_check_steps(1, CALL("1", "move", "'steps':501"), "");
	loop_start(&mcp);
	quash_mcp_new_session(&mcp.peer);
	greet_with("");
	mcp_check_steps(2, CALL("1", "move", "'steps':501"), REFUSED("1", "the button on the device waits for another call"));
	arming = fresh;
	mcp_check_steps(1, CALL("2", "move", "'steps':501"), "");
	step_for(400);
	assert_int_equal(moved, 0);
	press_and_step();
	assert_int_equal(moved, 1);
	(void)loop_heard(&mcp);
}

/* The question is taken back when the button was faster. */
static void test_button_beside_the_question(void **state)
{
	(void)state;
	greet_with("'elicitation':{}");
	mcp_check_steps(2, CALL("1", "move", "'steps':101"), QUESTION("1", MOVE("101")));
	step_for(300);
	press_and_step();
	loop_settle(&mcp, 20);
	const char *const heard = loop_heard(&mcp);
	assert_non_null(strstr(heard, mcp_quoted(TEXT("1", "moved"))));
	assert_non_null(strstr(heard, mcp_quoted(CANCEL("1"))));
	mcp_check_steps(2, ANSWERED("1", "decline"), "");
	mcp_check_steps(2, CALL("2", "move", "'steps':102"), QUESTION("2", MOVE("102")));
	mcp_check_steps(2, CALL("3", "move", "'steps':103"), QUESTION("3", MOVE("103"))); /* waits for its answer alone */
	step_for(300);
	press_and_step();
	assert_int_equal(last_steps, 102);
	mcp_check(ANSWERED("3", "accept"), CANCEL("2") "\n" TEXT("2", "moved") TEXT("3", "moved"));
}

/* A bridge has announced what another client of it can be asked. */
static void test_a_client_that_cannot_ask_after_all(void **state)
{
	(void)state;
	greet_with("'elicitation':{}");
	mcp_check_steps(2, CALL("1", "move", "'steps':101"), QUESTION("1", MOVE("101")));
	mcp_check_steps(2, "{'jsonrpc':'2.0','id':1,'error':{'code':-32601,'message':'no'}}", "");
	step_for(300);
	press_and_step();
	assert_string_equal(loop_heard(&mcp), mcp_quoted(TEXT("1", "moved")));
	mcp_check_steps(2, CALL("2", "move", "'steps':101"), QUESTION("2", MOVE("101")));
	mcp_check_steps(2, "{'jsonrpc':'2.0','id':2,'error':{'code':-32601,'message':'no'}}", "");
	step_for(1000);
	assert_string_equal(loop_heard(&mcp), mcp_quoted(REFUSED("2", "nobody has pressed the button on the device in time")));
}

static void test_the_button_is_named_in_progress(void **state)
{
	(void)state;
	greet_with("");
	mcp_check_steps(2, CALL_WITH("1", "ring", "", "'_meta':{'progressToken':'t'}"),
		PROGRESS("'t'", "'progress':0,'message':'waits for the button on the device'"));
	step_for(300);
	press_and_step();
	assert_string_equal(loop_heard(&mcp), mcp_quoted(TEXT("1", "fired")));
}

/* --- Armed */

/* `fire` is confirmed, and arms; the question is the one with that number. */
static void arm_for(uint32_t ms, const char *id)
{
	char text[200];
	rules[1].armed = ms;
	mcp_send(CALL("9", "fire", ""));
	(void)loop_step(&mcp, 1);
	snprintf(text, sizeof text, ANSWERED("%s", "accept"), id);
	mcp_send(text);
	loop_settle(&mcp, 20);
	(void)loop_heard(&mcp);
	assert_true(quash_mcp_is_armed(&mcp.peer, &arming));
}

static void test_armed_for_a_time(void **state)
{
	(void)state;
	rules[0].armed = 1;
	greet_with("'elicitation':{}");
	arm_for(1000, "1");
	mcp_check(CALL("2", "move", "'steps':5000"), TEXT("2", "moved"));
	quash_mcp_disarm(&arming);
	assert_false(quash_mcp_is_armed(&mcp.peer, &arming));
	arm_for(1000, "2");
	loop_step(&mcp, 1001);
	mcp_check_steps(2, CALL("4", "fire", ""), QUESTION("3", FIRE("\\'\\'")));
	mcp_check(ANSWERED("3", "decline"), REFUSED("4", "the person has declined it"));
	assert_int_equal(moved, 3);
}

/* Another rule has armed the machine. */
static void test_what_arms_nothing_is_confirmed_each_time(void **state)
{
	(void)state;
	greet_with("'elicitation':{}");
	arm_for(5000, "1");
	mcp_check_steps(2, CALL("2", "move", "'steps':5000"), QUESTION("2", MOVE("5000")));
	mcp_check(ANSWERED("2", "accept"), TEXT("2", "moved"));
	mcp_check_steps(2, CALL("3", "move", "'steps':5000"), QUESTION("3", MOVE("5000")));
	mcp_check(ANSWERED("3", "decline"), REFUSED("3", "the person has declined it"));
}

/* The clock comes round after 2^32 ms. */
static void test_what_is_over_stays_over(void **state)
{
	(void)state;
	greet_with("'elicitation':{}");
	arm_for(1000, "1");
	loop_step(&mcp, 2000);
	assert_false(quash_mcp_is_armed(&mcp.peer, &arming));
	loop_step(&mcp, UINT32_MAX - 1500);
	assert_false(quash_mcp_is_armed(&mcp.peer, &arming));
}

static void test_a_new_session_disarms(void **state)
{
	static quash_mcp_arming other;
	(void)state;
	greet_with("'elicitation':{}");
	arm_for(1000, "1");
	greet_with("'elicitation':{}");
	rules[0].arming = &other;
	rules[0].armed = 1000;
	mcp_check_steps(2, CALL("2", "move", "'steps':200"), QUESTION("2", MOVE("200")));
	mcp_check(ANSWERED("2", "accept"), TEXT("2", "moved"));
	assert_true(quash_mcp_is_armed(&mcp.peer, &other));
	assert_false(quash_mcp_is_armed(&mcp.peer, &arming));
}

static void test_a_stop_disarms(void **state)
{
	(void)state;
	greet_with("'elicitation':{}");
	arm_for(5000, "1");
	mcp_check(CALL("2", "move", "'steps':5"), TEXT("2", "moved"));
	assert_true(quash_mcp_is_armed(&mcp.peer, &arming));
	mcp_check_steps(2, CALL("3", "move", "'steps':5,'goes_on':true"), "");
	mcp_check_steps(3, CANCEL("3"), "");
	assert_int_equal(ended, 3);
	assert_false(quash_mcp_is_armed(&mcp.peer, &arming));
}

/* Its handler takes a while to stand. */
static void test_a_slow_stop_disarms_at_once(void **state)
{
	(void)state;
	greet_with("'elicitation':{}");
	arm_for(5000, "1");
	rules[0].armed = 5000;
	slows = 10;
	mcp_check_steps(2, CALL("3", "move", "'steps':5,'goes_on':true"), "");
	mcp_check_steps(2, CANCEL("3"), "");
	assert_false(quash_mcp_is_armed(&mcp.peer, &arming));
	mcp_check_steps(2, CALL("4", "move", "'steps':9000"), QUESTION("2", MOVE("9000")));
	assert_int_equal(moved, 2);
	mcp_send(CANCEL("4"));
	loop_settle(&mcp, 200);
	(void)loop_heard(&mcp);
}

/* What was asked before a stop confirms nothing after it. */
static void test_a_stop_ends_what_waits(void **state)
{
	(void)state;
	greet_with("'elicitation':{}");
	mcp_check_steps(2, CALL("1", "move", "'steps':101"), QUESTION("1", MOVE("101")));
	quash_mcp_disarm(&arming);
	mcp_check(ANSWERED("1", "accept"), REFUSED("1", "something was stopped while this waited for its confirmation"));
	mcp_check_steps(1, CALL("2", "ring", ""), "");
	step_for(400);
	quash_mcp_press(&arming);
	quash_mcp_disarm(&arming);
	step_for(20);
	assert_string_equal(loop_heard(&mcp), mcp_quoted(REFUSED("2", "something was stopped while this waited for its confirmation")));
	assert_false(quash_mcp_waits(&arming));
	assert_int_equal(moved, 0);
}

/* --- The modern era: the answer comes with the request again */

#define CAN "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28','io.modelcontextprotocol/clientCapabilities':{'elicitation':{}}}"
#define MODERN "'resultType':'complete','_meta':{'io.modelcontextprotocol/serverInfo':{'name':'s','version':'1'}}"
#define MOVED RESULT("2", MODERN ",'content':[{'type':'text','text':'moved'}]")
#define AGAIN "Nothing was done: this confirmation was used before, or is older than one that was"
#define NOT_AGAIN RESULT("2", MODERN ",'isError':true,'content':[{'type':'text','text':'" AGAIN "'}]")

typedef char carried_state[300];

/* It was asked whether it may make 700 steps, so many stops after the beginning. Takes what the client has to carry. */
static void check_asked(unsigned stops, carried_state carried)
{
	char name[60];
	loop_settle(&mcp, 20);
	const char *const heard = loop_heard(&mcp), *const begin = strstr(heard, "\"requestState\":\"");
	snprintf(name, sizeof name, "\"confirm%02x\":{\"method\":\"elicitation/create\"", stops);
	assert_non_null(strstr(heard, name));
	assert_non_null(strstr(heard, "Confirm move: steps is 700, "));
	assert_non_null(begin);
	snprintf(carried, sizeof(carried_state), "%.*s", (int)strcspn(begin + 16, "\""), begin + 16);
	loop_step(&mcp, 5);
}

static void ask_modern(carried_state carried)
{
	mcp_send(REQUEST("1", "tools/call", "'name':'move','arguments':{'steps':700}," CAN));
	check_asked(0, carried);
}

static void send_answer(const char *carried, unsigned steps, unsigned stops, const char *action)
{
	char text[800];
	snprintf(text, sizeof text, "{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{'name':'move','arguments':{'steps':%u},"
		"'inputResponses':{'confirm%02x':{'action':'%s','content':{}}},'requestState':'%s'," CAN "}}", steps, stops, action, carried);
	mcp_send(text);
}

static void check_heard(const char *expected)
{
	loop_settle(&mcp, 20);
	assert_string_equal(loop_heard(&mcp), mcp_quoted(expected));
}

static void answer_modern(const char *carried, unsigned steps, const char *expected)
{
	send_answer(carried, steps, 0, "accept");
	check_heard(expected);
}

static void test_modern(void **state)
{
	carried_state carried;
	(void)state;
	ask_modern(carried);
	assert_false(quash_mcp_waits(&arming)); /* nothing waits for the button while the client asks */
	answer_modern(carried, 701, ERROR("2", "-32602", "requestState is wrong, or of another request, or has expired"));
	answer_modern(carried, 700, MOVED);
	answer_modern(carried, 700, NOT_AGAIN);
	assert_int_equal(moved, 1);
	assert_int_equal(last_steps, 700);
}

static void test_modern_by_age(void **state)
{
	carried_state first, second, third;
	(void)state;
	ask_modern(first);
	ask_modern(second);
	answer_modern(second, 700, MOVED);
	answer_modern(first, 700, NOT_AGAIN);
	loop_step(&mcp, UINT32_MAX / 2 + 1000); /* so long ago that it might as well be to come */
	ask_modern(third);
	answer_modern(third, 700, MOVED);
	answer_modern(third, 700, NOT_AGAIN);
	assert_int_equal(moved, 2);
}

/* What was asked before is asked anew. */
static void test_modern_after_a_stop(void **state)
{
	carried_state carried;
	(void)state;
	ask_modern(carried);
	quash_mcp_disarm(&arming);
	send_answer(carried, 700, 0, "accept");
	check_asked(1, carried);
	assert_int_equal(moved, 0);
	send_answer(carried, 700, 1, "accept");
	check_heard(MOVED);
	assert_int_equal(moved, 1);
}

static void test_modern_declined(void **state)
{
	carried_state carried;
	(void)state;
	ask_modern(carried);
	send_answer(carried, 700, 0, "decline");
	check_heard(RESULT("2", MODERN ",'isError':true,'content':[{'type':'text','text':'Nothing was done: the person has declined it'}]"));
	answer_modern(carried, 700, NOT_AGAIN);
	assert_int_equal(moved, 0);
}

/* What has moved while the device was armed does not move again by its own confirmation. */
static void test_modern_while_armed(void **state)
{
	carried_state carried;
	(void)state;
	rules[0].armed = 1;
	greet_with("'elicitation':{}");
	ask_modern(carried);
	arm_for(1000, "1");
	answer_modern(carried, 700, MOVED);
	answer_modern(carried, 700, NOT_AGAIN);
	loop_step(&mcp, 2000);
	answer_modern(carried, 700, NOT_AGAIN);
	assert_int_equal(moved, 2);
}

/* --- Tables that are wrong */

static void check_fault(const char *name, const char *what)
{
	quash_fault fault;
	assert_false(quash_init(&mcp.peer, &mcp.config, &fault));
	assert_string_equal(fault.name, name);
	assert_fault(&fault, what);
	fill_tables();
}

static void test_wrong_rules(void **state)
{
	(void)state;
	rules[0].param = "speed";
	check_fault("move", "param is missing");
	rules[0].when = goes_back;
	check_fault("move", "when is missing");
	rules[1].by = 0;
	check_fault("fire", "by is missing");
	rules[1].wait = 0;
	check_fault("fire", "wait is missing");
	rules[0].wait = 2000;
	check_fault("move", "wait is missing");
	rules[0].armed = UINT32_MAX;
	check_fault("move", "armed is missing");
	rules[1].tool = "flee";
	check_fault("flee", "tool is missing");
	rules[1].arming = NULL;
	check_fault("fire", "arming is missing");
	rules[1].tool = "move";
	check_fault("move", "tool is missing");
	tools[1].name = "flee";
	rules[1] = rules[2];
	rules[2].tool = "ring";
	check_fault("ring", "tool is missing");
}

struct wrong {
	int32_t mm;
	quash_mcp_confirming confirming;
};

static void test_wrong_tools(void **state)
{
	static const quash_param wrong_list[] = { QUASH_ARG_INT(struct wrong, mm, 0, 1, NULL) };
	static const quash_params wrong_params = QUASH_PARAMS(struct wrong, wrong_list);
	static const quash_params small_params = QUASH_NO_PARAMS(int32_t);
	(void)state;
	tools[1].args = &small_params;
	check_fault("fire", "args is missing");
	tools[1].args = &wrong_params;
	check_fault("fire", "args is missing");
	tools[1].end = stop;
	check_fault("fire", "tool is missing");
	parts[0] = &confirm.part;
	parts[1] = NULL;
	check_fault("s", "parts is missing");
}

static void test_a_tool_without_a_rule(void **state)
{
	static quash_mcp_rule few[1];
	static const quash_mcp_confirm less = QUASH_MCP_CONFIRM(few);
	(void)state;
	few[0] = rules[0];
	parts[1] = &less.part;
	check_fault("fire", "rules is missing");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_what_needs_no_confirmation, set_up),
		cmocka_unit_test_setup(test_accepted, set_up),
		cmocka_unit_test_setup(test_below_the_range, set_up),
		cmocka_unit_test_setup(test_the_question_shows_all_arguments, set_up),
		cmocka_unit_test_setup(test_a_condition_of_the_program, set_up),
		cmocka_unit_test_setup(test_not_accepted, set_up),
		cmocka_unit_test_setup(test_nobody_answers, set_up),
		cmocka_unit_test_setup(test_an_answer_that_comes_too_late, set_up),
		cmocka_unit_test_setup(test_who_cannot_ask, set_up),
		cmocka_unit_test_setup(test_waiting_is_no_motion, set_up),
		cmocka_unit_test_setup(test_button, set_up),
		cmocka_unit_test_setup(test_a_press_that_nobody_has_looked_at, set_up),
		cmocka_unit_test_setup(test_one_waits_for_the_button, set_up),
		cmocka_unit_test_setup(test_cancelled_at_the_button, set_up),
		cmocka_unit_test_setup(test_button_after_a_new_beginning, set_up),
		cmocka_unit_test_setup(test_button_beside_the_question, set_up),
		cmocka_unit_test_setup(test_a_client_that_cannot_ask_after_all, set_up),
		cmocka_unit_test_setup(test_the_button_is_named_in_progress, set_up),
		cmocka_unit_test_setup(test_armed_for_a_time, set_up),
		cmocka_unit_test_setup(test_what_arms_nothing_is_confirmed_each_time, set_up),
		cmocka_unit_test_setup(test_what_is_over_stays_over, set_up),
		cmocka_unit_test_setup(test_a_new_session_disarms, set_up),
		cmocka_unit_test_setup(test_a_stop_disarms, set_up),
		cmocka_unit_test_setup(test_a_slow_stop_disarms_at_once, set_up),
		cmocka_unit_test_setup(test_a_stop_ends_what_waits, set_up),
		cmocka_unit_test_setup(test_modern, set_up),
		cmocka_unit_test_setup(test_modern_by_age, set_up),
		cmocka_unit_test_setup(test_modern_after_a_stop, set_up),
		cmocka_unit_test_setup(test_modern_declined, set_up),
		cmocka_unit_test_setup(test_modern_while_armed, set_up),
		cmocka_unit_test_setup(test_wrong_rules, set_up),
		cmocka_unit_test_setup(test_wrong_tools, set_up),
		cmocka_unit_test_setup(test_a_tool_without_a_rule, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
