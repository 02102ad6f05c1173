/* SPDX-License-Identifier: MIT
 * A UART with the registers of the NS16550A, a byte each. Its FIFOs stay as they are found: switching them on clears
 * what has come already. */
#ifndef PORT_UART_16550_H
#define PORT_UART_16550_H

#include "uart.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A 16550. The caller owns it; opaque but for `uart`. */
typedef struct port_uart_16550 {
	struct port_uart uart;
	volatile uint8_t *registers;
} port_uart_16550;

/** Switches it on: 8 bits, no parity, at clock / (16 * divider) bits a second. Its interrupt is the board's to
 * switch on. Peer's thread. */
void port_uart_16550_start(port_uart_16550 *u, uintptr_t base, uint16_t divider, const port_uart_buffers *buffers,
	uint32_t (*now)(void));

/** Its interrupt. */
void port_uart_16550_interrupt(port_uart_16550 *u);

#ifdef __cplusplus
}
#endif
#endif
