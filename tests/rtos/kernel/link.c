/* SPDX-License-Identifier: MIT */
#include "link.h"

#include "board.h"
#include "firmware.h"
#include "kernel.h"
#include "uart/uart_cmsdk.h"

#define NVIC_ENABLE (*(volatile uint32_t *)(uintptr_t)0xE000E100)

enum { HERTZ = 25000000, BAUD = 115200, RECEIVE = 0, TRANSMIT = 1, UART_BASE = 0x40004000, STACK_WORDS = 1024 };

rtos_cmsis2 the_link;
static quash_peer peer;
static quash_port port;
static port_uart_cmsdk console;
static kernel_task task;
static uint32_t stack[STACK_WORDS];

void link_receive(void)
{
	port_uart_cmsdk_receive(&console);
	rtos_cmsis2_interrupted(&the_link);
}

void link_transmit(void)
{
	port_uart_cmsdk_transmit(&console);
	rtos_cmsis2_interrupted(&the_link);
}

void board_led(bool on)
{
	volatile uint32_t *const leds = (volatile uint32_t *)0x40028000;
	*leds = on ? 1 : 0;
}

void firmware_pump(void)
{
	quash_pump(&peer, &port);
}

static void serve(void *data)
{
	static uint8_t in[256], out[256];
	static const port_uart_buffers buffers = {
		.in = in, .out = out, .in_size = sizeof in, .out_size = sizeof out
	};
	static const rtos_cmsis2_choice choice = { .flag = LINK_FLAG, .rest = 1 }; /* it outranks a worker */
	(void)data;
	port_uart_cmsdk_start(&console, UART_BASE, HERTZ / BAUD, &buffers, osKernelGetTickCount);
	rtos_cmsis2_start(&the_link, &console.uart, &peer, &choice);
	port = rtos_cmsis2_port(&the_link);
	rtos_cmsis2_serve(&the_link);
}

int main(void)
{
	if (!quash_init(&peer, firmware_config, NULL))
		return 1;
	kernel_add(&task, serve, NULL, stack, STACK_WORDS, LINK_PRIORITY);
	add_tasks();
	NVIC_ENABLE = 1u << RECEIVE | 1u << TRANSMIT; /* tasks may not */
	kernel_start(HERTZ);
	return 1;
}
