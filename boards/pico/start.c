/* SPDX-License-Identifier: MIT
 * The RP2040's vectors: those of the Cortex-M0+, then alarm 0 of the timer (0) and UART 0 (20). */
#include "cortex_m.h"
#include "pico.h"

__attribute__((section(".vectors"), used)) static const cortex_m_vector vectors[] = {
	{ .stack = stack_top },
	{ .code = cortex_m_reset },
	{ .code = cortex_m_stop }, /* NMI */
	{ .code = cortex_m_stop }, /* hard fault */
	{ NULL },
	{ NULL },
	{ NULL },
	{ NULL },
	{ NULL },
	{ NULL },
	{ NULL },
	{ .code = cortex_m_stop }, /* SVCall */
	{ NULL },
	{ NULL },
	{ .code = cortex_m_stop }, /* PendSV */
	{ .code = cortex_m_stop }, /* SysTick */
	{ .code = pico_timer },
	{ .code = cortex_m_stop },
	{ .code = cortex_m_stop },
	{ .code = cortex_m_stop },
	{ .code = cortex_m_stop }, /* PWM */
	{ .code = cortex_m_stop }, /* USB */
	{ .code = cortex_m_stop }, /* flash */
	{ .code = cortex_m_stop }, /* PIO 0 */
	{ .code = cortex_m_stop },
	{ .code = cortex_m_stop }, /* PIO 1 */
	{ .code = cortex_m_stop },
	{ .code = cortex_m_stop }, /* DMA */
	{ .code = cortex_m_stop },
	{ .code = cortex_m_stop }, /* pins */
	{ .code = cortex_m_stop },
	{ .code = cortex_m_stop }, /* SIO */
	{ .code = cortex_m_stop },
	{ .code = cortex_m_stop }, /* clocks */
	{ .code = cortex_m_stop }, /* SPI 0 */
	{ .code = cortex_m_stop }, /* SPI 1 */
	{ .code = pico_uart },
};
