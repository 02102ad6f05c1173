/* SPDX-License-Identifier: MIT
 * The ATmega2560's 57 vectors: reset, timer 1 (17), USART 0 (25, 26). */
#include "avr.h"

__attribute__((naked, section(".vectors"), used)) void avr_vectors(void)
{
	__asm__ volatile("jmp avr_reset\n"
			 ".rept 16\n jmp avr_stop\n .endr\n"
			 "jmp __vector_17\n"
			 ".rept 7\n jmp avr_stop\n .endr\n"
			 "jmp __vector_25\n"
			 "jmp __vector_26\n"
			 ".rept 30\n jmp avr_stop\n .endr\n");
}
