/* SPDX-License-Identifier: MIT
 * The UART of Arm's Cortex-M System Design Kit, as on the MPS2 boards (Application Note AN385). */
#ifndef PORT_UART_CMSDK_H
#define PORT_UART_CMSDK_H

#include "uart.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A CMSDK UART. The caller owns it; opaque but for `uart`. */
typedef struct port_uart_cmsdk {
	struct port_uart uart;
	uintptr_t base;                    /* address of its registers */
	volatile bool receives, transmits; /* the thread, in an interrupt's place */
} port_uart_cmsdk;

/** Switches it on at `divider` clocks a bit (16 or more). Its interrupts are the board's to let in, before or after it;
 * when before, `u` must be zero until then. Peer's thread, privileged or not. */
void port_uart_cmsdk_start(port_uart_cmsdk *u, uintptr_t base, uint32_t divider, const port_uart_buffers *buffers,
	uint32_t (*now)(void));

void port_uart_cmsdk_receive(port_uart_cmsdk *u);  /**< its receive interrupt */
void port_uart_cmsdk_transmit(port_uart_cmsdk *u); /**< its transmit interrupt */

#ifdef __cplusplus
}
#endif
#endif
