/* SPDX-License-Identifier: MIT
 * A board's second UART, which only transmits, by polling. Boards that have it here: tests/safe/BOARD.c. */
#ifndef SAFE_SECOND_H
#define SAFE_SECOND_H

/** Switches it on, after board_start. */
void second_start(void);

/** Transmits a byte; waits for the hardware only. */
void second_put(char byte);

#endif
