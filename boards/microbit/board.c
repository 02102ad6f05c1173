/* SPDX-License-Identifier: MIT
 * micro:bit V1: UART to the USB interface chip, TIMER0 as the clock, the LED in the upper left corner. */
#include "board.h"
#include "cortex_m.h"
#include "microbit.h"
#include "uart/uart_nrf51.h"

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define GPIO_SET       REGISTER(0x50000508)
#define GPIO_CLEAR     REGISTER(0x5000050C)
#define GPIO_OUTPUTS   REGISTER(0x50000518)
#define TIMER_START    REGISTER(0x40008000)
#define TIMER_COMPARED REGISTER(0x40008140)
#define TIMER_SHORTS   REGISTER(0x40008200)
#define TIMER_ENABLE   REGISTER(0x40008304)
#define TIMER_BITS     REGISTER(0x40008508)
#define TIMER_PRESCALE REGISTER(0x40008510)
#define TIMER_COMPARE  REGISTER(0x40008540)

enum { LED_ROW = 1 << 13, LED_COLUMN = 1 << 4, TX_PIN = 24, RX_PIN = 25, TIMER_INTERRUPT = 8 };
enum { COMPARE_CLEARS = 1 << 0, COMPARE_INTERRUPT = 1 << 16, WIDE_32 = 3, TO_MEGAHERTZ = 4 };

static port_uart_nrf51 console;
static uint8_t in[128], out[64];
static volatile uint32_t milliseconds;

void board_led(bool on)
{
	if (on)
		GPIO_SET = LED_ROW;
	else
		GPIO_CLEAR = LED_ROW;
}

static uint32_t now(void)
{
	return milliseconds;
}

void microbit_timer(void)
{
	TIMER_COMPARED = 0;
	milliseconds = milliseconds + 1;
}

static void start_clock(void)
{
	TIMER_BITS = WIDE_32;
	TIMER_PRESCALE = TO_MEGAHERTZ;
	TIMER_COMPARE = 1000;
	TIMER_SHORTS = COMPARE_CLEARS;
	TIMER_ENABLE = COMPARE_INTERRUPT;
	TIMER_START = 1;
	cortex_m_enable(TIMER_INTERRUPT);
}

void microbit_uart(void)
{
	port_uart_nrf51_interrupt(&console);
}

quash_port board_start(void)
{
	static const port_uart_buffers buffers = { .in = in, .out = out, .in_size = sizeof in, .out_size = sizeof out };
	static const port_uart_nrf51_pins pins = { .tx = TX_PIN, .rx = RX_PIN, .rate = 0x01D7E000 };
	GPIO_OUTPUTS = LED_ROW | LED_COLUMN | 1u << TX_PIN;
	start_clock();
	port_uart_nrf51_start(&console, &pins, &buffers, now);
	cortex_m_enable(PORT_UART_NRF51_INTERRUPT);
	return port_uart_port(&console.uart);
}

/* The clock ends each sleep within a millisecond. */
void board_sleep(uint32_t ms)
{
	cortex_m_sleep(ms, &console.uart);
}
