/* SPDX-License-Identifier: MIT
 * Main loops of pages, LOOP_..., over a board whose UART, or whatever stands for it, has the interrupts of the model. */
#include "model.h"

#include "port_serve.h"
#include "uart/uart.h"

#define config model_config
static quash_peer peer;
static quash_port port;

/* --- The board */

enum { IN = 64, OUT = 16, LOOP_MS = 20000 };

static port_uart uart;

static void kick(void *device)
{
	(void)device;
	model_switch(MODEL_TX_ON, 0);
	model_pend();
}

static void resume(void *device)
{
	(void)device;
	model_switch(MODEL_RX_ON, 0);
	model_pend();
}

static void receive(void)
{
	bool lost = false;
	for (;;) {
		if (model_was_overrun()) {
			port_uart_overrun(&uart);
			lost = true;
		}
		if (!model_has_byte())
			return;
		if (!lost && !port_uart_wants(&uart)) {
			model_switch(0, MODEL_RX_ON);
			return;
		}
		port_uart_received(&uart, model_read());
	}
}

static void transmit(void)
{
	uint8_t byte;
	while (model_has_room()) {
		if (!port_uart_next(&uart, &byte)) {
			model_switch(0, MODEL_TX_ON);
			return;
		}
		model_write(byte);
	}
}

quash_port board_start(void);
quash_port board_start(void)
{
	static uint8_t in[IN], out[OUT];
	static const port_uart_buffers buffers = { .in = in, .out = out, .in_size = IN, .out_size = OUT };
	static const port_uart fresh = { .device = NULL };
	uart = fresh;
	port_uart_init(&uart, &buffers, model_ms);
	uart.kick = kick;
	uart.resume = resume;
	model_enable();
	return port_uart_port(&uart);
}

/* --- What has come waits for `fetch`: for a stack that has a queue between its interrupt and its task */

static struct {
	uint8_t bytes[256];
	size_t head, fetched, taken;
	size_t shown;
} queue;

static void enqueue(void)
{
	while (model_has_byte())
		queue.bytes[queue.head++ % sizeof queue.bytes] = model_read();
}

static void fetch(void)
{
	queue.fetched = queue.head;
}

static size_t show(const uint8_t **bytes)
{
	const size_t at = queue.taken % sizeof queue.bytes, most = sizeof queue.bytes - at, n = queue.fetched - queue.taken;
	*bytes = queue.bytes + at;
	queue.shown = n < most ? n : most;
	return queue.shown;
}

static void begin_queue(void)
{
	port = board_start();
	queue.head = queue.fetched = queue.taken = queue.shown = 0;
	resume(NULL);
}

/* --- The pages. An interrupt ends `wfi` though it is held back, and runs when it is let in. */

void __disable_irq(void);
void __enable_irq(void);
void __WFI(void);
void __disable_irq(void) { model_hold(); }
void __enable_irq(void) { model_release(); }
void __WFI(void) { (void)model_sleep(UINT32_MAX); }

#if defined(LOOP_PORTING) || defined(LOOP_SERVE)
static void board_sleep(uint32_t ms)
{
	if (ms == 0)
		return;
#include SLEEP
}
#endif

