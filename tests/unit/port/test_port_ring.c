/* SPDX-License-Identifier: MIT
 * The byte ring between an interrupt and the pump, and the port over two of them. */
#include "unit.h"

#include "uart/uart.h"

#include "loop.h"

static port_ring r;
static uint8_t bytes[8];

static int set_up(void **state)
{
	(void)state;
	port_ring_init(&r, bytes, sizeof bytes);
	return 0;
}

static void put(const char *text)
{
	for (; *text != '\0'; text++)
		port_ring_put(&r, (uint8_t)*text);
}

static void holds(const char *expected)
{
	uint8_t data[32];
	const size_t n = port_ring_get(&r, data, sizeof data);
	assert_int_equal(n, strlen(expected));
	assert_memory_equal(data, expected, n);
}

/* --- The ring */

static void test_order(void **state)
{
	(void)state;
	assert_false(port_ring_has_news(&r));
	for (unsigned i = 0; i < 20; i++) {
		put("abc");
		assert_true(port_ring_has_news(&r));
		holds("abc");
		holds("");
	}
}

static void test_full(void **state)
{
	(void)state;
	put("abcdefg");
	assert_false(port_ring_has_room(&r));
	assert_false(port_ring_put(&r, 'h'));
	holds("abcdefg");
	assert_true(port_ring_pass_gap(&r));
	assert_true(port_ring_has_room(&r));
}

/* What comes after a loss is lost too, until the consumer knows of it: then the loss has its place. */
static void test_a_loss_has_its_place(void **state)
{
	uint8_t data[3];
	(void)state;
	put("abcdefghi");
	assert_int_equal(port_ring_get(&r, data, 3), 3);
	put("jk");
	assert_false(port_ring_pass_gap(&r));
	holds("defg");
	assert_true(port_ring_has_news(&r));
	assert_true(port_ring_pass_gap(&r));
	assert_false(port_ring_pass_gap(&r));
	assert_false(port_ring_has_news(&r));
	put("l");
	holds("l");
}

static void test_a_gap_is_one_however_long(void **state)
{
	(void)state;
	put("abcdefg");
	for (uint32_t i = 0; i < 0x300; i++) {
		port_ring_lose(&r);
		port_ring_put(&r, 'x');
	}
	holds("abcdefg");
	assert_true(port_ring_pass_gap(&r));
	assert_false(port_ring_pass_gap(&r));
	assert_true(port_ring_has_room(&r));
}

static void test_gaps_are_found_for_ever(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 0x300; i++) {
		port_ring_lose(&r);
		assert_true(port_ring_pass_gap(&r));
		assert_false(port_ring_has_news(&r));
	}
}

static void shows(const char *expected)
{
	const uint8_t *shown;
	const size_t n = port_ring_show(&r, &shown);
	assert_int_equal(n, strlen(expected));
	assert_memory_equal(shown, expected, n);
}

static void test_it_shows_what_stands_in_one_piece(void **state)
{
	(void)state;
	shows("");
	put("abcdef");
	assert_int_equal(port_ring_fill(&r), 6);
	shows("abcdef");
	port_ring_take(&r, 4);
	shows("ef");
	put("ghijk");
	assert_int_equal(port_ring_fill(&r), 7);
	shows("efgh");
	port_ring_take(&r, 3);
	shows("h");
	port_ring_take(&r, 1);
	shows("ijk");
	port_ring_take(&r, 3);
	shows("");
	assert_int_equal(port_ring_fill(&r), 0);
}

/* --- The port */

static port_uart u;
loop l; /* the linker names its config: tests/unit/known */
static unsigned kicks, resumes;
static bool resumed_in_vain;

static void kick(void *device)
{
	assert_ptr_equal(device, &u);
	kicks++;
}

static void resume(void *device)
{
	assert_ptr_equal(device, &u);
	resumes++;
	resumed_in_vain = !port_uart_wants(&u);
}

static uint32_t now(void)
{
	return 77;
}

static int32_t answer_null(quash_request *request)
{
	return quash_reply_null(request);
}

static int32_t wait_long(quash_request *request)
{
	return quash_wait(request, 1000);
}

static const quash_method methods[] = { { .name = "m", .handler = answer_null }, { .name = "w", .handler = wait_long } };
static uint8_t in[64], out[128];

static quash_port open_port(void)
{
	static const port_uart_buffers buffers = {
		.in = in, .out = out, .in_size = sizeof in, .out_size = sizeof out
	};
	loop_init(&l, &quash_jsonrpc, methods, COUNT_OF(methods));
	l.config.slot_count = 1;
	loop_start(&l);
	port_uart_init(&u, &buffers, now);
	u.kick = kick;
	u.resume = resume;
	u.device = &u;
	kicks = resumes = 0;
	return port_uart_port(&u);
}

