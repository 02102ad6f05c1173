/* SPDX-License-Identifier: MIT
 * Batches as JSON-RPC 2.0 section 6 has them. */
#include "device.h"

#include <stdio.h>

#include "chance.h"

static int set_up(void **state)
{
	(void)state;
	device_start(&quash_jsonrpc);
	return 0;
}

static void start_with(uint8_t slots, quash_size arena, quash_size tx)
{
	device_prepare(&quash_jsonrpc);
	device.config.slot_count = slots;
	device.config.arena_size = arena;
	device.config.tx_size = tx;
	device_begin();
}

/* Answers inside of a batch stand without their line ends. */
#define R(id, value)      "{'jsonrpc':'2.0','id':" id ",'result':" value "}"
#define E(id, code, text) "{'jsonrpc':'2.0','id':" id ",'error':{'code':" code ",'message':'" text "'}}"

static void answers_after(const char *message, unsigned n, const char *expected)
{
	say(message);
	steps(n);
	ANSWERS(expected);
	assert_int_equal(quash_live_count(&device.peer), 0);
}

/* --- Examples of the specification */

static void test_one_answer_for_each_request(void **state)
{
	(void)state;
	answers_after("[" REQUEST("1", "now") "]", 3, "[" R("1", "1") "]\n");
	answers_after("[" REQUEST("1", "now") "," NOTE("note") "," REQUEST_WITH("'b'", "echo", "[2]") "]", 3,
		"[" R("1", "1") "," R("'b'", "[2]") "]\n");
	answers_after(" [ " REQUEST("1", "now") " , " REQUEST("2", "now") " ] ", 3,
		"[" R("1", "1") "," R("2", "1") "]\n");
}

static void test_empty(void **state)
{
	(void)state;
	answers_after("[]", 1, INVALID("null"));
	answers_after("[ ]", 1, INVALID("null"));
}

static void test_invalid_members(void **state)
{
	(void)state;
	answers_after("[1]", 2, "[" E("null", "-32600", "Invalid Request") "]\n");
	answers_after("[1,2,3]", 2,
		"[" E("null", "-32600", "Invalid Request") "," E("null", "-32600", "Invalid Request") "," E(
			"null", "-32600", "Invalid Request") "]\n");
	answers_after("[null,'x',[],[" REQUEST("1", "now") "],true]", 2,
		"[" E("null", "-32600", "Invalid Request") "," E("null", "-32600", "Invalid Request") "," E(
			"null", "-32600", "Invalid Request") "," E("null", "-32600",
			"Invalid Request") "," E("null", "-32600", "Invalid Request") "]\n");
	DID("");
}

static void test_mixed(void **state)
{
	(void)state;
	answers_after("[" REQUEST("1", "now") "," NOTE("note") ",{'foo':'boo'}," REQUEST(
			      "5", "nothing") ",{'jsonrpc':'2.0','id':7}]",
		3,
		"[" R("1", "1") "," E("null", "-32600", "Invalid Request") "," E(
			"5", "-32601", "Method not found") "," E("7", "-32600", "Invalid Request") "]\n");
	DID("now(1) note(-) end(-)");
}

static void test_not_json(void **state)
{
	(void)state;
	answers_after("[" REQUEST("1", "now") ",{'jsonrpc':'2.0','method'", 2, PARSE_ERROR);
	answers_after("[" REQUEST("1", "now") "]]", 2, PARSE_ERROR);
	answers_after("[" REQUEST("1", "now") ",]", 2, PARSE_ERROR);
	answers_after("[" REQUEST("1", "now") "," NOTE("note"), 2, PARSE_ERROR);
	DID("");
	answers_after(REQUEST("1", "now"), 1, RESULT("1", "1"));
}

static void test_only_notifications(void **state)
{
	(void)state;
	answers_after("[" NOTE("note") "," NOTE("nothing") "]", 2, "");
	DID("note(-) end(-)");
}

