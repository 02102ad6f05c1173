/* SPDX-License-Identifier: MIT */
#include "device.h"

#include "chance.h"

static const quash_dialect *const all_dialects[] = { &quash_acp, &quash_lsp, &quash_mcp, &quash_jsonrpc };

/* --- quash_init, see test_check.c */

static void test_smallest_config(void **state)
{
	(void)state;
	device_prepare(&quash_acp);
	device.config.slot_count = 1;
	device.config.id_size = QUASH_ID_MIN;
	device.config.arena_size = QUASH_ARENA_MIN;
	device.config.tx_size = QUASH_TX_MIN;
	device.config.states = NULL;
	device.config.state_size = 0;
	device.config.tags = NULL;
	device.config.tag_size = 0;
	device.config.reason = NULL;
	device.config.reason_size = 0;
	device.config.method_count = 2; /* which need no state */
	device_begin();
	say_on(REQUEST("-9007199254740992", "now") "\n" REQUEST("'12345678901234567'", "now") "\n"
		REQUEST("'123456789012345678'", "now") "\n");
	steps(2);
	/* The refusal found no slot, so it is written first. */
	ANSWERS(RESULT("-9007199254740992", "1") INVALID("null") RESULT("'12345678901234567'", "1"));
	device_prepare(&quash_acp);
	device.config.methods = NULL;
	device.config.method_count = 0;
	device_begin();
	ANSWERS_TO(REQUEST("1", "now"), 0, UNKNOWN("1"));
}

/* --- Counters */

/* Answers, refusals, cancels, what is lost: all that is counted otherwise. */
static const char *a_conversation(void)
{
	static char heard[2000];
	say(REQUEST("1", "now"));
	say(REQUEST("2", "none"));
	say(REQUEST("3", "wait"));
	say(REQUEST("3", "wait"));
	say(NOTE("note"));
	say(NOTE("none"));
	say("{");
	say("[]");
	say_and_step(REQUEST("[]", "now"));
	say(CANCEL("3"));
	say(CANCEL("3"));
	say(CANCEL("{}"));
	say("{'jsonrpc':'2.0','id':9,'result':1}");
	steps(3);
	say_and_step(REQUEST("4", "stubborn"));
	quash_lost(&device.peer);
	say("");
	say("");
	quash_put_uint(quash_notify(&device.peer, "note"), 1);
	assert_true(quash_notify_send(&device.peer));
	quash_new_session(&device.peer);
	steps(3);
	say_and_step(REQUEST("5", "wait"));
	quash_cancel_all(&device.peer);
	steps(3);
	assert_in_range(strlen(loop_heard(&device)), 1, sizeof heard - 1);
	strcpy(heard, device.heard);
	return heard;
}

static void test_without_counters(void **state)
{
	static char counted[2000];
	(void)state;
	device_start(&quash_acp);
	assert_ptr_equal(quash_counters_of(&device.peer), &device.counters);
	strcpy(counted, a_conversation());
	COUNTED(requests, 4);
	device_prepare(&quash_acp);
	device.config.counters = NULL;
	device_begin();
	assert_null(quash_counters_of(&device.peer));
	assert_string_equal(a_conversation(), counted);
	COUNTED(requests, 0);
}

static void test_init_again(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say_and_step(REQUEST("1", "wait"));
	loop_say(&device, "{\"half");
	loop_start(&device);
	assert_int_equal(quash_live_count(&device.peer), 0);
	COUNTED(requests, 0);
	ANSWERS_TO(REQUEST("1", "now"), 2, RESULT("1", "1"));
	DID("wait(1) now(1)");
}

static void test_context(void **state)
{
	(void)state;
	device_start(&quash_acp);
	assert_ptr_equal(quash_context(&device.peer), &device);
}

QUASH_STORAGE(store, 3, 20, 12, 100, 64);

static void test_storage(void **state)
{
	static const quash_config config = { QUASH_STORED(store), .dialect = &quash_mcp,
		.methods = device_methods, .method_count = 1 };
	(void)state;
	assert_int_equal(config.slot_count, 3);
	assert_int_equal(config.id_size, 20);
	assert_int_equal(config.state_size, 16);
	assert_int_equal(config.arena_size, 100);
	assert_int_equal(config.tx_size, 64);
	assert_in_range(sizeof store.states, 48, 64);
	assert_int_equal(sizeof store.ids, 80);
	assert_true(quash_init(&device.peer, &config, NULL));
}

/* --- Gone */

