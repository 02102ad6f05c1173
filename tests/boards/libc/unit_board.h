/* SPDX-License-Identifier: MIT
 * What a board provides for the unit tests on it: a UART without interrupts, and its emulator's end. */
#ifndef UNIT_BOARD_H
#define UNIT_BOARD_H

/* The lowest bytes that the stack may use. */
extern unsigned char unit_stack_end[];

void unit_start(void);
void unit_put(char c);
void unit_end(void); /* does nothing where an emulator has to be ended from outside */

#endif