static void test_responses(void **state)
{
	(void)state;
	answers_after("[{'jsonrpc':'2.0','id':1,'result':1},{'jsonrpc':'2.0','id':2,'error':{}}]", 2, "");
	COUNTED(stray_responses, 2);
	answers_after(
		"[{'jsonrpc':'2.0','id':1,'result':1}," REQUEST("2", "now") "]", 3, "[" R("2", "1") "]\n");
}

/* --- When it is written */

/* Nothing runs before the closing bracket. */
static void test_nothing_runs_before_the_end(void **state)
{
	(void)state;
	loop_say(&device, quoted("[" REQUEST("1", "now") ","));
	steps(3);
	DID("");
	loop_say(&device, quoted(REQUEST("2", "now") "]\n"));
	steps(3);
	ANSWERS("[" R("1", "1") "," R("2", "1") "]\n");
}

/* Nothing is written before every member is ready; what stands alone is not held up. */
static void test_slow_member(void **state)
{
	(void)state;
	say("[" REQUEST("1", "now") "," REQUEST_WITH("2", "wait", "{'steps':3}") "," REQUEST(
		"3", "nothing") "]");
	steps(2);
	ANSWERS("");
	say(REQUEST("4", "now"));
	say(REQUEST("5", "nothing"));
	step();
	ANSWERS(UNKNOWN("5") RESULT("4", "1"));
	steps(3);
	ANSWERS("[" R("1", "1") "," R("2", "'waited'") "," E("3", "-32601", "Method not found") "]\n");
	DID("now(1) wait(2) wait(2) wait(2) now(4) wait(2) end(2)"); /* a member that has answered is not called again */
	assert_int_equal(quash_live_count(&device.peer), 0);
}

static void test_in_the_order_of_the_requests(void **state)
{
	(void)state;
	answers_after("[" REQUEST_WITH("1", "wait", "{'steps':2}") "," REQUEST_WITH(
			      "2", "wait", "{'steps':1}") "," REQUEST("3", "now") "]",
		8, "[" R("1", "'waited'") "," R("2", "'waited'") "," R("3", "1") "]\n");
}

/* --- Cancels */

static void test_cancel_of_a_member(void **state)
{
	(void)state;
	say("[" REQUEST("1", "now") "," REQUEST("2", "wait") "]");
	steps(2);
	ANSWERS("");
	say(CANCEL("2"));
	steps(3);
	ANSWERS("[" R("1", "1") "," E("2", "-32800", "Request cancelled") "]\n");
	assert_int_equal(quash_live_count(&device.peer), 0);
}

static void test_cancel_of_a_ready_member(void **state)
{
	(void)state;
	say("[" REQUEST("1", "now") "," REQUEST_WITH("2", "wait", "{'steps':5}") "]");
	steps(2);
	say(CANCEL("1"));
	steps(6);
	ANSWERS("[" R("1", "1") "," R("2", "'waited'") "]\n"); /* it has answered: its cancel is late */
	COUNTED(late_cancels, 1);
	assert_int_equal(quash_live_count(&device.peer), 0);
}

/* From the first byte on no member can be cancelled any more, by nobody but the link; another request can. */
static void test_cancel_while_it_is_written(void **state)
{
	static quash_dialect silencing;
	silencing = quash_mcp;
	silencing.batch = &quash_batch;
	(void)state;
	for (unsigned mute = 0; mute < 2; mute++) {
		const char *const members[] = { mute ? MCP_CANCEL("2") : CANCEL("2"),
			mute ? MCP_CANCEL("3") : CANCEL("3") };
		device_prepare(mute ? &silencing : &quash_jsonrpc);
		device.config.tx_size = 64;
		device_begin();
		device.stalled = true;
		say(REQUEST("9", "stubborn"));
		say("[" REQUEST_WITH("1", "echo", "['0123456789012345678901234567890123456789']") "," REQUEST(
			"2", "now") "," REQUEST("3", "nothing") "]");
		steps(2);
		say(members[0]);
		say(members[1]);
		COUNTED(late_cancels, 2);
		quash_cancel(live("2"));
		quash_cancel_all(&device.peer);
		assert_int_equal(quash_cancelled(live("2")), QUASH_NOT_CANCELLED);
		assert_int_equal(quash_cancelled(live("9")), QUASH_BY_SHUTDOWN);
		COUNTED(silenced, 0);
		device.stalled = false;
		steps(5);
		ANSWERS("[" R("1", "['0123456789012345678901234567890123456789']") "," R("2", "1") "," E(
			"3", "-32601", "Method not found") "]\n");
		assert_int_equal(quash_live_count(&device.peer), 1);
	}
}

