/* SPDX-License-Identifier: MIT
 * MCP over the port: clients and the device on 127.0.0.1 of one lwIP, which come, talk, pause, half-close and vanish. */
#include "far.h"
#include "near.h"
#include "unit.h"

#include <stdio.h>

#define MOTOR(id) CALL(id, "stepper", "'steps':90000")
#define MOTOR_WITH(id, token) CALL_WITH(id, "stepper", "'steps':90000", token)

static struct far far, second;

/* A client, in place of the last one. */
static void come(void)
{
	far_close(&far);
	far_connect(&far, 0);
	near_run(5);
	assert_true(far.connected);
	SERVED(&far, INITIALIZE, INITIALIZED);
}

static int set_up(void **state)
{
	(void)state;
	near_start(1500);
	return 0;
}

static int set_up_client(void **state)
{
	(void)set_up(state);
	come();
	return 0;
}

static int set_up_motor(void **state)
{
	(void)set_up_client(state);
	near_say(&far, MOTOR("1"), 50);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	far_close(&far);
	near_stop();
	return 0;
}

/* What the motor has done, as the next client gets it. */
static void assert_motor_stopped(unsigned times)
{
	char stops[40];
	(void)snprintf(stops, sizeof stops, "\\\"stepper_stops\\\":%u,", times);
	near_say(&far, CALL("900", "stats", ""), 5);
	assert_non_null(strstr(far.received, stops));
}

/* --- A conversation */

static void test_a_conversation(void **state)
{
	(void)state;
	far_say(&far, "{'jsonrpc':'2.0','method':'notifications/initialized'}\n");
	near_say(&far, CALL_WITH("1", "slow", "'ms':120", "'p'"), 60);
	near_say(&far, CALL("2", "led", "'on':true"), 100);
	ANSWERED(&far, PROGRESS("'p'", "50", "120") TEXT("2", "on") PROGRESS("'p'", "100", "120") TEXT("1", "slept 120"));
	near_say(&far, CALL_WITH("3", "slow", "'ms':60000", "3"), 60);
	near_say(&far, CANCEL("3") PING("4"), 500);
	ANSWERED(&far, PROGRESS("3", "50", "60000") PONG("4"));
	assert_int_equal(near.counters.cancelled[QUASH_BY_OTHER_SIDE], 1);
	assert_int_equal(near.started, 5);
}

/* An answer is on its way before its pump is over, and the next client is answered no later. */
static void test_an_answer_waits_for_no_timer(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 50; i++) {
		const u32_t before = near.ms;
		far_say(&far, PING("1"));
		while (far.length == 0)
			near_run(1);
		assert_in_range(near.ms - before, 0, 2);
		ANSWERED(&far, PONG("1"));
	}
}

/* How long it would sleep before the pump, which is then called, and after it. */
static void assert_awake_until_pumped(void)
{
	assert_int_equal(lwip_tcp_idle_ms(&near.link, &near.peer), 0);
	quash_pump(&near.peer, &near.port);
}

static void assert_asleep(void)
{
	assert_in_range(lwip_tcp_idle_ms(&near.link, &near.peer), 1, 1000);
}

static void test_reasons_not_to_sleep(void **state)
{
	(void)state;
	assert_awake_until_pumped(); /* there is no client */
	assert_asleep();
	far_connect(&far, 0);
	near_stand_still(1);
	assert_awake_until_pumped(); /* there is one */
	assert_awake_until_pumped();
	lwip_tcp_turn(&near.link, &near.peer);
	assert_asleep();
	far_say(&far, PING("1"));
	near_stand_still(1);
	assert_awake_until_pumped(); /* bytes to receive */
	assert_awake_until_pumped(); /* a step, which puts an answer */
	quash_step(&near.peer);
	assert_awake_until_pumped(); /* bytes to write */
	assert_asleep();
	far_half_close(&far);
	near_stand_still(1);
	assert_awake_until_pumped(); /* it has ended */
	assert_awake_until_pumped(); /* and is to be closed */
	lwip_tcp_turn(&near.link, &near.peer);
	assert_awake_until_pumped(); /* it has gone */
	assert_asleep();
	ANSWERED(&far, PONG("1"));
}

/* --- The end of a client */

static void test_half_closed_it_is_answered_and_closed(void **state)
{
	(void)state;
	near_say(&far, CALL_WITH("1", "slow", "'ms':120", "'p'"), 5);
	far_half_close(&far);
	near_run(60);
	assert_false(far.ended);
	assert_int_equal(quash_live_count(&near.peer), 1);
	near_run(100);
	ANSWERED(&far, PROGRESS("'p'", "50", "120") PROGRESS("'p'", "100", "120") TEXT("1", "slept 120"));
	assert_true(far.ended);
	assert_true(quash_is_gone(&near.peer));
	assert_int_equal(near.counters.cancelled[QUASH_BY_LINK], 0);
	come();
	SERVED(&far, PING("2"), PONG("2"));
}

