/* SPDX-License-Identifier: MIT
 * A fake of the functions of Zephyr that the port calls: one UART, over line.h, and a semaphore. */
#ifndef TESTS_RTOS_ZEPHYR_SERIAL_H
#define TESTS_RTOS_ZEPHYR_SERIAL_H

#include <stdbool.h>
#include <zephyr/drivers/uart.h>
#include <zephyr/kernel.h>

extern struct device stated_uart;

/* What the processor's interrupt runs, see uart_attach. */
void serial_interrupt(void);

/* What the host at a CDC-ACM does with DTR; low at first. */
void serial_dtr(bool high);

/* Its driver knows of no overrun and has nothing to update, from now on or no more. */
void serial_deafen(bool on);

#endif
