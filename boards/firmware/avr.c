/* SPDX-License-Identifier: MIT */
#include "avr.h"

#include <avr/interrupt.h>
#include <avr/io.h>

enum { DIVIDE_BY_64 = 1 << CS11 | 1 << CS10, TICKS = 250 };

static volatile uint32_t milliseconds;

ISR(TIMER1_COMPA_vect)
{
	milliseconds = milliseconds + 1;
}

void avr_start_clock(void)
{
	TCCR1A = 0;
	TCCR1B = 1 << WGM12 | DIVIDE_BY_64;
	OCR1A = TICKS - 1;
	TIMSK1 = 1 << OCIE1A;
}

/* Four loads: an interrupt in between is noticed by the lowest byte, which is read before and after. */
uint32_t avr_now(void)
{
	const volatile uint8_t *const lowest = (const volatile uint8_t *)&milliseconds;
	uint32_t now;
	uint8_t before;
	do {
		before = *lowest;
		now = milliseconds;
	} while (*lowest != before);
	return now;
}