static void transmits(const char *expected)
{
	char sent[200];
	size_t n = 0;
	while (n < sizeof sent - 1 && port_uart_next(&u, (uint8_t *)&sent[n]))
		n++;
	sent[n] = '\0';
	assert_string_equal(sent, expected);
}

static void receive_in_parts(const quash_port *port, const char *text)
{
	for (; *text != '\0'; text++) {
		port_uart_received(&u, (uint8_t)*text);
		quash_pump(&l.peer, port);
	}
}

static void test_request(void **state)
{
	(void)state;
	const quash_port port = open_port();
	receive_in_parts(&port, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}\n");
	assert_false(port_uart_has_news(&u));
	quash_step(&l.peer);
	quash_pump(&l.peer, &port);
	assert_int_equal(kicks, 1);
	transmits("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}\n");
	assert_int_equal(quash_now(&l.peer), 77);
}

static void test_overrun_costs_the_message_it_hits(void **state)
{
	(void)state;
	const quash_port port = open_port();
	receive_in_parts(&port, "{\"jsonrpc\":\"2.0\",\"id\":1,");
	port_uart_overrun(&u);
	assert_true(port_uart_has_news(&u));
	receive_in_parts(&port, "x"); /* is lost too */
	receive_in_parts(&port, "\"method\":\"m\"}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"m\"}\n");
	quash_step(&l.peer);
	quash_pump(&l.peer, &port);
	transmits("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":null}\n");
	assert_int_equal(l.counters.lost, 1);
}

static void test_what_finds_no_room_stays_in_the_hardware(void **state)
{
	(void)state;
	const quash_port port = open_port();
	for (unsigned i = 0; i < sizeof in - 1; i++) {
		assert_true(port_uart_wants(&u));
		port_uart_received(&u, ' ');
	}
	assert_false(port_uart_wants(&u));
	assert_int_equal(resumes, 0);
	quash_pump(&l.peer, &port);
	assert_int_equal(resumes, 1);
	assert_true(port_uart_wants(&u));
	assert_int_equal(l.counters.lost, 0);
}

static void test_the_interrupt_is_let_in_behind_the_gap(void **state)
{
	(void)state;
	const quash_port port = open_port();
	port_uart_received(&u, ' ');
	port_uart_overrun(&u);
	assert_false(port_uart_wants(&u));
	quash_pump(&l.peer, &port);
	assert_int_equal(l.counters.lost, 1);
	assert_true(resumes > 0);
	assert_false(resumed_in_vain);
}

/* The second request finds no slot: it is kept, and what comes after it stays in the ring, which is no news. */
static void test_what_the_peer_does_not_take_is_no_news(void **state)
{
	size_t waiting;
	(void)state;
	const quash_port port = open_port();
	receive_in_parts(&port, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"w\"}\n");
	receive_in_parts(&port, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"m\"}\n{\"jsonrpc\"");
	assert_false(port_uart_has_news(&u));
	assert_int_equal(quash_idle_ms(&l.peer), 0);
	quash_step(&l.peer);
	(void)quash_out(&l.peer, &waiting); /* the refusal: then the next message has its place */
	assert_int_equal(quash_idle_ms(&l.peer), 0);
	quash_pump(&l.peer, &port);
	transmits("{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32010,\"message\":\"Busy\"}}\n");
	assert_false(port_uart_has_news(&u));
	assert_int_equal(quash_idle_ms(&l.peer), 1000);
	port_uart_received(&u, ':');
	assert_true(port_uart_has_news(&u));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_order, set_up),
		cmocka_unit_test_setup(test_full, set_up),
		cmocka_unit_test_setup(test_a_loss_has_its_place, set_up),
		cmocka_unit_test_setup(test_a_gap_is_one_however_long, set_up),
		cmocka_unit_test_setup(test_gaps_are_found_for_ever, set_up),
		cmocka_unit_test_setup(test_it_shows_what_stands_in_one_piece, set_up),
		cmocka_unit_test(test_request),
		cmocka_unit_test(test_what_the_peer_does_not_take_is_no_news),
		cmocka_unit_test(test_overrun_costs_the_message_it_hits),
		cmocka_unit_test(test_what_finds_no_room_stays_in_the_hardware),
		cmocka_unit_test(test_the_interrupt_is_let_in_behind_the_gap),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
