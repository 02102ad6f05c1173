/* SPDX-License-Identifier: MIT
 * The LM3S6965's vectors: those of the Cortex-M3, then UART 0 (5). */
#include "cortex_m.h"
#include "lm3s.h"

__attribute__((section(".vectors"), used)) static const cortex_m_vector vectors[] = {
	{ .stack = stack_top },
	{ .code = cortex_m_reset },
	{ .code = cortex_m_stop }, /* NMI */
	{ .code = cortex_m_stop }, /* hard fault */
	{ .code = cortex_m_stop }, /* memory fault */
	{ .code = cortex_m_stop }, /* bus fault */
	{ .code = cortex_m_stop }, /* usage fault */
	{ NULL },
	{ NULL },
	{ NULL },
	{ NULL },
	{ .code = cortex_m_stop }, /* SVCall */
	{ .code = cortex_m_stop }, /* debug */
	{ NULL },
	{ .code = cortex_m_stop }, /* PendSV */
	{ .code = cortex_m_tick },
	{ .code = cortex_m_stop }, /* GPIO A to E */
	{ .code = cortex_m_stop },
	{ .code = cortex_m_stop },
	{ .code = cortex_m_stop },
	{ .code = cortex_m_stop },
	{ .code = lm3s_uart },
};
