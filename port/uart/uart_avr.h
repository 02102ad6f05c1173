/* SPDX-License-Identifier: MIT
 * The first USART of a megaAVR (ATmega328P, ATmega2560). */
#ifndef PORT_UART_AVR_H
#define PORT_UART_AVR_H

#include "uart.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Switches it on: 8 bits, no parity, at clock / (8 * (divider + 1)) bits a second. Peer's thread. */
void port_uart_avr_start(port_uart *u, uint16_t divider, const port_uart_buffers *buffers, uint32_t (*now)(void));

void port_uart_avr_receive(port_uart *u);  /**< its interrupt *receive complete* */
void port_uart_avr_transmit(port_uart *u); /**< its interrupt *data register empty* */

#ifdef __cplusplus
}
#endif
#endif