/* A message without its newline counts at the end. */
static void test_half_closed_behind_an_open_line(void **state)
{
	(void)state;
	near_say(&far, "{'jsonrpc':'2.0','id':1,'method':'ping'}", 5);
	ANSWERED(&far, "");
	far_half_close(&far);
	near_run(5);
	ANSWERED(&far, PONG("1"));
	assert_true(far.ended);
}

static void test_reset_the_motor_stops(void **state)
{
	(void)state;
	near_say(&far, MOTOR("1") CALL("2", "slow", "'ms':60000"), 50);
	assert_int_equal(quash_live_count(&near.peer), 2);
	far_reset(&far);
	near_run(1);
	assert_int_equal(near.counters.cancelled[QUASH_BY_LINK], 2);
	assert_int_equal(quash_live_count(&near.peer), 0);
	come();
	assert_motor_stopped(1);
}

/* What moves has a lease, and no sign of life can come any more. What does not move goes on. */
static void test_half_closed_the_motor_stops(void **state)
{
	(void)state;
	near_say(&far, MOTOR("1") CALL("2", "slow", "'ms':120"), 50);
	assert_int_equal(quash_live_count(&near.peer), 2);
	far_half_close(&far);
	near_run(1);
	assert_int_equal(near.counters.cancelled[QUASH_BY_LEASE], 1);
	assert_int_equal(quash_live_count(&near.peer), 1);
	near_run(100);
	ANSWERED(&far, REFUSED("1", "-32800", "Request cancelled") TEXT("2", "slept 120"));
	assert_true(far.ended);
	come();
	assert_motor_stopped(1);
}

/* A motor whose call comes with the end of the transmission never moves. */
static void test_half_closed_at_once_no_motor_moves(void **state)
{
	(void)state;
	far_say(&far, MOTOR("1"));
	far_half_close(&far);
	near_run(50);
	assert_int_equal(near.counters.cancelled[QUASH_BY_LEASE], 1);
	assert_true(far.ended);
	far_forget(&far);
	come();
	assert_motor_stopped(0);
}

/* Closed looks like half-closed until something is written. */
static void test_closed_is_noticed_by_progress(void **state)
{
	(void)state;
	near_say(&far, CALL_WITH("1", "slow", "'ms':60000", "1"), 150);
	far_close(&far);
	near_run(220);
	assert_int_equal(near.counters.cancelled[QUASH_BY_LINK], 1);
	come();
}

/* The program may take it for the end: so a process that was killed leaves nothing running. */
static void test_half_closed_may_be_the_end(void **state)
{
	(void)state;
	near.strict = true;
	near_say(&far, CALL("1", "slow", "'ms':60000"), 50);
	assert_false(lwip_tcp_has_ended(&near.link));
	far_close(&far);
	near_run(1);
	assert_int_equal(near.counters.cancelled[QUASH_BY_LINK], 1);
	come();
}

/* It vanishes while the motor moves; the time of the cancel. */
static u32_t cancelled_after_vanishing(const char *call)
{
	near_say(&far, call, 150);
	far_vanish(&far);
	const u32_t before = near.ms;
	while (near.flagged == 0 && near.ms - before < 10 * NEAR_SILENCE)
		near_run(10);
	const u32_t after = near.ms - before;
	near_run(10);
	assert_int_equal(near.counters.cancelled[QUASH_BY_LINK], 1);
	assert_int_equal(quash_live_count(&near.peer), 0);
	net.cut = 0;
	come();
	assert_motor_stopped(1);
	return after;
}

static void test_vanished_in_silence(void **state)
{
	(void)state;
	assert_in_range(cancelled_after_vanishing(MOTOR("1")), NEAR_SILENCE - 1000, NEAR_SILENCE + 1000);
}

/* What it should acknowledge is sent again and again; that takes no longer. */
static void test_vanished_while_progress_is_sent(void **state)
{
	(void)state;
	assert_in_range(cancelled_after_vanishing(MOTOR_WITH("1", "1")), NEAR_SILENCE - 1000, NEAR_SILENCE + 1000);
}

static void test_a_quiet_client_stays(void **state)
{
	(void)state;
	near.sleeps = 0;
	near_run(20 * NEAR_SILENCE);
	assert_in_range(near.sleeps, 1, 20 * NEAR_SILENCE / 50); /* for lwIP's timers */
	SERVED(&far, PING("1"), PONG("1"));
}

