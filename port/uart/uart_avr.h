/* SPDX-License-Identifier: MIT
 * The first USART of a megaAVR (ATmega328P, ATmega2560). */
#ifndef PORT_UART_AVR_H
#define PORT_UART_AVR_H

#include "uart.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Switches it on: 8 bits, no parity, at clock / (8 * (divider + 1)) bits a second. Peer's thread. */
void uart_avr_start(uart *u, uint16_t divider, const uart_buffers *buffers, uint32_t (*now)(void));

void uart_avr_receive(uart *u);  /**< its interrupt *receive complete* */
void uart_avr_transmit(uart *u); /**< its interrupt *data register empty* */

#ifdef __cplusplus
}
#endif
#endif
