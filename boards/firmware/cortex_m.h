/* SPDX-License-Identifier: MIT
 * What the boards with a Cortex-M share: reset, SysTick as the clock, and sleeping. */
#ifndef CORTEX_M_H
#define CORTEX_M_H

#include "uart/uart.h"

/* An entry of the vector table: the first one is the stack's beginning, all others code. */
typedef union cortex_m_vector {
	const void *stack;
	void (*code)(void);
} cortex_m_vector;

extern uint32_t stack_top[];

void cortex_m_reset(void); /* vector 1 */
void cortex_m_stop(void);  /* for unexpected vectors: sleeps for ever */
void cortex_m_tick(void);  /* vector 15: a millisecond has passed */

/* Starts SysTick at a thousand ticks a second. */
void cortex_m_start_clock(uint32_t hertz);

/* Milliseconds since then. */
uint32_t cortex_m_now(void);

/* Switches on an interrupt, 0 to 31. */
void cortex_m_enable(unsigned interrupt);

/* Sleeps until an interrupt, unless `ms` is 0 or there is something to pump. It asks with interrupts held back, so that
 * none comes between the question and the sleep. */
void cortex_m_sleep(uint32_t ms, const port_uart *console);

#endif