static void test_cancel_in_the_same_batch(void **state)
{
	(void)state;
	answers_after("[" REQUEST("1", "wait") "," CANCEL("1") "]", 2,
		"[" E("1", "-32800", "Request cancelled") "]\n");
	DID("");
	answers_after("[" CANCEL("1") "," REQUEST_WITH("1", "wait", "{'steps':0}") "]", 3,
		"[" R("1", "'waited'") "]\n");
	COUNTED(late_cancels, 1);
}

static void test_shutdown(void **state)
{
	(void)state;
	say("[" REQUEST("1", "wait") "," REQUEST("2", "now") "," REQUEST("3", "wait") "]");
	quash_cancel_all(&device.peer);
	steps(2);
	ANSWERS("[" E("1", "-32800", "Request cancelled") "," E("2", "-32800", "Request cancelled") "," E(
		"3", "-32800", "Request cancelled") "]\n");
	DID("");
}

static void test_duplicate_id(void **state)
{
	(void)state;
	answers_after("[" REQUEST("1", "now") "," REQUEST("1", "now") "]", 3,
		"[" R("1", "1") "," E("null", "-32600", "Invalid Request") "]\n");
}

static void test_cancels_of_a_broken_batch(void **state)
{
	(void)state;
	say(REQUEST("1", "wait"));
	step();
	say("[" CANCEL("1") ",]");
	ANSWERS(PARSE_ERROR);
	say("[" NOTE("note") "]");
	step();
	assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
	COUNTED(late_cancels, 0);
}

/* In a dialect that silences, a silenced member has no place in the answer; where all are, there is none. */
static void start_silencing(void)
{
	static quash_dialect silencing;
	silencing = quash_mcp;
	silencing.batch = &quash_batch;
	device_start(&silencing);
}

static void test_silenced_member(void **state)
{
	(void)state;
	start_silencing();
	say("[" REQUEST("1", "wait") "," REQUEST("2", "now") "]");
	step();
	say(MCP_CANCEL("1"));
	steps(3);
	ANSWERS("[" R("2", "1") "]\n");
	say("[" REQUEST_WITH("1", "stubborn", "{'steps':4}") "," REQUEST("2", "now") "," REQUEST(
		"3", "drops") "]");
	step();
	say(MCP_CANCEL("1"));
	say(MCP_CANCEL("3"));
	steps(3);
	ANSWERS("[" R("2", "1") "]\n"); /* the silenced one that still works is not waited for */
	assert_int_equal(quash_live_count(&device.peer), 1);
	steps(5);
	answers_after("[" REQUEST("1", "now") "]", 3, "[" R("1", "1") "]\n");
}

static void test_all_members_silenced(void **state)
{
	(void)state;
	start_silencing();
	answers_after("[" REQUEST("1", "wait") "," MCP_CANCEL("1") "]", 2, "");
	answers_after("[" REQUEST("1", "now") "]", 3, "[" R("1", "1") "]\n");
	say("[" REQUEST("1", "wait") "," REQUEST("2", "wait") "]");
	step();
	say(MCP_CANCEL("1"));
	say(MCP_CANCEL("2"));
	steps(3);
	ANSWERS("");
	assert_int_equal(quash_live_count(&device.peer), 0);
	answers_after(REQUEST("1", "now"), 1, RESULT("1", "1"));
	answers_after("[" REQUEST("1", "now") "]", 3, "[" R("1", "1") "]\n");
}

