/* SPDX-License-Identifier: MIT
 * The UART of Arm's Cortex-M System Design Kit, as on the MPS2 boards (Application Note AN385). */
#ifndef PORT_UART_CMSDK_H
#define PORT_UART_CMSDK_H

#include "uart.h"

/** A CMSDK UART. The caller owns it; opaque but for `uart`. */
typedef struct uart_cmsdk {
	uart uart;
	uintptr_t base;            /* address of its registers */
	volatile uint32_t *pend;   /* the interrupt controller's register that makes interrupts pending */
	uint32_t transmit;         /* the bit of the transmit interrupt in it */
} uart_cmsdk;

/** Where a CMSDK UART is. */
typedef struct uart_cmsdk_place {
	uintptr_t base;
	uint8_t transmit_interrupt; /* its number, 0 to 31 */
} uart_cmsdk_place;

/** Switches it on at `divider` clocks a bit (16 or more). Its interrupts are the board's to switch on. Peer's thread. */
void uart_cmsdk_start(uart_cmsdk *u, const uart_cmsdk_place *place, uint32_t divider, quash_peer *peer,
	const uart_buffers *buffers, uint32_t (*now)(void));

void uart_cmsdk_receive(uart_cmsdk *u);  /**< its receive interrupt */
void uart_cmsdk_transmit(uart_cmsdk *u); /**< its transmit interrupt */

#endif
