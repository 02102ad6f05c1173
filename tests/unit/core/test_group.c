/* SPDX-License-Identifier: MIT
 * Groups that two peers of one program share, and that outlive a start; motion and its longest time. */
#include "device.h"

static quash_group arm, lift;

static const quash_method moving[] = {
	{ .name = "move", .motion = { .group = &arm } }, { .name = "hold" }, { .name = "rest", .motion = { .group = &arm } }
};
static quash_method list[COUNT_OF(moving)];

/* Another peer of the program: its client says and hears nothing here but what is fed and stepped. */
static quash_peer other;
QUASH_STORAGE(store, 2, QUASH_ID_MIN, 16, 64, 64);
static quash_config other_config = { QUASH_CONFIG(store, &quash_acp, list) };

static bool got, released_got;

static int32_t move(quash_request *request)
{
	return quash_cancelled(request) != QUASH_NOT_CANCELLED ? QUASH_CANCELLED : QUASH_PENDING;
}

static int32_t hold(quash_request *request)
{
	got = quash_hold(request, &arm);
	return move(request);
}

static int32_t rest(quash_request *request)
{
	(void)request;
	return device_at_rest ? QUASH_DONE : QUASH_PENDING;
}

/* Too late: its `end` is done, so nothing would give it back. */
static void hold_late(quash_request *request)
{
	released_got = quash_hold(request, &lift);
}

static void start_other(void)
{
	assert_true(quash_init(&other, &other_config, NULL));
}

static int set_up(void **state)
{
	static const quash_group nobodys;
	(void)state;
	arm = lift = nobodys;
	memcpy(list, moving, sizeof list);
	list[0].handler = list[2].handler = move;
	list[1].handler = hold;
	for (unsigned i = 0; i < COUNT_OF(list); i++) {
		list[i].motion.end = rest;
		list[i].motion.longest = QUASH_NO_LIMIT;
		list[i].marks = QUASH_FINISHES;
	}
	got = released_got = false;
	DEVICE_PREPARE(&quash_acp, list);
	device_begin();
	start_other();
	return 0;
}

static void step_other(void)
{
	size_t n;
	(void)quash_step(&other);
	(void)quash_out(&other, &n);
	quash_sent(&other, n);
}

static void say_to_other(const char *message)
{
	const char *const text = quoted(message);
	assert_int_equal(quash_feed(&other, (const uint8_t *)text, strlen(text)), strlen(text));
	assert_int_equal(quash_feed(&other, (const uint8_t *)"\n", 1), 1);
	step_other();
}

#define HELD(id) ERROR(id, "-32010", "Busy: one at a time")

/* --- Two peers */

static void test_two_peers_move_one_thing(void **state)
{
	(void)state;
	say_and_step(REQUEST("1", "move"));
	say_to_other(REQUEST("1", "move"));
	assert_int_equal(quash_counters_of(&other)->held, 1);
	say_to_other(REQUEST("2", "hold"));
	assert_false(got);
	say_and_step(CANCEL("1"));
	step_other();
	assert_true(got);
	ANSWERS_TO(REQUEST("2", "move"), 1, CANCELLED("1") HELD("2"));
	assert_ptr_equal(arm.holder, &other_config.slots[1]);
}

/* The slots of two peers have the same numbers; the group knows whose it is. */
static void test_a_link_that_goes_gives_nothing_back(void **state)
{
	(void)state;
	device_at_rest = false;
	say_and_step(REQUEST("1", "move"));
	quash_gone(&device.peer);
	quash_reopen(&device.peer);
	steps(2);
	say_to_other(REQUEST("1", "move"));
	ANSWERS_TO(REQUEST("2", "move"), 1, HELD("2"));
	assert_int_equal(quash_counters_of(&other)->held, 1);
	device_at_rest = true;
	step();
	assert_null(arm.holder);
	assert_null(device.peer.groups);
	ANSWERS_TO(REQUEST("3", "move"), 1, "");
	assert_ptr_equal(arm.holder, live("3"));
}

/* --- A start drops the holder, and what it moved may still move */

