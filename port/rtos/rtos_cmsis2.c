/* SPDX-License-Identifier: MIT */
#include "rtos_cmsis2.h"

static int peek(void *device, const uint8_t **bytes)
{
	const rtos_cmsis2 *r = device;
	return r->under.peek(r->under.device, bytes);
}

static void take(void *device, size_t n)
{
	const rtos_cmsis2 *r = device;
	r->under.take(r->under.device, n);
}

static int write_bytes(void *device, const uint8_t *data, size_t n)
{
	const rtos_cmsis2 *r = device;
	return r->under.write(r->under.device, data, n);
}

static uint32_t now(void *device)
{
	rtos_cmsis2 *r = device;
	const uint32_t ticks = osKernelGetTickCount();
	const uint32_t passed = ticks - r->ticks;
	r->ticks = ticks;
	return rtos_clock_add(&r->clock, passed, osKernelGetTickFreq());
}

void rtos_cmsis2_start(rtos_cmsis2 *r, port_uart *u, quash_peer *peer, const rtos_cmsis2_choice *choice)
{
	static const rtos_cmsis2 fresh = { .flag = 0 };
	*r = fresh;
	rtos_uart_init(&r->link, u, peer, choice->rest);
	r->under = port_uart_port(u);
	r->flag = choice->flag;
	r->ticks = osKernelGetTickCount();
	r->owner = osThreadGetId();
}

quash_port rtos_cmsis2_port(rtos_cmsis2 *r)
{
	const quash_port port = { .peek = peek, .take = take, .write = write_bytes, .now = now, .device = r };
	return port;
}

/* A flag that was set before is remembered: nothing is missed between the question and the sleep. */
static void sleep_for(const rtos_cmsis2 *r, uint32_t ms)
{
	const uint32_t ticks = ms == UINT32_MAX ? osWaitForever : rtos_ticks(ms, osKernelGetTickFreq());
	if (ticks > 0)
		(void)osThreadFlagsWait(r->flag, osFlagsWaitAny, ticks);
}

void rtos_cmsis2_sleep(rtos_cmsis2 *r)
{
	quash_tick(r->link.peer, now(r)); /* the step took its time */
	sleep_for(r, rtos_uart_nap(&r->link));
	quash_tick(r->link.peer, now(r));
	sleep_for(r, rtos_uart_doze(&r->link));
	rtos_uart_wake(&r->link);
}

void rtos_cmsis2_serve(rtos_cmsis2 *r)
{
	const quash_port port = rtos_cmsis2_port(r);
	for (;;) {
		quash_pump(r->link.peer, &port);
		(void)quash_step(r->link.peer);
		rtos_cmsis2_sleep(r);
	}
}

static void news(const rtos_cmsis2 *r)
{
	(void)osThreadFlagsSet(r->owner, r->flag);
}

void rtos_cmsis2_interrupted(rtos_cmsis2 *r)
{
	if (r->owner != NULL && rtos_uart_calls(&r->link))
		news(r);
}

void rtos_cmsis2_cancel(const rtos_cmsis2 *r, quash_handle handle)
{
	quash_cancel_async(handle);
	news(r);
}

void rtos_cmsis2_wake(const rtos_cmsis2 *r, quash_request *request)
{
	quash_wake(request);
	news(r);
}
