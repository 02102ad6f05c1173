/* SPDX-License-Identifier: MIT
 * A UART of port/uart/uart.h whose peer sleeps in an RTOS: when an interrupt has to wake it. For the ports that know the
 * RTOS. The rings have no barrier for a second core: the UART's interrupts and the peer's thread belong on one core. */
#ifndef PORT_RTOS_UART_H
#define PORT_RTOS_UART_H

#include "../uart/uart.h"
#include "rtos.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The UART's side that the peer's thread sees. The caller owns it; opaque. */
typedef struct rtos_uart {
	struct port_uart *uart;
	quash_peer *peer;
	rtos_watch watch;
	volatile bool starved; /* the owner sleeps though it has more to write: the ring was full */
	uint32_t rest;
} rtos_uart;

/** Takes a UART that is started. `rest` as for `rtos_nap`. Peer's thread. */
void rtos_uart_init(rtos_uart *r, port_uart *u, quash_peer *peer, uint32_t rest);

/** Interrupt: true if the peer's thread is to be woken, after what the UART's interrupt did. */
bool rtos_uart_calls(rtos_uart *r);

/** How long the peer's thread may sleep, as `rtos_nap`. Peer's thread. */
uint32_t rtos_uart_nap(rtos_uart *r);

/** How long it may sleep again after that, because a burst has begun; 0 when none has. After `quash_tick`. */
uint32_t rtos_uart_doze(const rtos_uart *r);

/** It sleeps no more. */
void rtos_uart_wake(rtos_uart *r);

#ifdef __cplusplus
}
#endif
#endif
