/* SPDX-License-Identifier: MIT
 * AN385's vectors, with the test kernel's. A fault says so with a line that no protocol has. */
#include "cortex_m.h"
#include "kernel.h"
#include "link.h"

static void fault(void)
{
	volatile uint32_t *const data = (volatile uint32_t *)0x40004000, *const state = data + 1;
	for (const char *text = "\nfault\n"; *text != '\0'; text++) {
		while ((*state & 1) != 0)
			continue;
		*data = (uint8_t)*text;
	}
	cortex_m_stop();
}

__attribute__((section(".vectors"), used)) static const cortex_m_vector vectors[] = {
	{ .stack = stack_top },
	{ .code = cortex_m_reset },
	{ .code = fault }, /* NMI */
	{ .code = fault }, /* hard fault */
	{ .code = fault }, /* memory fault */
	{ .code = fault }, /* bus fault */
	{ .code = fault }, /* usage fault */
	{ NULL },
	{ NULL },
	{ NULL },
	{ NULL },
	{ .code = kernel_svc },
	{ .code = fault }, /* debug */
	{ NULL },
	{ .code = kernel_pendsv },
	{ .code = kernel_tick },
	{ .code = link_receive },
	{ .code = link_transmit },
};