static void test_a_start_gives_nothing_back(void **state)
{
	(void)state;
	say_and_step(REQUEST("1", "move"));
	device_begin();
	say(REQUEST("2", "move")); /* in the same slot */
	ANSWERS_AFTER(1, HELD("2"));
	say_to_other(REQUEST("1", "hold"));
	assert_false(got);
	quash_group_reset(&arm);
	step_other();
	assert_true(got);
	quash_group_reset(&lift); /* nobody's */
	ANSWERS_TO(REQUEST("3", "move"), 1, HELD("3"));
}

/* What ends in the slot of the one that was dropped gives back only what it holds itself. */
static void test_a_slot_gives_back_its_own(void **state)
{
	(void)state;
	say_and_step(REQUEST("1", "move"));
	device_begin();
	list[1].motion.group = &lift;
	say_and_step(REQUEST("2", "hold"));
	assert_false(got);
	COUNTED(misuses, 1);
	ANSWERS_TO(CANCEL("2"), 1, CANCELLED("2"));
	assert_null(lift.holder);
	assert_ptr_equal(arm.holder, &device.slots[0]);
}

/* Of a live peer: it is taken from its holder, and can be held again. */
static void test_reset_of_a_group_that_is_held(void **state)
{
	(void)state;
	say_and_step(REQUEST("1", "move"));
	quash_group_reset(&arm);
	assert_null(arm.holder);
	say_and_step(REQUEST("2", "rest"));
	assert_ptr_equal(arm.holder, live("2"));
	ANSWERS_TO(CANCEL("1"), 1, CANCELLED("1"));
	assert_ptr_equal(arm.holder, live("2"));
	quash_group_reset(&arm);
	quash_group_reset(&arm);
	assert_null(arm.holder);
}

/* Its holder stood in memory that has become another thing's. */
static void test_reset_when_the_holder_is_gone(void **state)
{
	(void)state;
	say_and_step(REQUEST("1", "move"));
	memset(device.slots, 0xA5, sizeof device.slots);
	quash_group_reset(&arm);
	assert_null(arm.holder);
}

/* Reset while one peer holds it, held by the other, and by the first one again: lists stay without cycles. */
static void test_reset_between_two_peers(void **state)
{
	(void)state;
	list[2].motion.group = &lift;
	say(REQUEST("1", "move"));
	say_and_step(REQUEST("2", "rest"));
	quash_group_reset(&arm);
	say_to_other(REQUEST("1", "move"));
	assert_ptr_equal(arm.holder->peer, &other);
	say_to_other(CANCEL("1"));
	step_other();
	assert_null(arm.holder);
	say_and_step(REQUEST("3", "move"));
	assert_ptr_equal(arm.holder, live("3"));
	say(CANCEL("1"));
	ANSWERS_TO(CANCEL("3"), 1, CANCELLED("1") CANCELLED("3"));
	assert_null(arm.holder);
}

/* Each gives back the one that it holds, in any order. */
static void test_many_groups(void **state)
{
	(void)state;
	list[2].motion.group = &lift;
	say(REQUEST("1", "move"));
	say_and_step(REQUEST("2", "rest"));
	assert_ptr_equal(arm.holder, live("1"));
	assert_ptr_equal(lift.holder, live("2"));
	say_and_step(CANCEL("1"));
	assert_null(arm.holder);
	assert_ptr_equal(lift.holder, live("2"));
	say_and_step(REQUEST("3", "move"));
	say(CANCEL("3"));
	say_and_step(CANCEL("2"));
	assert_null(arm.holder);
	assert_null(lift.holder);
	assert_null(device.peer.groups);
	ANSWERS(CANCELLED("1") CANCELLED("2") CANCELLED("3"));
}

static void test_a_released_hook_holds_nothing(void **state)
{
	(void)state;
	list[0].released = hold_late;
	say_and_step(REQUEST("1", "move"));
	ANSWERS_TO(CANCEL("1"), 2, CANCELLED("1"));
	assert_false(released_got);
	assert_null(lift.holder);
	assert_null(device.peer.groups);
}

/* --- What stays on behind its answer */

