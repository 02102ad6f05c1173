/* SPDX-License-Identifier: MIT
 * Arena and TX that are exchanged while requests are live, and in the middle of a message. */
#include "device.h"

#include "quash/carrier.h"

#include <stdio.h>

static uint8_t large_arena[4 * UNIT_ARENA], large_tx[4 * UNIT_TX];

static int set_up(void **state)
{
	(void)state;
	device_start(&quash_acp);
	return 0;
}

static bool to_large_arena(void)
{
	return quash_move_arena(&device.peer, &device.config, large_arena, sizeof large_arena);
}

/* What stood in the old one is not read any more. */
static void spoil(void)
{
	memset(device.arena, 0xA5, sizeof device.arena);
	memset(device.tx, 0xA5, sizeof device.tx);
}

static void test_params_of_live_requests_move_along(void **state)
{
	(void)state;
	say(REQUEST_WITH("1", "echo", "{'text':'one'}"));
	say(REQUEST_WITH("2", "echo", "{'list':[1,{'a':null}]}"));
	assert_true(quash_arena_used(&device.peer) > 0);
	assert_true(to_large_arena());
	spoil();
	assert_ptr_equal(device.config.arena, large_arena);
	ANSWERS_AFTER(5, RESULT("1", "{'text':'one'}") RESULT("2", "{'list':[1,{'a':null}]}"));
	assert_true(quash_move_arena(&device.peer, &device.config, device.arena, sizeof device.arena));
	ANSWERS_TO(REQUEST_WITH("3", "echo", "{'small':'again'}"), 1, RESULT("3", "{'small':'again'}"));
}

/* At each byte of a message. */
static void test_in_the_middle_of_a_message(void **state)
{
	(void)state;
	static const char message[] = REQUEST_WITH("1", "echo", "{'text':'\\u00e9 and \\\"more','n':-12.5e3,'list':[[],{}]}") "\n";
	for (size_t cut = 0; cut < sizeof message - 1; cut++) {
		device_start(&quash_acp);
		char first[sizeof message];
		memcpy(first, message, cut);
		first[cut] = '\0';
		takes_all(first);
		assert_true(to_large_arena());
		spoil();
		takes_all(message + cut);
		ANSWERS_AFTER(2, RESULT("1", "{'text':'\xC3\xA9 and \\\"more','n':-12.5e3,'list':[[],{}]}"));
	}
}

static void test_a_message_that_is_longer_than_the_arena_was(void **state)
{
	(void)state;
	static char text[2 * UNIT_ARENA], message[sizeof text + 100];
	memset(text, 'x', sizeof text - 1);
	(void)snprintf(message, sizeof message, REQUEST_WITH("1", "now", "{'text':'%s'}"), text);
	ANSWERS_TO(message, 1, ERROR("1", "-32011", "Message too large"));
	assert_true(to_large_arena());
	ANSWERS_TO(message, 1, RESULT("1", "1"));
}

static void test_what_does_not_fit_stays(void **state)
{
	(void)state;
	assert_true(to_large_arena());
	static char text[UNIT_ARENA], message[sizeof text + 100];
	memset(text, 'x', sizeof text - 1);
	(void)snprintf(message, sizeof message, REQUEST_WITH("1", "wait", "{'steps':1,'text':'%s'}"), text);
	say(message);
	step();
	assert_false(quash_move_arena(&device.peer, &device.config, device.arena, sizeof device.arena));
	assert_false(quash_move_arena(&device.peer, &device.config, large_arena, QUASH_ARENA_MIN - 1));
	assert_ptr_equal(device.config.arena, large_arena);
	ANSWERS_AFTER(2, RESULT("1", "'waited'"));
}

static void test_tx_moves_when_nothing_waits_in_it(void **state)
{
	(void)state;
	device.stalled = true;
	say_and_step(REQUEST("1", "now"));
	assert_false(quash_move_tx(&device.peer, &device.config, large_tx, sizeof large_tx));
	device.stalled = false;
	ANSWERS(RESULT("1", "1"));
	(void)quash_notify(&device.peer, "note");
	assert_false(quash_move_tx(&device.peer, &device.config, large_tx, sizeof large_tx));
	assert_true(quash_notify_send(&device.peer));
	ANSWERS(NOTE_WITH("note", "{}") "\n");
	assert_false(quash_move_tx(&device.peer, &device.config, large_tx, QUASH_TX_MIN - 1));
	assert_true(quash_move_tx(&device.peer, &device.config, large_tx, sizeof large_tx));
	spoil();
	ANSWERS_TO(REQUEST("2", "now"), 1, RESULT("2", "1"));
}

static void test_of_another_config_nothing_moves(void **state)
{
	(void)state;
	quash_config other = device.config;
	assert_false(quash_move_arena(&device.peer, &other, large_arena, sizeof large_arena));
	assert_false(quash_move_tx(&device.peer, &other, large_tx, sizeof large_tx));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_params_of_live_requests_move_along, set_up),
		cmocka_unit_test_setup(test_in_the_middle_of_a_message, set_up),
		cmocka_unit_test_setup(test_a_message_that_is_longer_than_the_arena_was, set_up),
		cmocka_unit_test_setup(test_what_does_not_fit_stays, set_up),
		cmocka_unit_test_setup(test_tx_moves_when_nothing_waits_in_it, set_up),
		cmocka_unit_test_setup(test_of_another_config_nothing_moves, set_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
