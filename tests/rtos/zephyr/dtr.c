/* SPDX-License-Identifier: MIT
 * The port for a CDC-ACM of Zephyr over a fake of the functions that it calls: whose session begins and ends by DTR. */
#define _POSIX_C_SOURCE 200809L
#include "fake.h"
#include "line.h"
#include "quash.h"
#include "rtos/rtos_zephyr_usb.h"
#include "serial.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static rtos_zephyr_usb usb_link;
static quash_peer peer;
static atomic_uint begun, ended, sessions, busy;
static atomic_bool lets_go;

static quash_handle published;

static int32_t wait_long(quash_request *request)
{
	published = quash_handle_of(request);
	atomic_fetch_add(&begun, 1);
	return quash_cancelled(request) ? QUASH_CANCELLED : quash_wait(request, 3600000);
}

static int32_t wait_end(quash_request *request)
{
	(void)request;
	atomic_fetch_add(&ended, 1);
	return QUASH_DONE;
}

static int32_t echo(quash_request *request)
{
	return quash_reply_text(request, "here");
}

/* Has written what was there to write. Does not return while the owner is not to look. */
static int32_t hog(quash_request *request)
{
	rtos_zephyr_usb_pump(&usb_link);
	atomic_fetch_add(&busy, 1);
	while (!atomic_load(&lets_go))
		line_pause(1);
	return quash_reply_text(request, "done");
}

static void note_session(quash_peer *of)
{
	(void)of;
	atomic_fetch_add(&sessions, 1);
}

static const quash_method methods[] = { { .name = "wait", .handler = wait_long, .motion = { .end = wait_end, .longest = QUASH_NO_LIMIT } },
	{ .name = "echo", .handler = echo }, { .name = "hog", .handler = hog } };
QUASH_STORAGE(store, 4, 17, 0, 256, 128);
static const quash_config config = { QUASH_STORED(store), .dialect = &quash_jsonrpc, .methods = methods, .method_count = 3,
	.new_session = note_session };

static void *owner(void *nothing)
{
	static uint8_t in[128], out[64];
	const rtos_zephyr_choice choice = {
		.device = &stated_uart, .buffers = { .in = in, .out = out, .in_size = sizeof in, .out_size = sizeof out }
	};
	CHECK(quash_init(&peer, &config, NULL));
	uart_attach(serial_interrupt);
	CHECK(rtos_zephyr_usb_start(&usb_link, &peer, &choice));
	rtos_zephyr_usb_serve(&usb_link);
	return nothing;
}

static bool reaches(atomic_uint *count, unsigned n)
{
	while (atomic_load(count) < n)
		line_pause(1);
	return atomic_load(count) == n;
}

/* It has looked at the line since, for all that has come. */
static void owner_looks(void)
{
	line_arrives();
	const unsigned before = fake_waits();
	while (fake_waits() - before < 2)
		line_pause(1);
}

#define ASK(id, method) "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"method\":\"" #method "\"}\n"

static void open_port(void)
{
	const unsigned before = atomic_load(&sessions);
	serial_dtr(true);
	CHECK(reaches(&sessions, before + 1));
}

static void test_closed(void)
{
	line_send(ASK(1, echo));
	line_pause(200);
	CHECK(line_rest(100) == 0);
	CHECK(atomic_load(&sessions) == 0);
}

static void test_opened(void)
{
	open_port();
	line_send(ASK(2, echo));
	CHECK(line_awaits("\"id\":2,\"result\":\"here\"") != NULL);
}

/* The running call ends; what was sent to nobody is no part of the next session. */
static void test_closed_while_it_runs(void)
{
	line_send(ASK(3, wait));
	CHECK(reaches(&begun, 1));
	serial_dtr(false);
	CHECK(reaches(&ended, 1));
	line_send(ASK(4, wait) "{\"jsonrpc\":");
	owner_looks();
	open_port();
	line_send(ASK(3, echo));
	CHECK(line_awaits("\"id\":3,\"result\":\"here\"") != NULL);
	CHECK(line_rest(100) == 0);
	CHECK(atomic_load(&begun) == 1 && atomic_load(&ended) == 1);
}