#if defined(LOOP_PORTING)
static void start(void)
{
	(void)quash_init(&peer, &config, NULL);
	port = board_start();
#include PAGE
}
#elif defined(LOOP_SERVE)
#define main page_main
#include PAGE
#undef main
static void start(void) { page_main(); }
#elif defined(LOOP_USB)
#include "usb/usb.h"
static port_usb usb;
static size_t usb_peek(void *device, const uint8_t **bytes) { (void)device; return show(bytes); }
static void usb_take(void *device, size_t n) { (void)device; queue.taken += n; }
static size_t usb_writable(void *device) { (void)device; return port_ring_has_room(&uart.out) ? 1 : 0; }
static size_t usb_write(void *device, const uint8_t *bytes, size_t n) { (void)device; return (size_t)port.write(port.device, bytes, n); }
static port_usb_host usb_connected(void *device) { (void)device; return PORT_USB_OPEN; }
static const port_usb_device device = { usb_peek, usb_take, usb_writable, usb_write, usb_connected, NULL };
static void tusb_init(void) { begin_queue(); }
static void tud_task(void) { fetch(); }
static bool tud_task_event_ready(void) { return queue.head != queue.fetched; }
static uint32_t board_ms(void) { return model_ms(); }
static void board_wait(uint32_t ms) { (void)model_sleep(ms); }
#define RECEIVE enqueue
#define main page_main
#include PAGE
#undef main
static void start(void) { page_main(); }
#elif defined(LOOP_LWIP)
#include <lwip/init.h>
#define PORT_LWIP_TCP_H
struct lwip_tcp { int opaque; };
const ip_addr_t stated_any;
void lwip_init(void) { begin_queue(); }
void sys_check_timeouts(void) {}
static err_t lwip_tcp_listen(struct lwip_tcp *tcp, const ip_addr_t *address, u16_t number, u32_t silence)
{
	(void)tcp, (void)address, (void)number, (void)silence;
	return ERR_OK;
}
static void lwip_tcp_turn(struct lwip_tcp *tcp, quash_peer *at) { (void)tcp, (void)at; }
static int tcp_peek(void *device, const uint8_t **bytes) { (void)device; return (int)show(bytes); }
static void tcp_take(void *device, size_t n) { (void)device; queue.taken += n; }
static int tcp_write(void *device, const uint8_t *bytes, size_t n) { (void)device; return port.write(port.device, bytes, n); }
static uint32_t tcp_now(void *device) { (void)device; return model_ms(); }
static quash_port lwip_tcp_port(struct lwip_tcp *tcp)
{
	const quash_port made = { .peek = tcp_peek, .take = tcp_take, .write = tcp_write, .now = tcp_now, .device = tcp };
	return made;
}
static bool has_output(quash_peer *at)
{
	size_t n;
	(void)quash_out(at, &n);
	return n > 0 && port_ring_has_room(&uart.out);
}
static uint32_t lwip_tcp_idle_ms(struct lwip_tcp *tcp, quash_peer *at)
{
	(void)tcp;
	return has_output(at) || queue.fetched != queue.taken + queue.shown ? 0 : quash_idle_ms(at);
}
void board_net_start(void) {}
void board_net_input(void) { fetch(); }
void board_net_sleep(u32_t ms)
{
	model_hold();
	if (queue.head == queue.fetched && ms > 0)
		(void)model_sleep(ms);
	model_release();
}
void board_led(bool on) { (void)on; }
void board_print(const char *line) { (void)line; }
#define RECEIVE enqueue
#if defined(LOOP_LWIP_HEADER)
static void driver_input(void)
{
	(void)model_sleep(LOOP_MS); /* a loop that never sleeps takes its time here */
	fetch();
}
static int page_main(void)
{
	lwip_init();
	(void)quash_init(&peer, &config, NULL);
#include PAGE
}
#else
#undef config
#define peer page_peer
#define port page_port
#define main page_main
#include PAGE
#undef main
#undef port
#undef peer
#endif
static void start(void) { page_main(); }
#elif defined(LOOP_ZEPHYR)
#include "console.h"
typedef struct rtos_zephyr { int opaque; } rtos_zephyr;
static rtos_zephyr uart_link;
static quash_port rtos_zephyr_port(rtos_zephyr *link) { (void)link; return board_start(); }
/* As the port does it: what is asked for is asked with interrupts held back. */
static void rtos_zephyr_sleep(rtos_zephyr *link)
{
	size_t n;
	(void)link;
	model_hold();
	(void)quash_out(&peer, &n);
	const bool stays = port_uart_has_news(&uart) || (n > 0 && port_ring_has_room(&uart.out)) || quash_idle_ms(&peer) == 0;
	if (!stays)
		(void)model_sleep(quash_idle_ms(&peer));
	model_release();
}
static void start(void)
{
	static console console;
	static uint8_t log[256];
	(void)quash_init(&peer, &config, NULL);
#include PAGE
}
#elif defined(LOOP_CMSIS2)
#include "rtos/rtos_cmsis2.h"
static rtos_cmsis2 uart_link;
static struct cmsdk { int opaque; } console;
static void port_uart_cmsdk_receive(struct cmsdk *u) { (void)u, receive(); }
static void port_uart_cmsdk_transmit(struct cmsdk *u) { (void)u, transmit(); }
uint32_t osKernelGetTickCount(void) { return model_ms(); }
uint32_t osKernelGetTickFreq(void) { return 1000; }
osThreadId_t osThreadGetId(void) { return &console; }
uint32_t osThreadFlagsSet(osThreadId_t thread, uint32_t flags)
{
	(void)thread;
	model_wake();
	return flags;
}
uint32_t osThreadFlagsWait(uint32_t wanted, uint32_t options, uint32_t timeout)
{
	(void)options;
	return model_sleep(timeout) ? wanted : 0xFFFFFFFEu;
}
#include PAGE
#define RECEIVE UART0_RX_Handler
#define TRANSMIT UART0_TX_Handler
static void start(void)
{
	static const rtos_cmsis2_choice choice = { .flag = 1 };
	(void)quash_init(&peer, &config, NULL);
	(void)board_start();
	rtos_cmsis2_start(&uart_link, &uart, &peer, &choice);
	rtos_cmsis2_serve(&uart_link);
}
#elif defined(LOOP_FORWARDING)
/* `host` asks, and `motor` answers: a device at the end of memory instead of a wire. */
#undef config
#include <stdio.h>
#include <string.h>
static quash_peer host, motor;
static quash_port socket, uart_;
static char asked_of[256], answered_by[256];
static size_t asked_n, answered_n, answered_taken;
static int motor_peek(void *device, const uint8_t **bytes)
{
	(void)device;
	*bytes = (const uint8_t *)answered_by + answered_taken;
	return (int)(answered_n - answered_taken);
}
static void motor_take(void *device, size_t n) { (void)device, answered_taken += n; }
static int motor_write(void *device, const uint8_t *bytes, size_t n)
{
	(void)device;
	for (size_t i = 0; i < n && asked_n < sizeof asked_of - 1; i++) {
		asked_of[asked_n++] = (char)bytes[i];
		if (bytes[i] != '\n')
			continue;
		int id = 0;
		asked_of[asked_n] = '\0';
		if (sscanf(asked_of, "{\"jsonrpc\":\"2.0\",\"id\":%d", &id) == 1)
			answered_n = (size_t)snprintf(answered_by, sizeof answered_by, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{}}\n", id);
		answered_taken = asked_n = 0;
	}
	(void)model_at();
	return (int)n;
}
static uint32_t motor_now(void *device) { (void)device; return model_ms(); }
static const quash_route down = { .to = &motor };
static const quash_method host_methods[] = { { .name = "ping", .handler = quash_forward, .data = &down, .state_size = QUASH_FORWARD_STATE(0) } };
static const quash_method motor_methods[] = { { .name = "none", .handler = quash_relay, .marks = QUASH_NOTIFICATION, .data = &down } };
QUASH_STORAGE(host_store, 3, 17, QUASH_FORWARD_STATE(0), 256, 128);
QUASH_STORAGE(motor_store, 3, 17, 0, 256, 128);
static const quash_config host_config = { QUASH_STORED(host_store), .dialect = &quash_jsonrpc, .methods = host_methods, .method_count = 1,
	.calls = &quash_calls, .check = quash_forward_check };
