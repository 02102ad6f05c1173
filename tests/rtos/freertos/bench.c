/* SPDX-License-Identifier: MIT
 * The port for FreeRTOS over a fake of the functions that it calls. */
#include "bench.h"
#include "fake.h"
#include "line.h"
#include "rtos/rtos_freertos.h"

#include <stdatomic.h>
#include <stddef.h>

/* --- The fake; its stream buffers stand in buffers.c */

static atomic_uint given;
static int owner;

TickType_t xTaskGetTickCount(void)
{
	return fake_ms();
}

TaskHandle_t xTaskGetCurrentTaskHandle(void)
{
	return (TaskHandle_t)(void *)&owner;
}

BaseType_t fake_give(TaskHandle_t task)
{
	CHECK(task == xTaskGetCurrentTaskHandle());
	atomic_fetch_add(&given, 1);
	fake_call();
	return pdTRUE;
}

void fake_give_from_isr(TaskHandle_t task, BaseType_t *woken)
{
	*woken = pdTRUE;
	fake_give(task);
}

uint32_t fake_take(BaseType_t clear, TickType_t wait)
{
	CHECK(clear == pdTRUE);
	for (;;) {
		const uint32_t found = atomic_exchange(&given, 0);
		if (found != 0 || !fake_wait(wait == portMAX_DELAY ? UINT32_MAX : wait))
			return found;
	}
}

/* --- The port */

static rtos_freertos link;
static uint8_t in[BENCH_RING], out[BENCH_RING];
static atomic_bool cannot_hold;

static void interrupt(void)
{
	uint8_t byte;
	BaseType_t woken = pdFALSE;
	if (uart_was_overrun())
		rtos_freertos_overrun(&link);
	while (uart_has_byte() && (atomic_load(&cannot_hold) || rtos_freertos_wants(&link)))
		rtos_freertos_received(&link, uart_byte(), &woken);
	while (uart_can_send() && rtos_freertos_next(&link, &byte, &woken))
		uart_send(byte);
	rtos_freertos_interrupted(&link, &woken);
}

static void raise_interrupt(void *device)
{
	CHECK(device == &link);
	uart_raise();
}

static void run(quash_peer *peer)
{
	static const rtos_freertos_choice choice = {
		.in = in,
		.out = out,
		.in_size = sizeof in,
		.out_size = sizeof out,
		.kick = raise_interrupt,
		.resume = raise_interrupt,
		.device = &link,
		.rest = BENCH_REST,
	};
	rtos_freertos_start(&link, peer, &choice);
	uart_attach(interrupt);
	rtos_freertos_serve(&link);
}

static void cancel(quash_handle handle)
{
	rtos_freertos_cancel(&link, handle);
}

static void wake(quash_request *request)
{
	rtos_freertos_wake(&link, request);
}

static void cancel_from_isr(quash_handle handle)
{
	BaseType_t woken = pdFALSE;
	rtos_freertos_cancel_from_isr(&link, handle, &woken);
	CHECK(woken == pdTRUE);
}

static void wake_from_isr(quash_request *request)
{
	BaseType_t woken = pdFALSE;
	rtos_freertos_wake_from_isr(&link, request, &woken);
	CHECK(woken == pdTRUE);
}

static void deaf(bool on)
{
	atomic_store(&cannot_hold, on);
}

const bench the_bench = { "freertos", run, cancel, wake, cancel_from_isr, wake_from_isr, deaf };
