/* SPDX-License-Identifier: MIT
 * A server in its thread, on an emulated UART. It answers what came before its start, and each of many requests once. A cancel
 * reaches the call that runs. A burst that is too long is counted, and the server goes on. For twister: `west twister -T quash`. */
#include <quash.h>
#include <quash/zephyr.h>

#include <string.h>

#include <zephyr/device.h>
#include <zephyr/devicetree.h>
#include <zephyr/drivers/serial/uart_emul.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>
#include <zephyr/ztest.h>

enum { START_MS = 200, PATIENCE_MS = 5000, HEARD = 2048, MANY = 100, BURST = 12 };

static const struct device *const uart_device = DEVICE_DT_GET(DT_CHOSEN(quash_uart));
static volatile uint32_t begun, ended;

/* --- The server */

static int32_t work(quash_request *request)
{
	begun = begun + 1;
	return quash_wait(request, 3600000);
}

static int32_t work_end(quash_request *request)
{
	(void)request;
	ended = ended + 1;
	return QUASH_DONE;
}

static int32_t ping(quash_request *request)
{
	return quash_reply_text(request, "pong");
}

static const quash_method methods[] = {
	{ .name = "work", .handler = work, .motion = { .end = work_end, .longest = QUASH_NO_LIMIT } },
	{ .name = "ping", .handler = ping },
};
QUASH_STORAGE(store, CONFIG_QUASH_SLOTS, CONFIG_QUASH_ID_SIZE, 0, CONFIG_QUASH_ARENA, CONFIG_QUASH_TX);
static const quash_config config = { QUASH_CONFIG(store, &quash_jsonrpc, methods) };

static void serve(void *a, void *b, void *c)
{
	static uint8_t in[CONFIG_QUASH_UART_IN], out[CONFIG_QUASH_UART_OUT];
	static quash_peer peer;
	static rtos_zephyr uart_link;
	const rtos_zephyr_choice choice = {
		.device = uart_device,
		.buffers = { .in = in, .out = out, .in_size = sizeof in, .out_size = sizeof out },
	};
	quash_fault fault;
	(void)a, (void)b, (void)c;
	if (!quash_init(&peer, &config, &fault)) {
		char line[80];
		(void)quash_fault_line(&fault, line, sizeof line);
		printk("quash: %s\n", line);
	}
	if (rtos_zephyr_start(&uart_link, &peer, &choice))
		rtos_zephyr_serve(&uart_link);
}

K_THREAD_DEFINE(server_thread, CONFIG_QUASH_STACK_SIZE, serve, NULL, NULL, NULL, CONFIG_QUASH_THREAD_PRIORITY, 0, START_MS);

/* --- The other end of the line */

static char heard[HEARD];
static size_t heard_length;

static void listen(void)
{
	uint8_t bytes[64];
	const size_t n = uart_emul_get_tx_data(uart_device, bytes, sizeof bytes);
	zassert_true(heard_length + n < sizeof heard, "more than was asked for");
	memcpy(heard + heard_length, bytes, n);
	heard_length += n;
	heard[heard_length] = '\0';
}

/* Sends all of it, at the pace of the UART. */
static void say(const char *text)
{
	uint8_t bytes[64];
	for (size_t left = strlen(text); left > 0;) {
		const size_t n = left < sizeof bytes ? left : sizeof bytes;
		memcpy(bytes, text, n);
		const size_t taken = uart_emul_put_rx_data(uart_device, bytes, n);
		text += taken;
		left -= taken;
		listen();
		if (taken < n)
			k_msleep(1);
	}
}

/* The text comes next, and nothing in front of it. */
static void expect(const char *text)
{
	const size_t length = strlen(text);
	for (int ms = 0; ms < PATIENCE_MS && heard_length < length; ms++) {
		listen();
		k_msleep(1);
	}
	zassert_true(heard_length >= length && memcmp(heard, text, length) == 0, "%s, not %s", heard, text);
	heard_length -= length;
	memmove(heard, heard + length, heard_length + 1);
}

/* It comes, whatever else does. All that has come is forgotten. */
static void await(const char *text)
{
	for (int ms = 0; ms < PATIENCE_MS && strstr(heard, text) == NULL; ms++) {
		listen();
		k_msleep(1);
	}
	zassert_true(strstr(heard, text) != NULL, "%s, and no %s", heard, text);
	heard_length = 0;
	heard[0] = '\0';
}

static void until(const volatile uint32_t *count, uint32_t n)
{
	for (int ms = 0; ms < PATIENCE_MS && *count < n; ms++)
		k_msleep(1);
	zassert_equal(*count, n, "%u of %u", (unsigned)*count, (unsigned)n);
}

#define PING(id) "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"method\":\"ping\"}\n"
#define PONG(id) "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"result\":\"pong\"}\n"

/* Before the server's thread has begun. */
static void *set_up(void)
{
	say(PING(1));
	return NULL;
}

ZTEST_SUITE(quash_server, NULL, set_up, NULL, NULL, NULL);

ZTEST(quash_server, test_a_what_came_before_the_start_is_answered)
{
	expect(PONG(1));
}

ZTEST(quash_server, test_b_a_cancel_reaches_what_runs)
{
	say("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"work\"}\n");
	until(&begun, 1);
	say(PING(3));
	expect(PONG(3));
	zassert_equal(ended, 0, "it runs on");
	say("{\"jsonrpc\":\"2.0\",\"method\":\"$/cancel_request\",\"params\":{\"requestId\":2}}\n");
	until(&ended, 1);
	expect("{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32800,\"message\":\"Request cancelled\"}}\n");
}

ZTEST(quash_server, test_c_each_of_many_is_answered_once)
{
	for (int i = 0; i < MANY; i++) {
		say(PING(4));
		expect(PONG(4));
	}
	k_msleep(20);
	listen();
	zassert_equal(heard_length, 0, "%s", heard);
	zassert_equal(begun, 1, "nothing else was called");
}

/* Longer than the UART's FIFO, at once: the rest is lost. What was cut off there is no part of a later request. */
ZTEST(quash_server, test_d_a_burst_that_is_too_long_is_counted)
{
	static uint8_t burst[BURST * (sizeof PING(5) - 1)];
	for (size_t at = 0; at < sizeof burst; at += sizeof PING(5) - 1)
		memcpy(burst + at, PING(5), sizeof PING(5) - 1);
	zassert_true(uart_emul_put_rx_data(uart_device, burst, sizeof burst) < sizeof burst, "all of it found room");
	k_msleep(100);
	say("\n" PING(6));
	await(PONG(6));
	zassert_equal(store.counters.lost, 1, "%u gaps", (unsigned)store.counters.lost);
	say(PING(7));
	expect(PONG(7));
}
