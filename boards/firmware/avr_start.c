/* SPDX-License-Identifier: MIT
 * From reset to main on any megaAVR. The linker script names where data and zeros go. */
#include "avr.h"

#ifdef __AVR_HAVE_ELPMX__
#define BEYOND_64K "ldi r16, hh8(flash_data)\n out 0x3b, r16\n" /* RAMPZ */
#define READ_FLASH "1: elpm r0, Z+\n"
#else
#define BEYOND_64K ""
#define READ_FLASH "1: lpm r0, Z+\n"
#endif

/* The compiler takes it for granted that r1 is 0, and that somebody has done what the two labels stand for. */
__attribute__((naked, used)) void avr_reset(void)
{
	__asm__ volatile("clr r1\n"
			 "out 0x3f, r1\n" /* SREG */
			 "ldi r28, lo8(stack_top - 1)\n"
			 "ldi r29, hi8(stack_top - 1)\n"
			 "out 0x3e, r29\n" /* SP */
			 "out 0x3d, r28\n"
			 ".global __do_copy_data\n"
			 "__do_copy_data:\n"
			 "ldi r26, lo8(ram_data_start)\n"
			 "ldi r27, hi8(ram_data_start)\n"
			 "ldi r30, lo8(flash_data)\n"
			 "ldi r31, hi8(flash_data)\n"
			 "ldi r17, hi8(ram_data_end)\n" BEYOND_64K "rjmp 2f\n" READ_FLASH "st X+, r0\n"
			 "2: cpi r26, lo8(ram_data_end)\n"
			 "cpc r27, r17\n"
			 "brne 1b\n"
			 ".global __do_clear_bss\n"
			 "__do_clear_bss:\n"
			 "ldi r17, hi8(ram_zero_end)\n"
			 "rjmp 4f\n"
			 "3: st X+, r1\n"
			 "4: cpi r26, lo8(ram_zero_end)\n"
			 "cpc r27, r17\n"
			 "brne 3b\n"
			 "call main\n"
			 "rjmp avr_stop\n");
}

/* For unexpected vectors, and after main. */
__attribute__((naked, used)) void avr_stop(void)
{
	__asm__ volatile("cli\n"
			 "1: rjmp 1b\n");
}
