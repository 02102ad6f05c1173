/* SPDX-License-Identifier: MIT
 * Arm's semihosting on a Cortex-M: words to the emulator. */
#ifndef SEMIHOSTING_H
#define SEMIHOSTING_H

void semihosting_put(char c); /* lines are written whole */
void semihosting_end(void);   /* the emulator with it */

#endif
