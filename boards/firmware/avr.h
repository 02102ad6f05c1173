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

/* Sleeps `ms` milliseconds, or until avr_stir is called: UINT32_MAX, only then. The clock's own interrupt lets it go on to sleep. */
void avr_sleep(uint32_t ms);

/* Ends the sleep, that of now or the next one. Each interrupt calls it that has brought the loop something to do: a byte, room for
 * one, quash_wake, quash_cancel_async. */
void avr_stir(void);

#endif
