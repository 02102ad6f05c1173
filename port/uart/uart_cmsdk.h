/* SPDX-License-Identifier: MIT
 * The UART of Arm's Cortex-M System Design Kit, as on the MPS2 boards (Application Note AN385). */
#ifndef PORT_UART_CMSDK_H
#define PORT_UART_CMSDK_H

#include "uart.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where a CMSDK UART is. */
typedef struct port_uart_cmsdk_place {
	uintptr_t base; /* address of its registers */
	uint8_t receive_interrupt, transmit_interrupt; /* their numbers, 0 to 31 */
} port_uart_cmsdk_place;

/** A CMSDK UART. The caller owns it; opaque but for `uart`. */
typedef struct port_uart_cmsdk {
	struct port_uart uart;
	port_uart_cmsdk_place place;
} port_uart_cmsdk;

/** Switches it on at `divider` clocks a bit (16 or more). Its interrupts are the board's to switch on. Peer's thread. */
void port_uart_cmsdk_start(port_uart_cmsdk *u, const port_uart_cmsdk_place *place, uint32_t divider, const port_uart_buffers *buffers, uint32_t (*now)(void));

void port_uart_cmsdk_receive(port_uart_cmsdk *u);  /**< its receive interrupt */
void port_uart_cmsdk_transmit(port_uart_cmsdk *u); /**< its transmit interrupt */

#ifdef __cplusplus
}
#endif
#endif