/* --- One at a time, and not more than there is room for */

#define ERROR_TO_US "{'jsonrpc':'2.0','id':1,'error':{}}"

static void test_second_batch(void **state)
{
	(void)state;
	say("[" REQUEST("1", "wait") "]");
	step();
	say_on("[" REQUEST("2", "now") "," NOTE("note") "]\n"); /* its bracket is kept until a step has run */
	COUNTED(kept, 1);
	step();
	ANSWERS(BUSY("null"));
	DID("wait(1) wait(1) wait(1)");
	say(CANCEL("1"));
	steps(2);
	ANSWERS("[" E("1", "-32800", "Request cancelled") "]\n");
	answers_after("[" REQUEST("2", "now") "]", 3, "[" R("2", "1") "]\n");
}

static void answers_on(const char *text, const char *expected)
{
	say_on(text);
	loop_settle(&device, 10);
	step();
	ANSWERS(expected);
	assert_true(quash_is_at_rest(&device.peer));
}

static void test_more_than_the_ring_holds(void **state)
{
	(void)state;
	start_with(2, LOOP_ARENA, LOOP_TX);
	answers_on("[" REQUEST("1", "now") "," REQUEST("2", "now") "]\n", "[" R("1", "1") "," R("2", "1") "]\n");
	device_forget();
	answers_on("[" REQUEST("1", "now") "," REQUEST("2", "now") "," REQUEST("3", "now") "]\n", BUSY("null"));
	answers_on("[1,2,3]\n", BUSY("null"));
	answers_on("[" REQUEST("1", "now") ",2," REQUEST("3", "now") "," REQUEST("4", "now") "]\n", BUSY("null"));
	DID("");
	answers_on("[" REQUEST("1", "now") "," REQUEST("2", "now") "," REQUEST("3", "now") "," ERROR_TO_US "," REQUEST(
			   "4", "now") "," ERROR_TO_US "]\n",
		BUSY("null"));
	COUNTED(stray_responses, 2); /* what wants no answer is received all the same */
	answers_on(REQUEST("1", "now") "\n", RESULT("1", "1"));
}

/* What stands in front of it may have ended by the next step: the member is kept. */
static void test_member_waits_a_step(void **state)
{
	(void)state;
	start_with(2, LOOP_ARENA, LOOP_TX);
	say(REQUEST("0", "now"));
	answers_on("[" REQUEST("1", "now") "," REQUEST("2", "now") "]\n", RESULT("0", "1") "[" R("1", "1") "," R("2", "1") "]\n");
	COUNTED(kept, 1);
	COUNTED(busy, 0);
}

/* So is its bracket, after another batch. */
static void test_bracket_waits_a_step(void **state)
{
	(void)state;
	answers_on("[" REQUEST("1", "now") "]\n[" REQUEST("2", "now") "]\n[" REQUEST("3", "now") "]\n",
		"[" R("1", "1") "]\n[" R("2", "1") "]\n[" R("3", "1") "]\n");
	COUNTED(kept, 2);
	COUNTED(busy, 0);
}

/* It waits for TX as long as it takes, when only TX is in the way. */
static void test_bracket_waits_for_tx(void **state)
{
	(void)state;
	fill_tx();
	say("[" REQUEST("1", "now") "]");
	step();
	assert_int_equal(offer("[" REQUEST("2", "now") "]\n"), 1);
	for (unsigned i = 0; i < 10; i++) {
		step();
		takes_nothing(REQUEST("2", "now") "]\n");
	}
	drain_fill();
	loop_heard(&device);
	takes_all(REQUEST("2", "now") "]\n");
	step();
	ANSWERS("[" R("2", "1") "]\n");
	COUNTED(busy, 0);
}