static bool runs; /* the fan, until somebody switches it off */

static int32_t fan_on(quash_request *request)
{
	runs = true;
	return quash_reply_text(request, "on");
}

static int32_t fan_end(quash_request *request)
{
	if (runs && !quash_is_gone(quash_peer_of(request)))
		return quash_wait(request, 10);
	runs = false;
	return QUASH_DONE;
}

static const quash_method fans[] = {
	{ .name = "fan", .handler = fan_on, .motion = { .end = fan_end, .longest = 100, .lease = 50, .group = &arm } },
	{ .name = "pump", .handler = fan_on, .motion = { .end = rest, .longest = 100, .group = &arm } }
};

static void begin_fan(void)
{
	device.config.methods = fans;
	device.config.method_count = COUNT_OF(fans);
	device.config.lease_always = true;
	device_begin();
	ANSWERS_TO(REQUEST("1", "fan"), 1, RESULT("1", "'on'"));
}

/* Neither a Stop nor its lease, nor its longest time, nor the end of input: whoever had the answer is not asked any more. */
static void test_it_stays_on(void **state)
{
	(void)state;
	begin_fan();
	say_and_step(CANCEL("1"));
	loop_step(&device, 1000);
	quash_input_end(&device.peer);
	loop_step(&device, 1000);
	assert_true(runs);
	assert_non_null(arm.holder);
}

static void test_its_group_is_held_until_it_is_off(void **state)
{
	(void)state;
	begin_fan();
	ANSWERS_TO(REQUEST("2", "pump"), 1, ERROR("2", "-32010", "Busy: one at a time"));
	runs = false;
	loop_step(&device, 10);
	assert_null(arm.holder);
	ANSWERS_TO(REQUEST("3", "pump"), 1, RESULT("3", "'on'"));
}

static void test_a_lost_link_switches_it_off(void **state)
{
	(void)state;
	begin_fan();
	quash_gone(&device.peer);
	loop_step(&device, 10);
	assert_false(runs);
	assert_null(arm.holder);
}

/* --- The longest time */

static void test_no_limit(void **state)
{
	(void)state;
	list[0].motion.lease = 100;
	list[0].motion.longest = QUASH_NO_LIMIT;
	device_begin();
	say_and_step(REQUEST("1", "move"));
	assert_int_equal(quash_idle_ms(&device.peer), 0);
	loop_step(&device, INT32_MAX);
	loop_step(&device, INT32_MAX);
	assert_int_equal(quash_cancelled(live("1")), QUASH_NOT_CANCELLED);
	list[2].motion.lease = 100;
	list[2].motion.longest = INT32_MAX;
	list[2].motion.group = NULL;
	device_begin();
	say_and_step(REQUEST("2", "rest"));
	loop_step(&device, INT32_MAX - 2);
	assert_int_equal(quash_cancelled(live("2")), QUASH_NOT_CANCELLED);
	loop_step(&device, 2);
	ANSWERS(CANCELLED("2"));
	COUNTED(cancelled[QUASH_BY_DEADLINE], 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_two_peers_move_one_thing, set_up),
		cmocka_unit_test_setup(test_a_link_that_goes_gives_nothing_back, set_up),
		cmocka_unit_test_setup(test_a_start_gives_nothing_back, set_up),
		cmocka_unit_test_setup(test_a_slot_gives_back_its_own, set_up),
		cmocka_unit_test_setup(test_reset_of_a_group_that_is_held, set_up),
		cmocka_unit_test_setup(test_reset_when_the_holder_is_gone, set_up),
		cmocka_unit_test_setup(test_reset_between_two_peers, set_up),
		cmocka_unit_test_setup(test_many_groups, set_up),
		cmocka_unit_test_setup(test_a_released_hook_holds_nothing, set_up),
		cmocka_unit_test_setup(test_it_stays_on, set_up),
		cmocka_unit_test_setup(test_its_group_is_held_until_it_is_off, set_up),
		cmocka_unit_test_setup(test_a_lost_link_switches_it_off, set_up),
		cmocka_unit_test_setup(test_no_limit, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
