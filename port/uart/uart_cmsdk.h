/* SPDX-License-Identifier: MIT
 * The UART of Arm's Cortex-M System Design Kit, as on the MPS2 boards (Application Note AN385). */
#ifndef PORT_UART_CMSDK_H
#define PORT_UART_CMSDK_H

#include "uart.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where a CMSDK UART is. */
typedef struct uart_cmsdk_place {
	uintptr_t base; /* address of its registers */
	uint8_t receive_interrupt, transmit_interrupt; /* their numbers, 0 to 31 */
} uart_cmsdk_place;

/** A CMSDK UART. The caller owns it; opaque but for `uart`. */
typedef struct uart_cmsdk {
	struct uart uart;
	uart_cmsdk_place place;
} uart_cmsdk;

/** Switches it on at `divider` clocks a bit (16 or more). Its interrupts are the board's to switch on. Peer's thread. */
void uart_cmsdk_start(uart_cmsdk *u, const uart_cmsdk_place *place, uint32_t divider, const uart_buffers *buffers, uint32_t (*now)(void));

void uart_cmsdk_receive(uart_cmsdk *u);  /**< its receive interrupt */
void uart_cmsdk_transmit(uart_cmsdk *u); /**< its transmit interrupt */

#ifdef __cplusplus
}
#endif
#endif
