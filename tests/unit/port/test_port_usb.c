/* SPDX-License-Identifier: MIT
 * A link over USB. The CDC device is a stand-in: what a host and a stack do is played in memory, with their faults. */
#include "unit.h"

#include "usb/usb.h"

#include "loop.h"

/* The stand-in. What the host sends waits in `in`, as far as the device has room; what the device sends is in `out`. */
static struct {
	port_usb_host host;
	char in[400], out[400];
	size_t in_length, at_once; /* `at_once`: in one piece */
	size_t out_length, out_room;
	size_t refused; /* write takes so many fewer than writable has said */
	unsigned wakes, waits;
} cdc;

loop l; /* the linker names its config: tests/unit/known */
static port_usb usb;
static unsigned ends, sessions;
static uint32_t clock_ms;
static void (*in_busy)(void); /* what happens while `busy` is on the stack */
static bool busy_was_cancelled;

static size_t peek_cdc(void *device, const uint8_t **bytes)
{
	assert_ptr_equal(device, &cdc);
	*bytes = (const uint8_t *)cdc.in;
	return cdc.in_length < cdc.at_once ? cdc.in_length : cdc.at_once;
}

static void take_cdc(void *device, size_t n)
{
	assert_ptr_equal(device, &cdc);
	assert_in_range(n, 1, cdc.in_length);
	cdc.in_length -= n;
	memmove(cdc.in, cdc.in + n, cdc.in_length);
}

static size_t writable_cdc(void *device)
{
	assert_ptr_equal(device, &cdc);
	return cdc.out_room;
}

static size_t write_cdc(void *device, const uint8_t *bytes, size_t n)
{
	assert_ptr_equal(device, &cdc);
	assert_int_equal(cdc.host, PORT_USB_OPEN);
	assert_in_range(n, 1, cdc.out_room);
	const size_t taken = n > cdc.refused ? n - cdc.refused : 0;
	assert_true(cdc.out_length + taken < sizeof cdc.out);
	memcpy(cdc.out + cdc.out_length, bytes, taken);
	cdc.out_length += taken;
	cdc.out_room -= taken;
	return taken;
}

static port_usb_host connected_cdc(void *device)
{
	assert_ptr_equal(device, &cdc);
	return cdc.host;
}

static void wake_cdc(void *device)
{
	assert_ptr_equal(device, &cdc);
	cdc.wakes++;
}

static uint32_t clock_now(void)
{
	return clock_ms;
}

/* --- What it serves */

static int32_t wait_on(quash_request *request)
{
	return quash_cancelled(request) ? QUASH_CANCELLED : quash_wait(request, 1000);
}

static int32_t count_end(quash_request *request)
{
	(void)request;
	ends++;
	return QUASH_DONE;
}

static int32_t answer_null(quash_request *request)
{
	return quash_reply_null(request);
}

static int32_t stay_busy(quash_request *request)
{
	in_busy();
	port_usb_pump(&usb);
	busy_was_cancelled = quash_cancelled(request) == QUASH_BY_LINK;
	return quash_reply_null(request);
}

enum { LEASE = 2000 };

static const quash_method methods[] = {
	{ .name = "m", .handler = answer_null },
	{ .name = "wait", .handler = wait_on, .motion = { .end = count_end, .longest = QUASH_NO_LIMIT }, .marks = QUASH_FINISHES },
	{ .name = "move", .handler = wait_on, .motion = { .end = count_end, .longest = 60000, .lease = LEASE } },
	{ .name = "busy", .handler = stay_busy },
};

static void note_session(quash_peer *peer)
{
	assert_ptr_equal(peer, &l.peer);
	sessions++;
}

static const port_usb_device calls = { peek_cdc, take_cdc, writable_cdc, write_cdc, connected_cdc, wake_cdc };
static const port_usb_device without_wake = { peek_cdc, take_cdc, writable_cdc, write_cdc, connected_cdc, NULL };

static void start(const port_usb_device *of)
{
	memset(&cdc, 0, sizeof cdc);
	cdc.at_once = sizeof cdc.in;
	cdc.out_room = SIZE_MAX;
	ends = sessions = 0;
	clock_ms = 100;
	busy_was_cancelled = false;
	loop_init(&l, &quash_jsonrpc, methods, COUNT_OF(methods));
	l.config.new_session = note_session;
	loop_start(&l);
	port_usb_start(&usb, of, &cdc, &l.peer, clock_now);
}

