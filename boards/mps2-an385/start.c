/* SPDX-License-Identifier: MIT
 * AN385's vectors: those of the Cortex-M3, then UART 0. */
#include "cortex_m.h"
#include "mps2.h"

__attribute__((section(".vectors"), used)) static const cortex_m_vector vectors[] = {
	{ .stack = stack_top },
	{ .code = cortex_m_reset },
	{ .code = cortex_m_stop }, /* NMI */
	{ .code = cortex_m_stop }, /* hard fault */
	{ .code = cortex_m_stop }, /* memory fault */
	{ .code = cortex_m_stop }, /* bus fault */
	{ .code = cortex_m_stop }, /* usage fault */
	{ NULL }, { NULL }, { NULL }, { NULL },
	{ .code = cortex_m_stop }, /* SVCall */
	{ .code = cortex_m_stop }, /* debug */
	{ NULL },
	{ .code = cortex_m_stop }, /* PendSV */
	{ .code = cortex_m_tick },
	{ .code = mps2_uart_receive },
	{ .code = mps2_uart_transmit },
};
