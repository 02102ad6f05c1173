/* SPDX-License-Identifier: MIT
 * Raspberry Pi Pico: 12 MHz straight from the crystal, UART 0 at GPIO 0 and 1, the LED at GPIO 25. No tick: the time is that of
 * the microsecond timer, whose alarm ends the sleep when something is due (RP2040 datasheet, 4.6). */
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
#define TIMER_ALARM        REGISTER(0x40054010) /* alarm 0; armed by the write */
#define TIMER_LOW          REGISTER(0x40054028) /* without latching the other half */
#define TIMER_RAISED       REGISTER(0x40054034)
#define TIMER_ENABLED      REGISTER(0x40054038)
#define WATCHDOG_TICK      REGISTER(0x4005802C)
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
enum { PINS = 1 << 5, PADS = 1 << 8, TIMER = 1 << 21, UART_0 = 1 << 22, USED = PINS | PADS | TIMER | UART_0 };
enum { ALARM = 1 << 0, TICK_ON = 1 << 9, CLOCKS_A_TICK = 12, TIMER_INTERRUPT = 0 };
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

void pico_timer(void)
{
	TIMER_RAISED = ALARM;
}

/* To be asked more often than the microseconds come round, in 71 minutes: no sleep is longer. */
static uint32_t now(void)
{
	static uint32_t ms, rest, last;
	const uint32_t us = TIMER_LOW;
	rest += us - last;
	last = us;
	ms += rest / 1000;
	rest %= 1000;
	return ms;
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
	WATCHDOG_TICK = TICK_ON | CLOCKS_A_TICK; /* a microsecond */
	TIMER_ENABLED = ALARM;
	cortex_m_enable(TIMER_INTERRUPT);
	port_uart_pl011_start(&console, &place, port_uart_pl011_divider(HERTZ, BAUD), &buffers, now);
	cortex_m_enable(UART_INTERRUPT);
	return port_uart_port(&console.uart);
}

/* An alarm that is past when it is set would come in 71 minutes: so soon ones are not slept for. */
void board_sleep(uint32_t ms)
{
	const uint32_t longest = 30 * 60 * 1000;
	const uint32_t until = TIMER_LOW + (ms < longest ? ms : longest) * 1000;
	if (ms == 0)
		return;
	TIMER_ALARM = until;
	if ((int32_t)(until - TIMER_LOW) > 0)
		cortex_m_sleep(ms, &console.uart);
}
