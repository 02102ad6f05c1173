/* SPDX-License-Identifier: MIT */
#include "rtos_freertos.h"

enum { TRIGGER = 1 };

/* Behind a sleep the ticks tell how long it was only if they have not wrapped, so narrow ones leave time to be late. */
static const TickType_t longest = portMAX_DELAY / 2;

/* --- The contract */

static void tell_losses(rtos_freertos *r)
{
	const uint32_t lost = r->lost;
	const uint32_t n = lost - r->told;
	if (n == 0 || xStreamBufferIsEmpty(r->in) == pdFALSE)
		return;
	r->told = lost;
	quash_lost(r->peer, n);
}

/* The interrupt is let in last: it finds room, and no loss that waits to be told. */
static int read_bytes(void *device, uint8_t *data, size_t n)
{
	rtos_freertos *r = device;
	const size_t count = xStreamBufferReceive(r->in, data, n, 0);
	if (count == 0)
		tell_losses(r);
	if (r->held) {
		r->held = false;
		r->hear(r->device);
	}
	return (int)count;
}

static int write_bytes(void *device, const uint8_t *data, size_t n)
{
	rtos_freertos *r = device;
	const size_t count = xStreamBufferSend(r->out, data, n, 0);
	if (count > 0)
		r->kick(r->device);
	return (int)count;
}

static uint32_t now(void *device)
{
	rtos_freertos *r = device;
	const TickType_t ticks = xTaskGetTickCount();
	const TickType_t passed = (TickType_t)(ticks - r->ticks);
	r->ticks = ticks;
	return rtos_clock_add(&r->clock, passed, configTICK_RATE_HZ);
}

void rtos_freertos_start(rtos_freertos *r, quash_peer *peer, const rtos_freertos_choice *choice)
{
	static const rtos_freertos fresh = { .peer = NULL };
	*r = fresh;
	r->peer = peer;
	r->in = xStreamBufferCreateStatic(choice->in_size, TRIGGER, choice->in, &r->in_place);
	r->out = xStreamBufferCreateStatic(choice->out_size, TRIGGER, choice->out, &r->out_place);
	r->kick = choice->kick;
	r->hear = choice->hear;
	r->device = choice->device;
	r->rest = choice->rest;
	r->ticks = xTaskGetTickCount();
	r->owner = xTaskGetCurrentTaskHandle();
}

quash_port rtos_freertos_port(rtos_freertos *r)
{
	const quash_port port = { .read = read_bytes, .write = write_bytes, .now = now, .device = r };
	return port;
}

/* --- The task */

static bool has_news(const rtos_freertos *r)
{
	return xStreamBufferIsEmpty(r->in) == pdFALSE || r->lost != r->told || r->held;
}

/* Room is asked for last: what an interrupt makes from now on, it tells. */
static uint32_t nap(rtos_freertos *r)
{
	r->starved = rtos_has_words(r->peer);
	if (r->starved && xStreamBufferIsFull(r->out) == pdFALSE)
		return 0;
	return rtos_nap(r->peer, has_news(r), r->rest);
}

static TickType_t ticks_of(uint32_t ms)
{
	const bool limited = ms < UINT32_MAX || sizeof(TickType_t) < sizeof ms;
	const uint32_t ticks = rtos_ticks(ms, configTICK_RATE_HZ);
	if (!limited)
		return portMAX_DELAY;
	return ticks < longest ? (TickType_t)ticks : longest;
}

/* A notification that was given before is remembered: nothing is missed between the question and the sleep. */
void rtos_freertos_sleep(rtos_freertos *r)
{
	quash_tick(r->peer, now(r)); /* the step took its time */
	const TickType_t ticks = ticks_of(nap(r));
	if (ticks > 0)
		(void)ulTaskNotifyTake(pdTRUE, ticks);
}

void rtos_freertos_run(rtos_freertos *r)
{
	const quash_port port = rtos_freertos_port(r);
	for (;;) {
		quash_pump(r->peer, &port);
		(void)quash_step(r->peer);
		rtos_freertos_sleep(r);
	}
}

/* --- Interrupts. The buffer's own FromISR functions ask for its space in this way. */

bool rtos_freertos_wants(rtos_freertos *r)
{
	const bool room = r->lost == r->told && xStreamBufferSpacesAvailable(r->in) > 0;
	if (!room)
		r->held = true;
	return room;
}

void rtos_freertos_overrun(rtos_freertos *r)
{
	r->lost = r->lost + 1;
	r->news = true;
}

void rtos_freertos_received(rtos_freertos *r, uint8_t byte, BaseType_t *woken)
{
	if (r->lost != r->told || xStreamBufferSendFromISR(r->in, &byte, 1, woken) != 1)
		r->lost = r->lost + 1;
	r->news = true;
}

bool rtos_freertos_next(rtos_freertos *r, uint8_t *byte, BaseType_t *woken)
{
	const bool found = xStreamBufferReceiveFromISR(r->out, byte, 1, woken) == 1;
	if (found && r->starved) {
		r->starved = false;
		r->news = true;
	}
	return found;
}

void rtos_freertos_interrupted(rtos_freertos *r, BaseType_t *woken)
{
	if (!r->news)
		return;
	r->news = false;
	vTaskNotifyGiveFromISR(r->owner, woken);
}

/* --- Elsewhere */

void rtos_freertos_cancel(const rtos_freertos *r, quash_handle handle)
{
	quash_cancel_async(handle);
	(void)xTaskNotifyGive(r->owner);
}

void rtos_freertos_wake(const rtos_freertos *r, quash_request *request)
{
	quash_wake(request);
	(void)xTaskNotifyGive(r->owner);
}

void rtos_freertos_cancel_from_isr(const rtos_freertos *r, quash_handle handle, BaseType_t *woken)
{
	quash_cancel_async(handle);
	vTaskNotifyGiveFromISR(r->owner, woken);
}

void rtos_freertos_wake_from_isr(const rtos_freertos *r, quash_request *request, BaseType_t *woken)
{
	quash_wake(request);
	vTaskNotifyGiveFromISR(r->owner, woken);
}
