/* SPDX-License-Identifier: MIT */
#include "uart_nrf51.h"

#define REGISTER(offset) (*(volatile uint32_t *)(uintptr_t)(0x40002000u + (offset)))
#define START_RX  REGISTER(0x000)
#define START_TX  REGISTER(0x008)
#define RX_READY  REGISTER(0x108)
#define TX_READY  REGISTER(0x11C)
#define ERROR     REGISTER(0x124)
#define ENABLE_INTERRUPTS REGISTER(0x304)
#define DISABLE_INTERRUPTS REGISTER(0x308)
#define ERROR_SOURCE REGISTER(0x480)
#define ENABLE    REGISTER(0x500)
#define PIN_TX    REGISTER(0x50C)
#define PIN_RX    REGISTER(0x514)
#define RXD       REGISTER(0x518)
#define TXD       REGISTER(0x51C)
#define BAUDRATE  REGISTER(0x524)

enum { ON = 4, RX_BIT = 1 << 2, TX_BIT = 1 << 7, ERROR_BIT = 1 << 9, RX_BITS = RX_BIT | ERROR_BIT, OVERRUN = 1 };

static bool was_overrun(port_uart_nrf51 *u)
{
	if (ERROR == 0)
		return false;
	ERROR = 0;
	const uint32_t source = ERROR_SOURCE;
	ERROR_SOURCE = source;
	if ((source & OVERRUN) != 0)
		port_uart_overrun(&u->uart);
	return (source & OVERRUN) != 0;
}

/* Asked before each byte, so that the gap has its place. What is there then came before the loss, and would join what comes behind the
 * gap: it goes too. */
static void receive(port_uart_nrf51 *u)
{
	for (bool lost = was_overrun(u);; lost = was_overrun(u) || lost) {
		if (RX_READY == 0)
			return;
		if (!lost && !port_uart_wants(&u->uart)) {
			DISABLE_INTERRUPTS = RX_BIT;
			return;
		}
		RX_READY = 0; /* before the byte is taken, which lets the next one set it */
		port_uart_received(&u->uart, (uint8_t)RXD);
	}
}

static void transmit(port_uart_nrf51 *u)
{
	uint8_t byte;
	if (TX_READY != 0) {
		TX_READY = 0;
		u->busy = false;
	}
	if (!u->busy && port_uart_next(&u->uart, &byte)) {
		u->busy = true;
		TXD = byte;
	}
}

/* The interrupt comes when a byte has left, so the first one is sent by the peer's thread; it also takes what finds its event
 * raised already. The interrupt leaves it that part meanwhile. */
static void kick(void *device)
{
	port_uart_nrf51 *u = device;
	u->transmits = true;
	transmit(u);
	u->transmits = false;
	ENABLE_INTERRUPTS = TX_BIT;
}

static void resume(void *device)
{
	port_uart_nrf51 *u = device;
	do {
		u->receives = true;
		receive(u);
		u->receives = false;
		ENABLE_INTERRUPTS = RX_BITS;
	} while (RX_READY != 0 && port_uart_wants(&u->uart));
}

void port_uart_nrf51_interrupt(port_uart_nrf51 *u)
{
	if (u->receives)
		DISABLE_INTERRUPTS = RX_BITS;
	else
		receive(u);
	if (u->transmits)
		DISABLE_INTERRUPTS = TX_BIT;
	else
		transmit(u);
}

void port_uart_nrf51_start(port_uart_nrf51 *u, const port_uart_nrf51_pins *pins, const port_uart_buffers *buffers,
	uint32_t (*now)(void))
{
	port_uart_init(&u->uart, buffers, now);
	u->uart.kick = kick;
	u->uart.resume = resume;
	u->uart.device = u;
	u->busy = u->receives = u->transmits = false;
	PIN_TX = pins->tx;
	PIN_RX = pins->rx;
	BAUDRATE = pins->rate;
	ENABLE = ON;
	ENABLE_INTERRUPTS = RX_BITS | TX_BIT;
	START_TX = 1;
	START_RX = 1;
}
