/* SPDX-License-Identifier: MIT
 * What the boards with a megaAVR at 16 MHz share: reset and the clock. */
#ifndef AVR_H
#define AVR_H

#include <stdint.h>

void avr_vectors(void); /* the board's, at address 0 */
void avr_reset(void);   /* vector 0 */
void avr_stop(void);    /* for unexpected vectors: for ever */

/* Starts timer 1 at a thousand ticks a second. */
void avr_start_clock(void);

/* Milliseconds since then. */
uint32_t avr_now(void);

#endif
