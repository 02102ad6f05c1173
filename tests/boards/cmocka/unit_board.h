/* SPDX-License-Identifier: MIT
 * What a board provides for the tests on it: a UART without interrupts, and its emulator's end. */
#ifndef UNIT_BOARD_H
#define UNIT_BOARD_H

#include <stdint.h>

/* The lowest bytes that the stack may use. */
extern unsigned char unit_stack_end[];

void unit_start(void);
void unit_put(char c);
uint8_t unit_get(void); /* waits for it */
void unit_end(void); /* does nothing where an emulator has to be ended from outside */

#endif
