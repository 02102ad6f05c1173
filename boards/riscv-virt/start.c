/* SPDX-License-Identifier: MIT
 * From reset to main on RV32, and the one trap vector. */
#include "virt.h"

#include <stdint.h>

extern uint32_t ram_zero_start[], ram_zero_end[];

int main(void);

/* No stack yet. */
__attribute__((naked, section(".start"), used)) void start(void)
{
	__asm__ volatile("la sp, stack_top\n"
			 "j virt_reset");
}

__attribute__((used)) void virt_reset(void)
{
	for (uint32_t *to = ram_zero_start; to < ram_zero_end; to++)
		*to = 0;
	(void)main();
	for (;;)
		__asm__ volatile("wfi");
}

__attribute__((interrupt("machine"), aligned(4))) void virt_trap(void)
{
	enum { TIMER = 7, EXTERNAL = 11 };
	uint32_t cause;
	__asm__ volatile("csrr %0, mcause" : "=r"(cause));
	if (cause == (0x80000000u | TIMER))
		virt_timer();
	else if (cause == (0x80000000u | EXTERNAL))
		virt_external();
	else
		for (;;)
			__asm__ volatile("wfi"); /* a fault of ours */
}
