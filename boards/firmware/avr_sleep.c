/* SPDX-License-Identifier: MIT */
#include "avr.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

#include <stdbool.h>

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
