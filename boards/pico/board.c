/* SPDX-License-Identifier: MIT
 * Raspberry Pi Pico: 12 MHz straight from the crystal, UART 0 at GPIO 0 and 1, the LED at GPIO 25. */
#include "board.h"
#include "cortex_m.h"
#include "pico.h"
#include "uart/uart_pl011.h"

#define REGISTER(address)  (*(volatile uint32_t *)(uintptr_t)(address))
#define CLOCK_REF          REGISTER(0x40008030)
#define CLOCK_REF_SELECTED REGISTER(0x40008038)
#define CLOCK_SYS          REGISTER(0x4000803C)
#define CLOCK_SYS_SELECTED REGISTER(0x40008044)
#define CLOCK_PERI         REGISTER(0x40008048)
#define RESETS_CLEAR       REGISTER(0x4000F000) /* the alias that clears bits */
#define RESETS_DONE        REGISTER(0x4000C008)
#define PIN_FUNCTION(pin)  REGISTER(0x40014004 + 8 * (pin))
#define CRYSTAL            REGISTER(0x40024000)
#define CRYSTAL_STATUS     REGISTER(0x40024004)
#define CRYSTAL_STARTUP    REGISTER(0x4002400C)
#define OUT_SET            REGISTER(0xD0000014)
#define OUT_CLEAR          REGISTER(0xD0000018)
#define OUTPUTS_SET        REGISTER(0xD0000024)

#define CRYSTAL_ON     0xFABAA0u /* range 1 to 15 MHz */
#define CRYSTAL_STABLE 0x80000000u

enum { STARTUP_DELAY = 47 }; /* about 1 ms, in units of 256 clocks */
enum {
	REF_FROM_CRYSTAL = 2,
	REF_IS_CRYSTAL = 1 << 2,
	SYS_FROM_REF = 0,
	SYS_IS_REF = 1 << 0,
	PERI_FROM_SYS = 1 << 11
};
enum { PINS = 1 << 5, PADS = 1 << 8, UART_0 = 1 << 22, USED = PINS | PADS | UART_0 };
enum { TX_PIN = 0, RX_PIN = 1, LED_PIN = 25, AS_UART = 2, AS_SIO = 5 };
enum { HERTZ = 12000000, BAUD = 115200, UART_INTERRUPT = 20 };

static const port_uart_pl011_place place = { .base = 0x40034000, .fifos = true };
static port_uart_pl011 console;
static uint8_t in[1024], out[512];

void board_led(bool on)
{
	if (on)
		OUT_SET = (uint32_t)1 << LED_PIN;
	else
		OUT_CLEAR = (uint32_t)1 << LED_PIN;
}

void pico_uart(void)
{
	port_uart_pl011_interrupt(&console);
}

static void wait_for(volatile uint32_t *status, uint32_t bits)
{
	while ((*status & bits) != bits) {}
}

static void start_crystal(void)
{
	CRYSTAL_STARTUP = STARTUP_DELAY;
	CRYSTAL = CRYSTAL_ON;
	wait_for(&CRYSTAL_STATUS, CRYSTAL_STABLE);
	CLOCK_SYS = SYS_FROM_REF;
	wait_for(&CLOCK_SYS_SELECTED, SYS_IS_REF);
	CLOCK_REF = REF_FROM_CRYSTAL;
	wait_for(&CLOCK_REF_SELECTED, REF_IS_CRYSTAL);
	CLOCK_PERI = PERI_FROM_SYS;
}

static void start_pins(void)
{
	RESETS_CLEAR = USED;
	wait_for(&RESETS_DONE, USED);
	PIN_FUNCTION(TX_PIN) = AS_UART;
	PIN_FUNCTION(RX_PIN) = AS_UART;
	PIN_FUNCTION(LED_PIN) = AS_SIO;
	OUTPUTS_SET = (uint32_t)1 << LED_PIN;
}

quash_port board_start(void)
{
	static const port_uart_buffers buffers = {
		.in = in, .out = out, .in_size = sizeof in, .out_size = sizeof out
	};
	start_crystal();
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
