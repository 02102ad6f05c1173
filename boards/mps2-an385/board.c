/* SPDX-License-Identifier: MIT
 * AN385: 25 MHz, UART 0, the first user LED of the FPGA's system registers. */
#include "board.h"
#include "cortex_m.h"
#include "mps2.h"
#include "uart/uart_cmsdk.h"

enum { HERTZ = 25000000, BAUD = 115200, RECEIVE = 0, TRANSMIT = 1, UART_BASE = 0x40004000 };

static port_uart_cmsdk console;
static uint8_t in[1024], out[512];

void board_led(bool on)
{
	volatile uint32_t *const leds = (volatile uint32_t *)0x40028000;
	*leds = on ? 1 : 0;
}

void mps2_uart_receive(void)
{
	port_uart_cmsdk_receive(&console);
}

void mps2_uart_transmit(void)
{
	port_uart_cmsdk_transmit(&console);
}

quash_port board_start(void)
{
	static const port_uart_buffers buffers = { .in = in, .out = out, .in_size = sizeof in, .out_size = sizeof out };
	cortex_m_start_clock(HERTZ);
	port_uart_cmsdk_start(&console, UART_BASE, HERTZ / BAUD, &buffers, cortex_m_now);
	cortex_m_enable(RECEIVE);
	cortex_m_enable(TRANSMIT);
	return port_uart_port(&console.uart);
}

/* SysTick ends each sleep within a millisecond. */
void board_sleep(uint32_t ms)
{
	cortex_m_sleep(ms, &console.uart);
}