static int set_up(void **state)
{
	(void)state;
	start(&calls);
	return 0;
}

/* --- What happens */

static void host_sends(const char *text)
{
	assert_true(cdc.in_length + strlen(text) < sizeof cdc.in);
	memcpy(cdc.in + cdc.in_length, text, strlen(text));
	cdc.in_length += strlen(text);
}

/* Turns until the program would sleep; for how long. */
static uint32_t turns(void)
{
	uint32_t ms = 0;
	for (unsigned i = 0; i < 1000; i++) {
		(void)port_usb_turn(&usb);
		ms = port_usb_idle_ms(&usb);
		if (ms > 0)
			return ms;
	}
	fail_msg("it never sleeps");
	return ms;
}

static void host_asks(const char *text)
{
	host_sends(text);
	(void)turns();
}

static void host_does(port_usb_host what)
{
	cdc.host = what;
	assert_int_equal(port_usb_idle_ms(&usb), 0); /* each change is a reason to turn */
	(void)turns();
}

static void host_hears(const char *expected)
{
	cdc.out[cdc.out_length] = '\0';
	assert_string_equal(cdc.out, expected);
	cdc.out_length = 0;
}

static int set_up_open(void **state)
{
	(void)set_up(state);
	host_does(PORT_USB_OPEN);
	return 0;
}

#define ASK(id, method) "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"method\":\"" #method "\"}\n"
#define CANCEL(id)      "{\"jsonrpc\":\"2.0\",\"method\":\"$/cancel_request\",\"params\":{\"requestId\":" #id "}}\n"
#define ANSWER(id)      "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"result\":null}\n"
#define CANCELLED(id)   "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"error\":{\"code\":-32800,\"message\":\"Request cancelled\"}}\n"

/* Nobody has opened it: the link is gone, and it sleeps. */
static void test_begins_closed(void **state)
{
	(void)state;
	assert_int_equal(turns(), UINT32_MAX);
	assert_true(quash_is_gone(&l.peer));
	host_sends(ASK(1, m)); /* by a host that has not raised DTR */
	assert_int_equal(turns(), UINT32_MAX);
	assert_int_equal(usb.dropped, strlen(ASK(1, m)));
	host_hears("");
	assert_int_equal(sessions, 0);
}

static void test_an_open_port_is_a_session(void **state)
{
	(void)state;
	(void)turns();
	host_does(PORT_USB_OPEN);
	assert_int_equal(sessions, 1);
	host_sends(ASK(1, m));
	assert_int_equal(port_usb_idle_ms(&usb), 0);
	assert_int_equal(turns(), UINT32_MAX);
	host_hears(ANSWER(1));
	assert_int_equal(quash_now(&l.peer), 100);
}

static void test_a_cancel_arrives(void **state)
{
	(void)state;
	host_sends(ASK(1, move));
	assert_int_equal(turns(), 1000);
	host_sends(CANCEL(1));
	assert_int_equal(turns(), UINT32_MAX);
	host_hears(CANCELLED(1));
	assert_int_equal(ends, 1);
}

static void test_cut_in_any_way(void **state)
{
	for (size_t at_once = 1; at_once < 64; at_once++) {
		for (size_t room = 1; room < 8; room++) {
			set_up(state);
			cdc.at_once = at_once;
			cdc.host = PORT_USB_OPEN;
			cdc.out_room = room;
			host_sends(ASK(1, m) ASK(2, m));
			for (unsigned i = 0; i < 100; i++) {
				(void)turns();
				cdc.out_room = room;
			}
			host_hears(ANSWER(1) ANSWER(2));
		}
	}
}

/* A stack that takes less than it has said. */
static void test_a_write_may_take_less(void **state)
{
	(void)state;
	cdc.refused = 3;
	cdc.out_room = 16;
	host_sends(ASK(1, m));
	for (unsigned i = 0; i < 40; i++) {
		(void)port_usb_turn(&usb);
		cdc.out_room = 16;
		cdc.refused = i % 5;
	}
	host_hears(ANSWER(1));
}

static void test_closed_cancels_everything(void **state)
{
	(void)state;
	host_asks(ASK(1, wait) ASK(2, move));
	host_does(PORT_USB_CLOSED);
	assert_int_equal(ends, 2);
	assert_true(quash_is_gone(&l.peer));
	host_hears("");
	assert_int_equal(port_usb_idle_ms(&usb), UINT32_MAX);
}

