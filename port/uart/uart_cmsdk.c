/* SPDX-License-Identifier: MIT */
#include "uart_cmsdk.h"

enum { DATA = 0x0, STATE = 0x4, CTRL = 0x8, INTERRUPTS = 0xC, DIVIDER = 0x10 };
enum { TX_FULL = 1 << 0, RX_FULL = 1 << 1, RX_OVERRUN = 1 << 3 };
enum { TX_ON = 1 << 0, RX_ON = 1 << 1, TX_INTERRUPT = 1 << 2, RX_INTERRUPT = 1 << 3 };
enum { TX_DONE = 1 << 0, RX_DONE = 1 << 1 };

#define NVIC_SET_PENDING (*(volatile uint32_t *)(uintptr_t)0xE000E200u) /* Armv6-M, Armv7-M */

static volatile uint32_t *at(const port_uart_cmsdk *u, unsigned offset)
{
	return (volatile uint32_t *)(u->place.base + offset);
}

/* The transmit interrupt comes when a byte has left. The first one is sent by an interrupt that we ask for. */
static void kick(void *device)
{
	const port_uart_cmsdk *u = device;
	NVIC_SET_PENDING = (uint32_t)1 << u->place.transmit_interrupt;
}

/* Nor does the receive interrupt come again for a byte that was left. */
static void resume(void *device)
{
	const port_uart_cmsdk *u = device;
	NVIC_SET_PENDING = (uint32_t)1 << u->place.receive_interrupt;
}

void port_uart_cmsdk_start(port_uart_cmsdk *u, const port_uart_cmsdk_place *place, uint32_t divider, const port_uart_buffers *buffers, uint32_t (*now)(void))
{
	port_uart_init(&u->uart, buffers, now);
	u->uart.kick = kick;
	u->uart.device = u;
	u->uart.resume = resume;
	u->place = *place;
	*at(u, DIVIDER) = divider;
	*at(u, CTRL) = TX_ON | RX_ON | TX_INTERRUPT | RX_INTERRUPT;
}

void port_uart_cmsdk_receive(port_uart_cmsdk *u)
{
	*at(u, INTERRUPTS) = RX_DONE;
	if ((*at(u, STATE) & RX_OVERRUN) != 0) {
		*at(u, STATE) = RX_OVERRUN;
		port_uart_overrun(&u->uart);
	}
	while ((*at(u, STATE) & RX_FULL) != 0 && port_uart_wants(&u->uart))
		port_uart_received(&u->uart, (uint8_t)*at(u, DATA));
}

void port_uart_cmsdk_transmit(port_uart_cmsdk *u)
{
	uint8_t byte;
	*at(u, INTERRUPTS) = TX_DONE;
	while ((*at(u, STATE) & TX_FULL) == 0 && port_uart_next(&u->uart, &byte))
		*at(u, DATA) = byte;
}
