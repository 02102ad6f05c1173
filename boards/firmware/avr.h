/* SPDX-License-Identifier: MIT
 * What the boards with a megaAVR at 16 MHz share. */
#ifndef AVR_H
#define AVR_H

#include <stdint.h>

/* Starts timer 1 at a thousand ticks a second. */
void avr_start_clock(void);

/* Milliseconds since then. */
uint32_t avr_now(void);

#endif
