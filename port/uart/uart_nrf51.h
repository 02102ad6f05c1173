/* SPDX-License-Identifier: MIT
 * The UART of Nordic's nRF51 (nRF51 Series Reference Manual 3.0, chapter 29), without flow control. */
#ifndef PORT_UART_NRF51_H
#define PORT_UART_NRF51_H

#include "uart.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The nRF51's UART. The caller owns it; opaque but for `uart`. */
typedef struct uart_nrf51 {
	struct uart uart;
	volatile bool busy; /* a byte is leaving */
} uart_nrf51;

/** How it is wired. */
typedef struct uart_nrf51_pins {
	uint8_t tx, rx;
	uint32_t rate; /* of the BAUDRATE register: 0x01D7E000 is 115200 */
} uart_nrf51_pins;

/** Its interrupt's number. */
enum { UART_NRF51_INTERRUPT = 2 };

/** Switches it on. Its interrupt and the pins' directions are the board's. Peer's thread. */
void uart_nrf51_start(uart_nrf51 *u, const uart_nrf51_pins *pins, const uart_buffers *buffers,
	uint32_t (*now)(void));

/** Its interrupt. */
void uart_nrf51_interrupt(uart_nrf51 *u);

#ifdef __cplusplus
}
#endif
#endif