/* What is left of a client that has gone is no part of the next session. */
static void test_the_next_client_inherits_nothing(void **state)
{
	(void)state;
	host_asks(ASK(1, wait));
	cdc.host = PORT_USB_CLOSED;
	host_asks(ASK(2, move) "{\"jsonrpc\":");
	assert_int_equal(usb.dropped, strlen(ASK(2, move) "{\"jsonrpc\":"));
	host_does(PORT_USB_OPEN);
	assert_int_equal(sessions, 2);
	host_asks(ASK(1, m));
	host_hears(ANSWER(1));
	assert_int_equal(ends, 1);
	assert_int_equal(quash_live_count(&l.peer), 0);
}

/* DTR falls and rises before the loop looks: only the callback knows. */
static void test_closed_and_opened_between_two_turns(void **state)
{
	(void)state;
	host_asks(ASK(1, move));
	host_sends(ASK(2, move));
	port_usb_closed(&usb);
	host_asks(ASK(1, m));
	assert_int_equal(sessions, 2);
	assert_int_equal(ends, 1);
	assert_int_equal(usb.dropped, strlen(ASK(2, move)));
	host_hears(ANSWER(1));
}

static void close_now(void)
{
	cdc.host = PORT_USB_CLOSED;
}

static void close_and_open_now(void)
{
	port_usb_closed(&usb);
}

static void test_a_busy_handler_sees_that_the_host_has_closed(void **state)
{
	void (*const events[])(void) = { close_now, close_and_open_now };
	for (size_t i = 0; i < COUNT_OF(events); i++) {
		set_up(state);
		host_does(PORT_USB_OPEN);
		in_busy = events[i];
		host_asks(ASK(1, busy));
		assert_true(busy_was_cancelled);
		host_hears("");
	}
}

/* A host that has opened the port and does not read. */
static void test_a_host_that_does_not_read_holds_nothing_up(void **state)
{
	(void)state;
	cdc.out_room = 0;
	host_sends(ASK(1, m) ASK(2, move));
	assert_int_equal(turns(), 1000); /* it sleeps */
	host_asks(CANCEL(2));
	assert_int_equal(ends, 1);
	host_hears("");
	cdc.out_room = SIZE_MAX;
	assert_int_equal(port_usb_idle_ms(&usb), 0);
	(void)turns();
	host_hears(ANSWER(1) CANCELLED(2));
}

static void test_without_reading_leases_run_out(void **state)
{
	(void)state;
	cdc.out_room = 0;
	host_asks("\n" ASK(1, move));
	clock_ms += LEASE;
	(void)turns();
	assert_int_equal(ends, 1);
}

static void test_suspend_ends_what_moves_and_nothing_else(void **state)
{
	(void)state;
	host_asks(ASK(1, move) ASK(2, wait));
	host_does(PORT_USB_SUSPENDED);
	assert_int_equal(ends, 1);
	assert_int_equal(quash_live_count(&l.peer), 1);
	assert_int_equal(cdc.wakes, 1);
	host_hears("");
	assert_int_not_equal(port_usb_idle_ms(&usb), 0);
	host_does(PORT_USB_OPEN);
	host_hears(CANCELLED(1));
	assert_int_equal(sessions, 1);
	host_asks(CANCEL(2) ASK(3, m));
	host_hears(CANCELLED(2) ANSWER(3));
}

static void test_the_host_is_woken_once_for_each_suspension(void **state)
{
	(void)state;
	host_asks(ASK(1, move));
	for (unsigned i = 1; i < 4; i++) {
		host_does(PORT_USB_SUSPENDED);
		(void)turns();
		assert_int_equal(cdc.wakes, i);
		host_does(PORT_USB_OPEN);
		host_asks(ASK(2, move));
	}
	assert_int_equal(ends, 3);
	start(&without_wake);
	host_does(PORT_USB_OPEN);
	host_asks(ASK(1, move));
	host_does(PORT_USB_SUSPENDED);
	host_does(PORT_USB_OPEN);
	host_hears(CANCELLED(1));
}

