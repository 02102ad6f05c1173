/* SPDX-License-Identifier: MIT
 * Arm's PrimeCell UART PL011 (DDI 0183G) and its kin, as in the RP2040 and the LM3S series: without flow control. */
#ifndef PORT_UART_PL011_H
#define PORT_UART_PL011_H

#include "uart.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where a PL011 is. */
typedef struct port_uart_pl011_place {
	uintptr_t base; /* address of its registers */
	bool fifos;     /* to be used: switching them on clears what has come already */
} port_uart_pl011_place;

/** A PL011. The caller owns it; opaque but for `uart`. */
typedef struct port_uart_pl011 {
	struct port_uart uart;
	uintptr_t base;
	volatile bool receives, transmits; /* the thread, in the interrupt's place */
	volatile bool full, waits;         /* a byte found no room in the ring, in the hardware */
} port_uart_pl011;

/** The divider for a clock and a rate, both a second, rounded. `baud` is at least 1, `hertz` at most 2^29. */
static inline uint32_t port_uart_pl011_divider(uint32_t hertz, uint32_t baud)
{
	return (hertz * 4 + baud / 2) / baud;
}

/** Switches it on: 8 bits, no parity, at clock / (16 * divider / 64) bits a second; `divider` is 64 to 65535 * 64. Its
 * clock, its pins and its interrupt are the board's to switch on. Peer's thread, privileged or not. */
void port_uart_pl011_start(port_uart_pl011 *u, const port_uart_pl011_place *place, uint32_t divider, const port_uart_buffers *buffers, uint32_t (*now)(void));

/** Its interrupt. */
void port_uart_pl011_interrupt(port_uart_pl011 *u);

#ifdef __cplusplus
}
#endif
#endif