static void test_gone(void **state)
{
	(void)state;
	device_start(&quash_acp);
	say(REQUEST("1", "wait"));
	say(REQUEST("2", "stubborn"));
	quash_step(&device.peer);
	say(REQUEST("3", "nothing"));
	quash_gone(&device.peer);
	quash_gone(&device.peer);
	assert_true(quash_is_gone(&device.peer));
	assert_int_equal(quash_feed(&device.peer, (const uint8_t *)"x", 1), 0);
	quash_notify(&device.peer, "n");
	assert_false(quash_notify_send(&device.peer));
	assert_int_equal(quash_cancelled(live("1")), QUASH_BY_LINK);
	ANSWERS_AFTER(3, "");
	DID("wait(1) stubborn(2) wait(1) end(1) stubborn(2) stubborn(2) stubborn(2)");
	COUNTED(cancelled[QUASH_BY_LINK], 2);
	assert_int_equal(quash_live_count(&device.peer), 1);
}

/* --- What is shown */

/* Out shows the same bytes until they have left. */
static void test_out_and_sent(void **state)
{
	size_t n, again;
	(void)state;
	device_start(&quash_acp);
	(void)quash_out(&device.peer, &n);
	assert_int_equal(n, 0);
	say("x");
	const uint8_t *const out = quash_out(&device.peer, &n);
	assert_int_equal(n, strlen(PARSE_ERROR));
	assert_ptr_equal(quash_out(&device.peer, &again), out);
	assert_int_equal(again, n);
	quash_sent(&device.peer, 10);
	assert_ptr_equal(quash_out(&device.peer, &again), out + 10); /* nobody wants the room */
	assert_memory_equal(out + 10, quoted(PARSE_ERROR) + 10, n - 10);
	assert_int_equal(again, n - 10);
	quash_sent(&device.peer, 0);
	quash_sent(&device.peer, again);
	(void)quash_out(&device.peer, &n);
	assert_int_equal(n, 0);
}

/* --- Whatever is fed */

/* Bytes that are likely to mean something. */
static uint8_t soup_byte(void)
{
	static const char likely[] = "{}[],:\"\n\n\n\n12-e.truefalsenull\\u \r";
	static const char *const words[] = { "\"jsonrpc\":\"2.0\",", "\"id\":1,", "\"id\":\"a\",",
		"\"method\":\"now\",", "\"method\":\"wait\"}\n", "\"params\":{",
		"[{\"id\":", "Content-Length: 5\r\n\r\n", "\"result\":1", "{}\n", "[]\n", "1\n",
		"Content-Length: 0\r\n\r\n" };
	static const char *word = "";
	if (*word)
		return (uint8_t)*word++;
	switch (random_below(8)) {
	case 0: return (uint8_t)random_below(256);
	case 1: word = words[random_below(COUNT_OF(words))]; return (uint8_t)*word++;
	default: return (uint8_t)likely[random_below(sizeof likely - 1)];
	}
}

static void leave(size_t most)
{
	size_t n;
	(void)quash_out(&device.peer, &n);
	quash_sent(&device.peer, n < most ? n : most);
}

static void feed_soup(void)
{
	uint8_t bytes[256];
	const size_t n = 1 + random_below(random_below(4) == 0 ? sizeof bytes : 16);
	for (size_t i = 0; i < n; i++)
		bytes[i] = soup_byte();
	assert_in_range(quash_feed(&device.peer, bytes, n), 0, n);
}

static void soup(const quash_dialect *dialect, uint8_t slots, quash_size tx)
{
	device_prepare(dialect);
	device.config.slot_count = slots;
	device.config.tx_size = tx;
	device_begin();
	for (unsigned i = 0; i < ROUNDS_OF(3000); i++) {
		feed_soup();
		device_check();
		if (random_below(3) == 0)
			leave(random_below(100));
		if (random_below(8) == 0)
			quash_step(&device.peer);
		if (random_below(16) == 0)
			quash_cancel_all(&device.peer);
		if (random_below(64) == 0)
			quash_lost(&device.peer);
		if (random_below(200) == 0)
			quash_new_session(&device.peer);
		device_check();
		if (i % 100 == 0)
			device_forget();
	}
	quash_cancel_all(&device.peer);
	loop_settle(&device, 50); /* and nothing is stuck */
	loop_heard(&device);
}

static void test_soup(void **state)
{
	static const quash_size sizes[] = { 64, 65, 103, 104, 105, 127, 200, 208, 300, 512 };
	(void)state;
	seed = 2463534242u;
	for (size_t k = 0; k < COUNT_OF(all_dialects); k++) {
		for (size_t i = 0; i < COUNT_OF(sizes) && sizes[i] <= LOOP_TX; i++) {
			soup(all_dialects[k], 1, sizes[i]);
			soup(all_dialects[k], LOOP_SLOTS, sizes[i]);
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_smallest_config),
		cmocka_unit_test(test_without_counters),
		cmocka_unit_test(test_init_again),
		cmocka_unit_test(test_context),
		cmocka_unit_test(test_storage),
		cmocka_unit_test(test_gone),
		cmocka_unit_test(test_out_and_sent),
		cmocka_unit_test(test_soup),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