/* A device with a supply of its own: its cable is pulled, the bus seems suspended; then it is plugged in elsewhere. */
static void test_unplugged_while_suspended(void **state)
{
	(void)state;
	host_asks(ASK(1, move) ASK(2, wait));
	host_does(PORT_USB_SUSPENDED);
	assert_int_equal(ends, 1);
	host_does(PORT_USB_CLOSED);
	assert_int_equal(ends, 2);
	host_does(PORT_USB_OPEN);
	host_asks(ASK(1, m));
	host_hears(ANSWER(1));
	assert_int_equal(sessions, 2);
}

/* What was received just before, and has not begun, moves nothing. */
static void test_suspended_before_a_motion_has_begun(void **state)
{
	(void)state;
	host_sends(ASK(1, move) ASK(2, wait));
	port_usb_pump(&usb);
	host_does(PORT_USB_SUSPENDED);
	assert_int_equal(ends, 0);
	assert_int_equal(quash_live_count(&l.peer), 1);
	host_does(PORT_USB_OPEN);
	host_hears(CANCELLED(1));
}

/* A suspended bus before anybody has opened the port is no session. */
static void test_suspended_before_a_session(void **state)
{
	(void)state;
	cdc.host = PORT_USB_SUSPENDED;
	assert_int_equal(turns(), UINT32_MAX);
	assert_true(quash_is_gone(&l.peer));
	assert_int_equal(sessions, 0);
}

/* A config that leaves nothing to answer with. */
static void test_a_silent_peer_sleeps(void **state)
{
	(void)state;
	quash_config nothing = l.config;
	nothing.tx = NULL;
	assert_false(quash_init(&l.peer, &nothing, NULL));
	port_usb_start(&usb, &calls, &cdc, &l.peer, clock_now);
	cdc.host = PORT_USB_OPEN;
	host_sends(ASK(1, m));
	assert_int_equal(turns(), UINT32_MAX);
	cdc.host = PORT_USB_CLOSED;
	assert_int_equal(turns(), UINT32_MAX);
	host_hears("");
}

static bool not_again(uint32_t ms)
{
	cdc.waits++;
	return ms == 0;
}

static void test_serves_until_the_sleep_ends_it(void **state)
{
	(void)state;
	cdc.host = PORT_USB_OPEN;
	host_sends(ASK(1, m));
	port_usb_serve(&usb, not_again);
	host_hears(ANSWER(1));
	assert_in_range(cdc.waits, 1, 3);
}

static void test_it_is_a_port_of_others(void **state)
{
	(void)state;
	const quash_port port = port_usb_port(&usb);
	host_sends(ASK(1, m));
	quash_pump(&l.peer, &port);
	(void)quash_step(&l.peer);
	quash_pump(&l.peer, &port);
	host_hears(ANSWER(1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_begins_closed, set_up),
		cmocka_unit_test_setup(test_an_open_port_is_a_session, set_up),
		cmocka_unit_test_setup(test_a_cancel_arrives, set_up_open),
		cmocka_unit_test_setup(test_cut_in_any_way, set_up),
		cmocka_unit_test_setup(test_a_write_may_take_less, set_up_open),
		cmocka_unit_test_setup(test_closed_cancels_everything, set_up_open),
		cmocka_unit_test_setup(test_the_next_client_inherits_nothing, set_up_open),
		cmocka_unit_test_setup(test_closed_and_opened_between_two_turns, set_up_open),
		cmocka_unit_test_setup(test_a_busy_handler_sees_that_the_host_has_closed, set_up),
		cmocka_unit_test_setup(test_a_host_that_does_not_read_holds_nothing_up, set_up_open),
		cmocka_unit_test_setup(test_without_reading_leases_run_out, set_up_open),
		cmocka_unit_test_setup(test_suspend_ends_what_moves_and_nothing_else, set_up_open),
		cmocka_unit_test_setup(test_the_host_is_woken_once_for_each_suspension, set_up_open),
		cmocka_unit_test_setup(test_unplugged_while_suspended, set_up_open),
		cmocka_unit_test_setup(test_suspended_before_a_motion_has_begun, set_up_open),
		cmocka_unit_test_setup(test_suspended_before_a_session, set_up),
		cmocka_unit_test_setup(test_a_silent_peer_sleeps, set_up),
		cmocka_unit_test_setup(test_serves_until_the_sleep_ends_it, set_up),
		cmocka_unit_test_setup(test_it_is_a_port_of_others, set_up_open),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
