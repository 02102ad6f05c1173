/* SPDX-License-Identifier: MIT
 * A peer in a thread of CMSIS-RTOS2: it sleeps on a thread flag, which the interrupts of its UART and other threads set.
 * CMSIS-RTOS2 has no UARTs, so one of port/uart/uart_*.c lies under it:
 *
 *     void UART0_RX_Handler(void) { port_uart_cmsdk_receive(&console); rtos_cmsis2_interrupted(&uart_link); }
 *     void UART0_TX_Handler(void) { port_uart_cmsdk_transmit(&console); rtos_cmsis2_interrupted(&uart_link); }
 *
 * Calling context: *owner* is the peer's thread; *anywhere* means every thread, and interrupts that may call the RTOS. */
#ifndef PORT_RTOS_CMSIS2_H
#define PORT_RTOS_CMSIS2_H

#include "rtos_uart.h"

#include <cmsis_os2.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The link. The caller owns it; opaque. Zero until it is started. */
typedef struct rtos_cmsis2 {
	rtos_uart link;
	quash_port under; /* the UART's own */
	rtos_clock clock;
	uint32_t ticks; /* when the clock was last asked */
	uint32_t flag;
	osThreadId_t owner;
} rtos_cmsis2;

/** What the program chooses. */
typedef struct rtos_cmsis2_choice {
	uint32_t flag; /**< the thread flag that wakes the owner, 1 to 0x40000000: this port's alone */
	uint32_t rest; /**< for how many milliseconds the owner sleeps though a handler is due. 0, unless it outranks a
	                    worker that a handler waits for: then 1 or more, or the worker never sees its cancel */
} rtos_cmsis2_choice;

/** Makes the calling thread the owner. Owner, once; `u` is started before. The interrupts may be let in earlier, as by a
 * `main` that is privileged where threads are not. */
void rtos_cmsis2_start(rtos_cmsis2 *r, port_uart *u, quash_peer *peer, const rtos_cmsis2_choice *choice);

/** The port, for `quash_pump`; valid as long as `r`. Its functions: owner, from the pump. */
quash_port rtos_cmsis2_port(rtos_cmsis2 *r);

/** Sleeps until there is something to pump or to step; bytes wake it in bursts, see rtos.h. Owner, after `quash_step`;
 * not from handlers. */
void rtos_cmsis2_sleep(rtos_cmsis2 *r);

/** Pumps, steps and sleeps, for ever. Owner: all that is left for its thread to do. */
void rtos_cmsis2_serve(rtos_cmsis2 *r);

/** To be called at the end of each interrupt of the UART. */
void rtos_cmsis2_interrupted(rtos_cmsis2 *r);

/** `quash_cancel_async`, and has the owner notice. Anywhere. */
void rtos_cmsis2_cancel(const rtos_cmsis2 *r, quash_handle handle);

/** `quash_wake`, and has the owner notice. Anywhere. */
void rtos_cmsis2_wake(const rtos_cmsis2 *r, quash_request *request);

#ifdef __cplusplus
}
#endif
#endif
