/* SPDX-License-Identifier: MIT
 * The nRF51's vectors: those of the Cortex-M0, then UART (2) and TIMER0 (8). */
#include "cortex_m.h"
#include "microbit.h"

__attribute__((section(".vectors"), used)) static const cortex_m_vector vectors[] = {
	{ .stack = stack_top },
	{ .code = cortex_m_reset },
	{ .code = cortex_m_stop }, /* NMI */
	{ .code = cortex_m_stop }, /* hard fault */
	{ NULL }, { NULL }, { NULL }, { NULL }, { NULL }, { NULL }, { NULL },
	{ .code = cortex_m_stop }, /* SVCall */
	{ NULL }, { NULL },
	{ .code = cortex_m_stop }, /* PendSV */
	{ NULL },                  /* the nRF51 has no SysTick */
	{ .code = cortex_m_stop }, /* power, clock */
	{ .code = cortex_m_stop }, /* radio */
	{ .code = microbit_uart },
	{ .code = cortex_m_stop }, /* SPI, TWI 0 */
	{ .code = cortex_m_stop }, /* SPI, TWI 1 */
	{ NULL },
	{ .code = cortex_m_stop }, /* GPIOTE */
	{ .code = cortex_m_stop }, /* ADC */
	{ .code = microbit_timer },
};
