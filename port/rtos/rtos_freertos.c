/* SPDX-License-Identifier: MIT */
#include "rtos_freertos.h"

enum { TRIGGER = 1 };

/* After a sleep the ticks give its length only if they have not wrapped, so narrow ones leave time to be late. */
static const TickType_t longest = portMAX_DELAY / 2;

/* --- The contract */

/* Once there is room again, and no gap that waits to be passed. */
static void let_in(rtos_freertos *r)
{
	if (!r->held)
		return;
	r->held = false;
	r->resume(r->device);
}

/* The gap is looked at first: what comes after it is lost too, so no byte can come between the two questions. */
static bool pass_gap(rtos_freertos *r)
{
	const uint8_t gaps = r->gaps;
	if (gaps == r->passed || xStreamBufferIsEmpty(r->in) == pdFALSE)
		return false;
	r->passed = gaps;
	return true;
}

static int peek(void *device, const uint8_t **bytes)
{
	rtos_freertos *r = device;
	bool gap = false;
	if (r->from == r->to) {
		r->from = 0;
		r->to = xStreamBufferReceive(r->in, r->chunk, sizeof r->chunk, 0);
		gap = r->to == 0 && pass_gap(r);
		let_in(r);
	}
	*bytes = r->chunk + r->from;
	return gap ? QUASH_LOST : (int)(r->to - r->from);
}

static void take(void *device, size_t n)
{
	rtos_freertos *r = device;
	r->from += n;
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

#if RTOS_FREERTOS_CORES_ > 1
static void stay(rtos_freertos *r)
{
	r->core = (UBaseType_t)portGET_CORE_ID();
	vTaskCoreAffinitySet(r->owner, (UBaseType_t)1 << r->core);
}

static bool is_at_home(const rtos_freertos *r)
{
	return r->core == (UBaseType_t)portGET_CORE_ID();
}
#else
static void stay(rtos_freertos *r)
{
	r->core = 0;
}

static bool is_at_home(const rtos_freertos *r)
{
	return r->core == 0;
}
#endif

void rtos_freertos_start(rtos_freertos *r, quash_peer *peer, const rtos_freertos_choice *choice)
{
	static const rtos_freertos fresh = { .peer = NULL };
	*r = fresh;
	r->peer = peer;
	r->in = xStreamBufferCreateStatic(choice->in_size, TRIGGER, choice->in, &r->in_place);
	r->out = xStreamBufferCreateStatic(choice->out_size, TRIGGER, choice->out, &r->out_place);
	r->kick = choice->kick;
	r->resume = choice->resume;
	r->in_size = choice->in_size;
	r->out_size = choice->out_size;
	r->device = choice->device;
	r->rest = choice->rest;
	r->held = true; /* what has come already may raise no interrupt */
	r->ticks = xTaskGetTickCount();
	r->owner = xTaskGetCurrentTaskHandle();
	stay(r);
}

quash_port rtos_freertos_port(rtos_freertos *r)
{
	const quash_port port = { .peek = peek, .take = take, .write = write_bytes, .now = now, .device = r };
	return port;
}

/* --- The task */

/* Bytes that the peer was shown and has not taken are none: `quash_idle_ms` knows what they wait for. */
static bool has_news(const rtos_freertos *r)
{
	return r->from == r->to && (xStreamBufferIsEmpty(r->in) == pdFALSE || r->gaps != r->passed);
}

/* Not for each byte that leaves. */
static bool can_write(const rtos_freertos *r)
{
	return r->starved && xStreamBufferSpacesAvailable(r->out) >= r->out_size / 2;
}

/* What is asked for last an interrupt reports, if it comes about from now on. */
static uint32_t nap(rtos_freertos *r)
{
	rtos_watch_sleep(&r->watch);
	r->starved = rtos_has_output(r->peer);
	if (can_write(r))
		return 0;
	return rtos_nap(r->peer, has_news(r), r->rest);
}

static uint32_t doze(const rtos_freertos *r)
{
	const uint32_t ms = rtos_watch_dozes(&r->watch) ? rtos_nap(r->peer, false, r->rest) : 0;
	return ms < RTOS_BURST_MS ? ms : RTOS_BURST_MS;
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
static void sleep_for(uint32_t ms)
{
	const TickType_t ticks = ticks_of(ms);
	if (ticks > 0)
		(void)ulTaskNotifyTake(pdTRUE, ticks);
}

void rtos_freertos_sleep(rtos_freertos *r)
{
	quash_tick(r->peer, now(r)); /* the step took its time */
	sleep_for(nap(r));
	quash_tick(r->peer, now(r));
	sleep_for(doze(r));
	r->starved = false;
	rtos_watch_wake(&r->watch);
}

void rtos_freertos_serve(rtos_freertos *r)
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
	const bool room = r->gaps == r->passed && xStreamBufferSpacesAvailable(r->in) > 0;
	if (!room)
		r->held = true;
	return room;
}

void rtos_freertos_overrun(rtos_freertos *r)
{
	if (r->gaps == r->passed)
		r->gaps = (uint8_t)(r->gaps + 1);
}

void rtos_freertos_received(rtos_freertos *r, uint8_t byte, BaseType_t *woken)
{
	if (r->gaps != r->passed || xStreamBufferSendFromISR(r->in, &byte, 1, woken) != 1)
		rtos_freertos_overrun(r);
	if (byte == '\n')
		r->line_ended = true;
}

bool rtos_freertos_next(rtos_freertos *r, uint8_t *byte, BaseType_t *woken)
{
	return xStreamBufferReceiveFromISR(r->out, byte, 1, woken) == 1;
}

static bool has_enough(rtos_freertos *r)
{
	const bool line_ended = r->line_ended;
	r->line_ended = false;
	return line_ended || r->gaps != r->passed || xStreamBufferSpacesAvailable(r->in) <= r->in_size / 2;
}

void rtos_freertos_interrupted(rtos_freertos *r, BaseType_t *woken)
{
	const bool at_home = is_at_home(r), enough = has_enough(r);
	configASSERT(at_home);
	(void)at_home;
	const bool room = can_write(r);
	if (room)
		r->starved = false;
	if (rtos_watch_calls(&r->watch, room || has_news(r), room || enough))
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