static const quash_config motor_config = { QUASH_STORED(motor_store), .dialect = &quash_jsonrpc, .methods = motor_methods, .method_count = 1,
	.calls = &quash_calls, .check = quash_forward_check };
static int socket_peek(void *device, const uint8_t **bytes)
{
	(void)model_sleep(LOOP_MS); /* a loop that never sleeps takes its time here */
	return port.peek(device, bytes);
}
static void start(void)
{
	port = board_start();
	socket = port;
	socket.peek = socket_peek;
	const quash_port made = { .peek = motor_peek, .take = motor_take, .write = motor_write, .now = motor_now };
	uart_ = made;
	asked_n = answered_n = answered_taken = 0;
	if (!quash_init(&host, &host_config, NULL) || !quash_init(&motor, &motor_config, NULL))
		model_hold();
#define uart uart_
#include PAGE
#undef uart
}
#endif

#ifndef RECEIVE
#define RECEIVE receive
#endif
#ifndef TRANSMIT
#define TRANSMIT transmit
#endif

int main(void)
{
	static const model_code code = { .start = start, .receive = RECEIVE, .transmit = TRANSMIT,
#if !defined(LOOP_CMSIS2)
		.woken_by_interrupts = true, .by_level = true,
#endif
#if defined(LOOP_USB) || defined(LOOP_LWIP) || defined(LOOP_FORWARDING)
		.keeps_up = true,
#endif
	};
	return model_drive(&code);
}
