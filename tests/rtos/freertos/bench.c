/* SPDX-License-Identifier: MIT
 * The port for FreeRTOS over a fake of the functions that it calls. */
#include "bench.h"
#include "fake.h"
#include "line.h"
#include "rtos/rtos_freertos.h"

#include <stdatomic.h>
#include <stddef.h>

/* --- The fake: a stream buffer between one writer and one reader, of which one interrupts the other */

static atomic_uint given;
static int owner;

StreamBufferHandle_t fake_stream_buffer(size_t size, size_t trigger, uint8_t *bytes, StaticStreamBuffer_t *place)
{
	CHECK(trigger == 1);
	place->bytes = bytes;
	place->size = size;
	place->head = place->tail = 0;
	return place;
}

static size_t used(StreamBufferHandle_t b)
{
	const size_t head = __atomic_load_n(&b->head, __ATOMIC_ACQUIRE),
		     tail = __atomic_load_n(&b->tail, __ATOMIC_ACQUIRE);
	return (head + b->size - tail) % b->size;
}

size_t xStreamBufferSpacesAvailable(StreamBufferHandle_t b)
{
	return b->size - 1 - used(b);
}

BaseType_t xStreamBufferIsEmpty(StreamBufferHandle_t b)
{
	return used(b) == 0;
}

size_t xStreamBufferSend(StreamBufferHandle_t b, const void *data, size_t n, TickType_t wait)
{
	const uint8_t *from = data;
	size_t count = 0;
	CHECK(wait == 0);
	for (; count < n && xStreamBufferSpacesAvailable(b) > 0; count++) {
		b->bytes[b->head] = from[count];
		__atomic_store_n(&b->head, (b->head + 1) % b->size, __ATOMIC_RELEASE);
	}
	return count;
}

size_t xStreamBufferReceive(StreamBufferHandle_t b, void *data, size_t n, TickType_t wait)
{
	uint8_t *to = data;
	size_t count = 0;
	CHECK(wait == 0);
	for (; count < n && used(b) > 0; count++) {
		to[count] = b->bytes[b->tail];
		__atomic_store_n(&b->tail, (b->tail + 1) % b->size, __ATOMIC_RELEASE);
	}
	return count;
}

size_t xStreamBufferSendFromISR(StreamBufferHandle_t b, const void *data, size_t n, BaseType_t *woken)
{
	CHECK(woken != NULL);
	return xStreamBufferSend(b, data, n, 0);
}

size_t xStreamBufferReceiveFromISR(StreamBufferHandle_t b, void *data, size_t n, BaseType_t *woken)
{
	CHECK(woken != NULL);
	return xStreamBufferReceive(b, data, n, 0);
}

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
	rtos_freertos_run(&link);
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
