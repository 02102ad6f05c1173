/* SPDX-License-Identifier: MIT
 * The port for CMSIS-RTOS2 in a thread without privilege: the interrupts are let in before it starts. */
#include "early_uarts.h"
#include "rtos/rtos_cmsis2.h"

static rtos_cmsis2 uart_link;
static port_uart_cmsdk cmsdk;
static quash_port port;
static volatile bool flagged;
static char owner;

uint32_t osKernelGetTickCount(void)
{
	return early_ms();
}

uint32_t osKernelGetTickFreq(void)
{
	return 1000;
}

osThreadId_t osThreadGetId(void)
{
	early_point();
	return &owner;
}

uint32_t osThreadFlagsSet(osThreadId_t thread, uint32_t flags)
{
	flagged = flagged || thread == &owner;
	return flags;
}

uint32_t osThreadFlagsWait(uint32_t wanted, uint32_t options, uint32_t timeout)
{
	(void)options;
	return early_sleep(&flagged, timeout == osWaitForever ? UINT32_MAX : timeout) ? wanted : 0xFFFFFFFEu;
}

static void interrupt(void)
{
	early_cmsdk_interrupt(&cmsdk);
	rtos_cmsis2_interrupted(&uart_link);
}

static void reset(void)
{
	static const rtos_cmsis2 fresh = { .flag = 0 };
	uart_link = fresh;
	flagged = false;
}

static void start(quash_peer *peer)
{
	static const rtos_cmsis2_choice choice = { .flag = 1 };
	early_let_in();
	port_uart_cmsdk_start(&cmsdk, EARLY_CMSDK, 16, early_buffers(), osKernelGetTickCount);
	early_point();
	rtos_cmsis2_start(&uart_link, &cmsdk.uart, peer, &choice);
	port = rtos_cmsis2_port(&uart_link);
}

static const quash_port *the_port(void)
{
	return &port;
}

static void sleep_until_called(void)
{
	rtos_cmsis2_sleep(&uart_link);
}

const early_front early_cmsis2 = { .name = "rtos_cmsis2", .base = EARLY_CMSDK, .depth = 1, .reset = reset,
	.load = early_cmsdk_load, .store = early_cmsdk_store, .is_due = early_cmsdk_is_due, .interrupt = interrupt,
	.start = start, .port = the_port, .sleep = sleep_until_called };
