/* SPDX-License-Identifier: MIT */
#include "avr.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

#include <stdbool.h>

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

static volatile bool stirred;

void avr_stir(void)
{
	stirred = true;
}

/* QEMU keeps nothing in SMCR, and does not come back from the instruction SLEEP. */
static bool can_sleep(void)
{
	SMCR = 1 << SE; /* idle: UART and timer go on */
	return SMCR != 0;
}

/* An interrupt that comes after the question ends the sleep: `sei` takes effect an instruction late. */
void avr_sleep(uint32_t ms)
{
	const uint32_t from = avr_now();
	while (can_sleep() && avr_now() - from < ms) {
		cli();
		if (stirred)
			break;
		sei();
		sleep_cpu();
	}
	sei();
	SMCR = 0;
	stirred = false;
}