static void test_the_device_hangs_up(void **state)
{
	(void)state;
	near_say(&far, PING("1") MOTOR("2"), 50);
	lwip_tcp_hang_up(&near.link);
	lwip_tcp_hang_up(&near.link);
	near_run(5);
	ANSWERED(&far, PONG("1"));
	assert_true(far.ended);
	assert_false(far.reset);
	assert_int_equal(near.counters.cancelled[QUASH_BY_LINK], 1);
}

/* The program has given the link up, and hangs up later. */
static void test_a_peer_that_is_gone_sleeps(void **state)
{
	(void)state;
	quash_gone(&near.peer);
	far_say(&far, PING("2"));
	far_half_close(&far);
	near.sleeps = 0;
	near_run(1000);
	assert_in_range(near.sleeps, 1, 20);
	ANSWERED(&far, "");
	lwip_tcp_hang_up(&near.link);
	near_run(5);
	assert_true(far.ended || far.reset);
	come();
	assert_motor_stopped(1);
}

/* It must know that not everything was received. */
static void test_hanging_up_on_bytes_resets(void **state)
{
	(void)state;
	far_say(&far, PING("1"));
	near_stand_still(5);
	lwip_tcp_hang_up(&near.link);
	near_run(5);
	ANSWERED(&far, "");
	assert_true(far.reset);
}

/* --- The next client */

static void test_a_second_client_is_reset(void **state)
{
	(void)state;
	far_connect(&second, 0);
	far_say(&second, PING("1"));
	near_run(5);
	assert_true(second.reset);
	ANSWERED(&second, "");
	assert_int_equal(quash_live_count(&near.peer), 1);
	far_reset(&far);
	near_run(1);
	far_connect(&second, 0);
	SERVED(&second, PING("2"), PONG("2"));
	far_close(&second);
}

/* It has not begun with initialize, as the last one had. */
static void test_the_next_client_has_a_session_of_its_own(void **state)
{
	(void)state;
	SERVED(&far, CALL("1", "led", "'on':true"), TEXT("1", "on"));
	far_close(&far);
	near_run(5);
	far_connect(&far, 0);
	SERVED(&far, CALL("2", "led", "'on':false"), REFUSED("2", "-32602", "No initialize. Missing _meta io.modelcontextprotocol/protocolVersion"));
}

/* Two clients between two turns: what the first one left open is not continued by the second. */
static void test_the_next_client_comes_before_a_turn(void **state)
{
	(void)state;
	near_say(&far, MOTOR("1") "{'jsonrpc':'2.0','id':7,'method':'pi", 5);
	far_reset(&far);
	near_stand_still(1);
	far_connect(&far, 0);
	far_say(&far, PING("2"));
	near_stand_still(5);
	assert_true(near.link.fresh);
	quash_pump(&near.peer, &near.port); /* as a busy handler does */
	assert_true(quash_is_gone(&near.peer));
	assert_int_equal(near.counters.cancelled[QUASH_BY_LINK], 1);
	near_run(5);
	ANSWERED(&far, PONG("2"));
	far_say(&far, INITIALIZE);
	assert_motor_stopped(1);
	assert_int_equal(near.counters.parse_errors, 0);
}

/* The last client had half-closed; this one has not. */
static void test_the_next_client_is_not_closed_for_the_last_one(void **state)
{
	(void)state;
	far_half_close(&far);
	near_run(5);
	assert_true(near.link.ended);
	quash_cancel_all(&near.peer);
	far_reset(&far);
	near_stand_still(1);
	far_connect(&far, 0);
	near_stand_still(5);
	near_run(50);
	assert_false(far.ended || far.reset);
	SERVED(&far, PING("2"), PONG("2"));
}

static void leave(unsigned way)
{
	if (way % 4 == 0)
		far_close(&far);
	else if (way % 4 == 1)
		far_reset(&far);
	else if (way % 4 == 2)
		far_half_close(&far);
	else
		far_vanish(&far);
	near_run(way % 4 == 3 ? NEAR_SILENCE + 1000 : 5);
	far_close(&far);
	net.cut = 0;
}

static void test_a_thousand_clients(void **state)
{
	(void)state;
	near.strict = true;
	for (unsigned i = 0; i < 1000; i++) {
		come();
		near_say(&far, MOTOR("1") PING("2"), 20);
		ANSWERED(&far, PONG("2"));
		near_say(&far, i % 3 == 0 ? "{'open" : CANCEL("1"), 5);
		leave(i);
		near_run(100);
		assert_int_equal(far.ended || far.reset || far.pcb == NULL, true);
		near_stand_still(i % 50 == 0 ? 200 : 0);
	}
	far_close(&far);
	near_run(NEAR_SILENCE);
	assert_int_equal(near.started, 3000);
}

