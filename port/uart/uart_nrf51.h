/* SPDX-License-Identifier: MIT
 * The UART of Nordic's nRF51 (nRF51 Series Reference Manual 3.0, chapter 29), without flow control. */
#ifndef PORT_UART_NRF51_H
#define PORT_UART_NRF51_H

#include "uart.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The nRF51's UART. The caller owns it; opaque but for `uart`. */
typedef struct port_uart_nrf51 {
	struct port_uart uart;
	volatile bool busy;                /* a byte is leaving */
	volatile bool receives, transmits; /* the thread, in the interrupt's place */
} port_uart_nrf51;

/** How it is wired. */
typedef struct port_uart_nrf51_pins {
	uint8_t tx, rx;
	uint32_t rate; /* of the BAUDRATE register: 0x01D7E000 is 115200 */
} port_uart_nrf51_pins;

/** Its interrupt's number. */
enum { PORT_UART_NRF51_INTERRUPT = 2 };

/** Switches it on. Its interrupt and the pins' directions are the board's. Peer's thread. */
void port_uart_nrf51_start(port_uart_nrf51 *u, const port_uart_nrf51_pins *pins, const port_uart_buffers *buffers,
	uint32_t (*now)(void));

/** Its interrupt. */
void port_uart_nrf51_interrupt(port_uart_nrf51 *u);

#ifdef __cplusplus
}
#endif
#endif