#define HERE(id) "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"result\":\"here\"}"

/* Of what the driver had taken the next host reads the beginning of a line, and the line's end. */
static void test_closed_while_it_writes(void)
{
	line_is_deaf(true);
	line_send(ASK(7, echo));
	line_fills();
	line_is_deaf(false);
	serial_dtr(false);
	owner_looks();
	open_port();
	line_send(ASK(8, echo));
	const char *const line = line_awaits("\"id\":8");
	CHECK(line != NULL && strcmp(line, HERE(8)) == 0);
	CHECK(line_rest(100) == 0);
}

/* The owner has seen nothing of it: the interrupt has. What it held back is not sent to the new host. */
static void test_opened_again_at_once(void)
{
	char unread[64];
	const unsigned before = atomic_load(&sessions);
	atomic_store(&lets_go, false);
	line_is_deaf(true);
	line_send(ASK(9, echo) ASK(10, hog));
	CHECK(reaches(&busy, 1));
	line_fills();
	line_is_deaf(false);
	serial_dtr(false);
	const size_t n = line_take(unread, sizeof unread);
	CHECK(n > 0 && n < strlen(HERE(9)));
	line_arrives();
	serial_dtr(true);
	atomic_store(&lets_go, true);
	CHECK(reaches(&sessions, before + 1));
	line_send(ASK(11, echo));
	const char *const line = line_awaits("\"id\":11");
	CHECK(line != NULL && strcmp(line, HERE(11)) == 0);
	CHECK(line_rest(100) == 0);
}

/* DTR stays high: the cable was out. */
static void test_told(void)
{
	const unsigned before = atomic_load(&sessions), runs = atomic_load(&begun), over = atomic_load(&ended);
	line_send(ASK(12, wait));
	CHECK(reaches(&begun, runs + 1));
	rtos_zephyr_usb_closed(&usb_link);
	CHECK(reaches(&ended, over + 1));
	CHECK(reaches(&sessions, before + 1));
	line_send(ASK(12, echo));
	const char *const line = line_awaits("\"id\":12");
	CHECK(line != NULL && strcmp(line, HERE(12)) == 0);
	CHECK(line_rest(100) == 0);
}

/* Its driver knows of no overrun. The host waits all the same while there is no room, and nothing is lost. */
static void test_flood(void)
{
	enum { FIRST = 100, LAST = 199 };
	char text[80];
	serial_deafen(true);
	for (unsigned id = FIRST; id <= LAST; id++) {
		snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"echo\"}\n", id);
		line_send(text);
	}
	for (unsigned id = FIRST; id <= LAST; id++) {
		snprintf(text, sizeof text, "\"id\":%u,\"result\":\"here\"", id);
		CHECK(line_awaits(text) != NULL);
	}
	serial_deafen(false);
}

static void test_elsewhere(void)
{
	const unsigned runs = atomic_load(&begun), over = atomic_load(&ended);
	line_send(ASK(6, wait));
	CHECK(reaches(&begun, runs + 1));
	rtos_zephyr_usb_wake(&usb_link, published.request);
	CHECK(reaches(&begun, runs + 2));
	rtos_zephyr_usb_cancel(&usb_link, published);
	CHECK(line_awaits("\"id\":6,\"error\":{\"code\":-32800") != NULL);
	CHECK(reaches(&ended, over + 1));
}

int main(void)
{
	pthread_t thread;
	CHECK(pthread_create(&thread, NULL, owner, NULL) == 0);
	line_open();
	check_of("zephyr, CDC-ACM:");
	check_test("drops what comes before a host has opened it", test_closed);
	check_test("serves a host that has opened it", test_opened);
	check_test("ends what runs when the host closes it, and leaves nothing to the next one", test_closed_while_it_runs);
	check_test("leaves the next host a line end behind what the last one has not read", test_closed_while_it_writes);
	check_test("notices a host that closes and opens while the owner is busy", test_opened_again_at_once);
	check_test("ends what runs when it is told so", test_told);
	check_test("loses nothing of a flood", test_flood);
	check_test("is woken and cancelled from elsewhere", test_elsewhere);
	return check_end();
}