/* A refusal takes a slot too, and so it waits for one like a request. */
static void test_invalid_member_is_kept(void **state)
{
	static const char *const invalid[] = { "[1]\n", "[{}]\n" };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(invalid); i++) {
		device_prepare(&quash_jsonrpc);
		device.config.slot_count = 1;
		device_begin();
		say(REQUEST("1", "now"));
		say_on(invalid[i]);
		COUNTED(kept, 1);
		steps(2);
		ANSWERS(RESULT("1", "1") "[" "{'jsonrpc':'2.0','id':null,'error':{'code':-32600,'message':'Invalid Request'}}" "]\n");
		COUNTED(busy, 0);
	}
}

/* A batch that is kept is cancelled with everything else, and lost with its link. */
static void test_what_is_kept_of_a_batch_goes(void **state)
{
	(void)state;
	for (unsigned gone = 0; gone < 2; gone++) {
		start_with(2, LOOP_ARENA, LOOP_TX);
		say(REQUEST("0", "wait"));
		say(REQUEST("9", "wait"));
		step();
		assert_in_range(offer("[" REQUEST("1", "now") "]\n"), 1, 60);
		COUNTED(kept, 1);
		if (gone) {
			quash_gone(&device.peer);
			steps(2);
			ANSWERS("");
			COUNTED(discarded, 3);
		} else {
			quash_cancel_all(&device.peer);
			say_on("]\n");
			steps(2);
			ANSWERS(BUSY("null") CANCELLED("0") CANCELLED("9")); /* the refusal found no slot */
		}
		steps(2);
		assert_int_equal(quash_live_count(&device.peer), 0);
	}
}

/* A member that is refused has no method, whatever the slot had before. */
static void test_method_of_a_refused_member(void **state)
{
	quash_live member = { 0 };
	(void)state;
	start_with(3, LOOP_ARENA, LOOP_TX);
	for (unsigned i = 0; i < 3; i++)
		answers_after(REQUEST("1", "now"), 1, RESULT("1", "1"));
	say("[" REQUEST("1", "wait") ",7]");
	assert_true(quash_next_live(&device.peer, &member));
	assert_string_equal(member.method, "wait");
	assert_true(quash_next_live(&device.peer, &member));
	assert_string_equal(member.method, "");
	assert_null(quash_method_of(member.request));
}

static void test_more_than_the_arena_holds(void **state)
{
	(void)state;
	start_with(3, 48, LOOP_TX);
	answers_on("[" REQUEST_WITH("1", "echo", "['0123456789']") "," REQUEST_WITH("2", "echo", "['0123456789']") "]\n",
		"[" R("1", "['0123456789']") "," R("2", "['0123456789']") "]\n");
	answers_on("[" REQUEST_WITH("1", "echo", "['0123456789']") "," REQUEST_WITH("2", "echo", "['0123456789']") ","
		REQUEST_WITH("3", "echo", "['0123456789']") "]\n", BUSY("null"));
}

/* --- Through any TX */

static void test_every_tx(void **state)
{
	(void)state;
	for (quash_size tx = QUASH_TX_MIN; tx < 300 && tx <= LOOP_TX; tx = (quash_size)(tx + STRIDE)) {
		start_with(5, LOOP_ARENA, tx);
		say("[" REQUEST("1", "now") "," REQUEST_WITH("2", "echo",
			"['a longer text than fits into the smallest TX buffer']") "," REQUEST("3",
			"nothing") ",4," REQUEST("5", "now") "]");
		loop_settle(&device, 60);
		ANSWERS("[" R("1", "1") "," R(
			"2", "['a longer text than fits into the smallest TX buffer']") "," E("3", "-32601",
			"Method not found") "," E("null", "-32600", "Invalid Request") "," R("5", "1") "]\n");
		say(REQUEST("6", "now"));
		loop_settle(&device, 10);
		ANSWERS(RESULT("6", "1"));
	}
}

static void test_link_goes(void **state)
{
	(void)state;
	say("[" REQUEST("1", "now") "," REQUEST("2", "wait") "]");
	steps(2);
	quash_reopen(&device.peer);
	steps(2);
	ANSWERS("");
	assert_int_equal(quash_live_count(&device.peer), 0);
	answers_after("[" REQUEST("1", "now") "]", 3, "[" R("1", "1") "]\n");
	loop_say(&device, quoted("[" REQUEST("1", "now") ","));
	quash_reopen(&device.peer);
	answers_after(REQUEST("1", "now"), 2, RESULT("1", "1"));
}

