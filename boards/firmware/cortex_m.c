/* SPDX-License-Identifier: MIT
 * From reset to main on any Cortex-M. The linker script names where data and zeros go. */
#include "cortex_m.h"

extern uint32_t ram_data_start[], ram_data_end[], flash_data[], ram_zero_start[], ram_zero_end[];

int main(void);

void cortex_m_reset(void)
{
	const uint32_t *from = flash_data;
	for (uint32_t *to = ram_data_start; to < ram_data_end; to++)
		*to = *from++;
	for (uint32_t *to = ram_zero_start; to < ram_zero_end; to++)
		*to = 0;
	(void)main();
	cortex_m_stop();
}

void cortex_m_stop(void)
{
	for (;;)
		__asm__ volatile("wfi");
}
