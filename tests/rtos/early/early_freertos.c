/* SPDX-License-Identifier: MIT
 * The port for FreeRTOS with the interrupts of docs/rtos.md: for hardware whose interrupts come as long as there is reason to,
 * and for hardware whose interrupts come when something happens. There `resume` and `kick` ask for one. */
#include "early_uarts.h"
#include "rtos/rtos_freertos.h"

#include <string.h>

static rtos_freertos uart_link;
static quash_port port;
static volatile bool given;
static bool is_level;
static int owner;
static uint8_t in[64], out[32];

/* --- The kernel */

TickType_t xTaskGetTickCount(void)
{
	return early_ms();
}

TaskHandle_t xTaskGetCurrentTaskHandle(void)
{
	return (TaskHandle_t)(void *)&owner;
}

BaseType_t fake_give(TaskHandle_t task)
{
	given = given || task == xTaskGetCurrentTaskHandle();
	return pdTRUE;
}

void fake_give_from_isr(TaskHandle_t task, BaseType_t *woken)
{
	*woken = fake_give(task);
}

uint32_t fake_take(BaseType_t clear, TickType_t wait)
{
	(void)clear;
	return early_sleep(&given, wait == portMAX_DELAY ? UINT32_MAX : wait);
}

/* --- The device */

static bool is_due(void)
{
	const early_uart *const u = &uart_model;
	if (!is_level)
		return u->has_received || u->has_sent;
	return (u->wants_received && u->count > 0) || (u->wants_sent && !u->transmits);
}

static void receive(BaseType_t *woken)
{
	uint8_t byte;
	bool lost = false;
	uart_model.has_received = false;
	for (;;) {
		if (uart_model.overrun) {
			rtos_freertos_overrun(&uart_link);
			lost = true;
		}
		uart_model.overrun = false;
		if (uart_model.count == 0)
			return;
		if (!lost && !rtos_freertos_wants(&uart_link))
			break;
		(void)early_read(&byte);
		if (!lost)
			rtos_freertos_received(&uart_link, byte, woken);
	}
	uart_model.wants_received = false;
}

static void transmit(BaseType_t *woken)
{
	uint8_t byte;
	uart_model.has_sent = false;
	while (!uart_model.transmits) {
		if (!rtos_freertos_next(&uart_link, &byte, woken)) {
			uart_model.wants_sent = false;
			break;
		}
		early_write(byte);
	}
}

static void interrupt(void)
{
	BaseType_t woken = pdFALSE;
	receive(&woken);
	transmit(&woken);
	rtos_freertos_interrupted(&uart_link, &woken);
}

static void resume(void *device)
{
	(void)device;
	uart_model.wants_received = true;
	early_point();
	if (!is_level)
		early_pend();
	early_point();
}

static void kick(void *device)
{
	(void)device;
	uart_model.wants_sent = true;
	early_point();
	if (!is_level)
		early_pend();
	early_point();
}

/* --- The task */

static void reset(void)
{
	static const rtos_freertos fresh = { .peer = NULL };
	uart_link = fresh;
	given = is_level = false;
}

static void reset_level(void)
{
	reset();
	is_level = true;
}

static void start(quash_peer *peer)
{
	static const rtos_freertos_choice choice = {
		.in = in, .out = out, .in_size = sizeof in, .out_size = sizeof out, .kick = kick, .resume = resume,
	};
	rtos_freertos_start(&uart_link, peer, &choice);
	port = rtos_freertos_port(&uart_link);
	early_let_in();
	uart_model.wants_received = true;
	early_point();
}

static const quash_port *the_port(void)
{
	return &port;
}

static void sleep_until_given(void)
{
	rtos_freertos_sleep(&uart_link);
}

const early_front early_freertos = { .name = "rtos_freertos", .depth = 1, .reset = reset, .is_due = is_due,
	.interrupt = interrupt, .start = start, .port = the_port, .sleep = sleep_until_given };

const early_front early_freertos_level = { .name = "rtos_freertos, interrupts by level", .depth = 1, .reset = reset_level,
	.is_due = is_due, .interrupt = interrupt, .start = start, .port = the_port, .sleep = sleep_until_given };