/* --- Listening */

static void test_listening_fails(void **state)
{
	static struct lwip_tcp link;
	const ip_addr_t any = IPADDR4_INIT(IPADDR_ANY);
	const uint8_t *bytes;
	(void)state;
	assert_int_equal(lwip_tcp_listen(&link, &any, NET_NUMBER, NEAR_SILENCE), ERR_USE);
	const quash_port port = lwip_tcp_port(&link);
	assert_int_equal(port.peek(port.device, &bytes), QUASH_GONE);
	assert_int_equal(lwip_tcp_listen(&link, &any, NET_NUMBER + 1, LWIP_TCP_LEAST_SILENCE - 1), ERR_VAL);
	net.deny = 1;
	assert_int_equal(lwip_tcp_listen(&link, &any, NET_NUMBER + 1, LWIP_TCP_LEAST_SILENCE), ERR_MEM);
	net.deny = 0;
	assert_int_equal(lwip_tcp_listen(&link, &any, NET_NUMBER + 1, LWIP_TCP_LEAST_SILENCE), ERR_OK);
	lwip_tcp_close(&link);
}

/* The device's end of the last connection is closing yet. */
static void test_listening_again_at_once(void **state)
{
	const ip_addr_t any = IPADDR4_INIT(IPADDR_ANY);
	(void)state;
	lwip_tcp_close(&near.link);
	near_run(5);
	assert_true(far.ended);
	assert_int_equal(lwip_tcp_listen(&near.link, &any, NET_NUMBER, NEAR_SILENCE), ERR_OK);
	near.sleeps = 0;
	near_run(1000);
	assert_in_range(near.sleeps, 1, 20); /* for lwIP's timers */
	come();
	SERVED(&far, PING("1"), PONG("1"));
}

/* lwIP calls back without a pcb then, and the client asks once more. */
static void test_there_was_no_memory_for_a_client(void **state)
{
	(void)state;
	far_connect(&far, 0);
	net.deny = sizeof(struct tcp_pcb) - 1;
	near_run(5);
	assert_false(far.connected);
	net.deny = 0;
	near_run(5000);
	assert_true(far.connected);
	SERVED(&far, PING("1"), PONG("1"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_a_conversation, set_up_client, tear_down),
		cmocka_unit_test_setup_teardown(test_an_answer_waits_for_no_timer, set_up_client, tear_down),
		cmocka_unit_test_setup_teardown(test_reasons_not_to_sleep, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_half_closed_it_is_answered_and_closed, set_up_client, tear_down),
		cmocka_unit_test_setup_teardown(test_half_closed_behind_an_open_line, set_up_client, tear_down),
		cmocka_unit_test_setup_teardown(test_half_closed_the_motor_stops, set_up_client, tear_down),
		cmocka_unit_test_setup_teardown(test_half_closed_at_once_no_motor_moves, set_up_client, tear_down),
		cmocka_unit_test_setup_teardown(test_reset_the_motor_stops, set_up_client, tear_down),
		cmocka_unit_test_setup_teardown(test_closed_is_noticed_by_progress, set_up_client, tear_down),
		cmocka_unit_test_setup_teardown(test_half_closed_may_be_the_end, set_up_client, tear_down),
		cmocka_unit_test_setup_teardown(test_vanished_in_silence, set_up_client, tear_down),
		cmocka_unit_test_setup_teardown(test_vanished_while_progress_is_sent, set_up_client, tear_down),
		cmocka_unit_test_setup_teardown(test_a_quiet_client_stays, set_up_client, tear_down),
		cmocka_unit_test_setup_teardown(test_the_device_hangs_up, set_up_client, tear_down),
		cmocka_unit_test_setup_teardown(test_a_peer_that_is_gone_sleeps, set_up_motor, tear_down),
		cmocka_unit_test_setup_teardown(test_hanging_up_on_bytes_resets, set_up_client, tear_down),
		cmocka_unit_test_setup_teardown(test_a_second_client_is_reset, set_up_motor, tear_down),
		cmocka_unit_test_setup_teardown(test_the_next_client_has_a_session_of_its_own, set_up_client, tear_down),
		cmocka_unit_test_setup_teardown(test_the_next_client_comes_before_a_turn, set_up_client, tear_down),
		cmocka_unit_test_setup_teardown(test_the_next_client_is_not_closed_for_the_last_one, set_up_motor, tear_down),
		cmocka_unit_test_setup_teardown(test_a_thousand_clients, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_listening_fails, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_listening_again_at_once, set_up_client, tear_down),
		cmocka_unit_test_setup_teardown(test_there_was_no_memory_for_a_client, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
