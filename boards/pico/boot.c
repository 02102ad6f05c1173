/* SPDX-License-Identifier: MIT
 * The second stage of the RP2040's boot (its datasheet, 2.8.1 and 4.10): the boot ROM copies it to RAM and jumps there,
 * with no stack of ours. It lets the flash be read at 0x10000000 by the command 03h, which every flash understands, and
 * enters the program by its vectors. A change needs another checksum in link.ld. */
#include "cortex_m.h"

void pico_boot(void);

__attribute__((section(".boot"), used, naked)) void pico_boot(void)
{
	__asm__("	ldr r3, ssi\n"
		"	movs r0, #0\n"
		"	str r0, [r3, #0x08]\n" /* off */
		"	str r0, [r3, #0x04]\n" /* a word at a time */
		"	movs r1, #4\n"
		"	str r1, [r3, #0x14]\n" /* a quarter of the system's clock */
		"	ldr r1, frame\n"
		"	str r1, [r3, #0x00]\n"
		"	ldr r1, command\n"
		"	ldr r2, command_register\n"
		"	str r1, [r2]\n"
		"	movs r0, #1\n"
		"	str r0, [r3, #0x08]\n" /* on */
		"	ldr r0, vectors_at\n"
		"	ldr r1, vector_register\n"
		"	str r0, [r1]\n"
		"	ldmia r0!, {r1, r2}\n"
		"	msr msp, r1\n"
		"	bx r2\n"
		"	.balign 4\n"
		"ssi: .word 0x18000000\n"
		"command_register: .word 0x180000f4\n"
		"frame: .word 0x001f0300\n"   /* 32 bits, sent first, then read */
		"command: .word 0x03000218\n" /* 03h, 8 bits, then 24 bits of address, one wire each */
		"vectors_at: .word 0x10000100\n"
		"vector_register: .word 0xe000ed08\n");
}
