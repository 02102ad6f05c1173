/* SPDX-License-Identifier: MIT
 * The ATmega328P's vectors up to the last that is used: reset, timer 1 (11), USART 0 (18, 19). */
#include "avr.h"

__attribute__((naked, section(".vectors"), used)) void avr_vectors(void)
{
	__asm__ volatile("jmp avr_reset\n"
			 ".rept 10\n jmp avr_stop\n .endr\n"
			 "jmp __vector_11\n"
			 ".rept 6\n jmp avr_stop\n .endr\n"
			 "jmp __vector_18\n"
			 "jmp __vector_19\n");
}
