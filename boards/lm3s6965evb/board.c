/* SPDX-License-Identifier: MIT
 * LM3S6965: 50 MHz from the PLL and the crystal of 8 MHz, UART 0 to the USB interface chip, the status LED. */
#include "board.h"
#include "cortex_m.h"
#include "lm3s.h"
#include "uart/uart_pl011.h"

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define RAW_EVENTS        REGISTER(0x400FE050) /* system control */
#define CLOCK             REGISTER(0x400FE060)
#define CLOCKED_UARTS     REGISTER(0x400FE104)
#define CLOCKED_PORTS     REGISTER(0x400FE108)
#define PORT_A_FUNCTION   REGISTER(0x40004420)
#define PORT_A_DIGITAL    REGISTER(0x4000451C)
#define PORT_F_OUTPUTS    REGISTER(0x40025400)
#define PORT_F_DIGITAL    REGISTER(0x4002551C)
#define LED               REGISTER(0x40025004) /* port F's data, its pin 0 alone */

enum { PLL_BYPASSED = 1 << 11, PLL_OFF = 1 << 13, DIVIDER_USED = 1 << 22 };
enum { CRYSTAL_8_MHZ = 14 << 6, BY_FOUR = 3 << 23, PLL_LOCKED = 1 << 6 };
enum { UART_0 = 1 << 0, PORT_A = 1 << 0, PORT_F = 1 << 5, UART_PINS = 3, LED_PIN = 1 };
enum { HERTZ = 50000000, BAUD = 115200, UART_INTERRUPT = 5 };

/* No FIFOs: an emulator's client transmits before anyone receives. */
static const port_uart_pl011_place place = { .base = 0x4000C000, .fifos = false };
static port_uart_pl011 console;
static uint8_t in[512], out[256];

void board_led(bool on)
{
	LED = on ? LED_PIN : 0;
}

void lm3s_uart(void)
{
	port_uart_pl011_interrupt(&console);
}

static void start_pll(void)
{
	CLOCK = CRYSTAL_8_MHZ | PLL_BYPASSED | PLL_OFF;
	CLOCK = CRYSTAL_8_MHZ | PLL_BYPASSED | BY_FOUR | DIVIDER_USED;
	while ((RAW_EVENTS & PLL_LOCKED) == 0) {}
	CLOCK = CRYSTAL_8_MHZ | BY_FOUR | DIVIDER_USED;
}

static void start_pins(void)
{
	CLOCKED_UARTS = UART_0;
	CLOCKED_PORTS = PORT_A | PORT_F;
	(void)CLOCKED_PORTS; /* they are ready three clocks later */
	(void)CLOCKED_PORTS;
	PORT_A_FUNCTION = UART_PINS;
	PORT_A_DIGITAL = UART_PINS;
	PORT_F_OUTPUTS = LED_PIN;
	PORT_F_DIGITAL = LED_PIN;
}

quash_port board_start(void)
{
	static const port_uart_buffers buffers = {
		.in = in, .out = out, .in_size = sizeof in, .out_size = sizeof out
	};
	start_pll();
	start_pins();
	cortex_m_start_clock(HERTZ);
	port_uart_pl011_start(&console, &place, port_uart_pl011_divider(HERTZ, BAUD), &buffers, cortex_m_now);
	cortex_m_enable(UART_INTERRUPT);
	return port_uart_port(&console.uart);
}

/* SysTick ends each sleep within a millisecond. */
void board_sleep(uint32_t ms)
{
	cortex_m_sleep(ms, &console.uart);
}