/* A member that is answered is none of the next batch. */
static void test_answered_member_keeps_its_hook(void **state)
{
	(void)state;
	say("[" REQUEST("1", "drops") "]");
	step();
	say(CANCEL("1"));
	say("[]");
	steps(2);
	ANSWERS("[" E("1", "-32800", "Request cancelled") "]\n" INVALID("null"));
	DID("drops(1) end(1)");
	assert_int_equal(quash_live_count(&device.peer), 0);
}

/* A long answer is begun, and can neither go on nor be said anew. */
static void test_link_goes_in_a_long_answer(void **state)
{
	(void)state;
	start_with(4, LOOP_ARENA, 64);
	say("[" REQUEST_WITH("1", "echo", "['0123456789012345678901234567890123456789']") "]");
	steps(2);
	device.stalled = true;
	steps(2);
	quash_gone(&device.peer);
	steps(2);
	assert_int_equal(quash_live_count(&device.peer), 0);
}

/* Nothing of a batch runs before its end, not even beside another. */
static void test_notification_beside_another_batch(void **state)
{
	(void)state;
	say("[" REQUEST("1", "wait") "]");
	say_on("[" NOTE("note") ",");
	steps(2);
	DID("wait(1) wait(1) wait(1)");
	takes_all(NOTE("note") "]\n");
	step();
	DID("wait(1) note(-) end(-) note(-) end(-)");
	say_on("[" NOTE("note") ",]\n");
	steps(2);
	DID("wait(1) wait(1) wait(1)");
	ANSWERS(PARSE_ERROR);
}

/* --- Whatever is fed: lines that are JSON, and at most one answer for each id */

enum { IDS = ROUNDS_OF(4000) };
static unsigned last_id;
static uint8_t answers[IDS];

static void add_member(char *text)
{
	static const char *const methods[] = { "now", "echo", "wait", "stubborn", "drops", "partial",
		"constant", "nothing" };
	char *const end = text + strlen(text);
	switch (random_below(8)) {
	case 0: strcpy(end, NOTE("note")); return;
	case 1: strcpy(end, "1"); return;
	case 2: sprintf(end, CANCEL("%u"), 1 + random_below(last_id + 1)); return;
	default: break;
	}
	last_id++;
	sprintf(end, REQUEST_WITH("%u", "%s", "{'steps':%u}"), last_id,
		methods[random_below(COUNT_OF(methods))], random_below(4));
}

static void check_line(const char *line, size_t n)
{
	assert_json(line, n);
	for (const char *id = line; (id = strstr(id, "\"id\":")) != NULL && id < line + n; id++) {
		unsigned number;
		if (sscanf(id, "\"id\":%u", &number) != 1)
			continue;
		assert_in_range(number, 1, last_id);
		assert_int_equal(answers[number], 0);
		answers[number]++;
	}
}

