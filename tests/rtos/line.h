/* SPDX-License-Identifier: MIT
 * One emulated processor with one UART. Its interrupt is a signal at the thread of the peer: whatever that thread does
 * stands still meanwhile, as on one core. The other end of the line is the test's main thread. */
#ifndef TESTS_RTOS_LINE_H
#define TESTS_RTOS_LINE_H

#include "check.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- The UART. A FIFO of LINE_FIFO bytes each way. */

enum { LINE_FIFO = 16, LINE_KEPT = 1 << 16 };

/* The calling thread is the processor: `interrupt` runs on it from now on. */
void uart_attach(void (*interrupt)(void));

/* Asks for an interrupt. Anywhere. */
void uart_raise(void);

/* Interrupt. */
bool uart_has_byte(void);
uint8_t uart_byte(void);
bool uart_was_overrun(void); /* clears it */
bool uart_can_send(void);
void uart_send(uint8_t byte);

/* --- The other end. Main thread. */

/* Waits until the processor is there. */
void line_open(void);

/* Sends, as the UART has room. */
void line_send(const char *text);

/* Waits until interrupts have taken what was sent, and one that came then has returned. */
void line_arrives(void);

/* Whether the other end reads nothing meanwhile. */
void line_is_deaf(bool on);

/* Waits until the UART has more to send than it has room for, while nobody takes it. */
void line_fills(void);

/* Bytes are lost after what was sent. */
void line_lose(void);

/* Waits for a line with these words, good until the next call; it and those before it are forgotten. */
const char *line_awaits(const char *words);

/* Takes up to `size` bytes of what has come, as they are; how many. */
size_t line_take(char *bytes, size_t size);

/* How many lines came that nobody waited for, within `ms`. */
unsigned line_rest(unsigned ms);

/* Runs `what` within an interrupt, and waits until it has. */
void line_interrupts(void (*what)(void));

void line_pause(unsigned ms);

#endif