static void settle_and_check(void)
{
	quash_cancel_all(&device.peer);
	loop_settle(&device, 50);
	const char *line = loop_heard(&device);
	for (const char *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
		check_line(line, (size_t)(end - line));
	assert_string_equal(line, "");
}

static void hubbub(uint8_t slots, quash_size tx, quash_size arena)
{
	static char text[ROOM_FOR(2000)];
	memset(answers, 0, sizeof answers);
	last_id = 0;
	start_with(slots, arena, tx);
	while (last_id < IDS - 10) {
		const unsigned members = random_below(5);
		const bool batch = members > 1 || random_below(4) == 0;
		strcpy(text, batch ? "[" : "");
		for (unsigned i = 0; i < members || i == 0; i++) {
			strcat(text, i > 0 ? "," : "");
			add_member(text);
		}
		strcat(text, batch ? "]\n" : "\n");
		feed_on(quoted(text), strlen(text));
		if (random_below(2) == 0)
			loop_step(&device, 1);
		device_forget();
		if (device.heard_length > LOOP_HEARD / 2)
			settle_and_check();
	}
	settle_and_check();
	answers_after("[" REQUEST("'last'", "now") "]", 3, "[" R("'last'", "1") "]\n");
	assert_in_range(device.counters.results, IDS / 40, IDS); /* it was not all refused */
}

static void test_hubbub(void **state)
{
	(void)state;
	seed = 362436069u;
	for (uint8_t slots = 1; slots <= LOOP_SLOTS; slots = (uint8_t)(slots + 2)) {
		hubbub(slots, 64, 1000);
		hubbub(slots, 200, 60);
		hubbub(slots, 512, 1000);
	}
}

/* Responses want no answer, so an array of them is received beside a batch that is under way. */
static void test_responses_beside_a_batch(void **state)
{
	(void)state;
	say("[" REQUEST("1", "wait") "]");
	step();
	say_on("[{'jsonrpc':'2.0','id':9,'result':1},{'jsonrpc':'2.0','id':8,'error':{'code':1,'message':'no'}}]\n");
	steps(2);
	ANSWERS("");
	COUNTED(stray_responses, 2);
	COUNTED(busy, 0);
	assert_int_equal(quash_live_count(&device.peer), 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_responses_beside_a_batch, set_up),
		cmocka_unit_test_setup(test_one_answer_for_each_request, set_up),
		cmocka_unit_test_setup(test_empty, set_up),
		cmocka_unit_test_setup(test_invalid_members, set_up),
		cmocka_unit_test_setup(test_mixed, set_up),
		cmocka_unit_test_setup(test_not_json, set_up),
		cmocka_unit_test_setup(test_only_notifications, set_up),
		cmocka_unit_test_setup(test_responses, set_up),
		cmocka_unit_test_setup(test_nothing_runs_before_the_end, set_up),
		cmocka_unit_test_setup(test_slow_member, set_up),
		cmocka_unit_test_setup(test_in_the_order_of_the_requests, set_up),
		cmocka_unit_test_setup(test_cancel_of_a_member, set_up),
		cmocka_unit_test_setup(test_cancel_of_a_ready_member, set_up),
		cmocka_unit_test_setup(test_cancel_while_it_is_written, set_up),
		cmocka_unit_test_setup(test_cancel_in_the_same_batch, set_up),
		cmocka_unit_test_setup(test_shutdown, set_up),
		cmocka_unit_test_setup(test_cancels_of_a_broken_batch, set_up),
		cmocka_unit_test_setup(test_duplicate_id, set_up),
		cmocka_unit_test_setup(test_silenced_member, set_up),
		cmocka_unit_test_setup(test_all_members_silenced, set_up),
		cmocka_unit_test_setup(test_second_batch, set_up),
		cmocka_unit_test_setup(test_more_than_the_ring_holds, set_up),
		cmocka_unit_test_setup(test_member_waits_a_step, set_up),
		cmocka_unit_test_setup(test_bracket_waits_a_step, set_up),
		cmocka_unit_test_setup(test_bracket_waits_for_tx, set_up),
		cmocka_unit_test_setup(test_what_is_kept_of_a_batch_goes, set_up),
		cmocka_unit_test_setup(test_invalid_member_is_kept, set_up),
		cmocka_unit_test_setup(test_method_of_a_refused_member, set_up),
		cmocka_unit_test_setup(test_more_than_the_arena_holds, set_up),
		cmocka_unit_test_setup(test_every_tx, set_up),
		cmocka_unit_test_setup(test_link_goes, set_up),
		cmocka_unit_test_setup(test_answered_member_keeps_its_hook, set_up),
		cmocka_unit_test_setup(test_link_goes_in_a_long_answer, set_up),
		cmocka_unit_test_setup(test_notification_beside_another_batch, set_up),
		cmocka_unit_test_setup(test_hubbub, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
