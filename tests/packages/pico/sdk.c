/* SPDX-License-Identifier: MIT
 * A stand-in for the pico-sdk on the emulated chip: vectors, time, pins and sleep, as far as the package uses them. The clock
 * is the crystal's 12 MHz, which the emulator starts with nothing to wait for. */
#include "hardware/sync.h"
#include "pico/stdlib.h"
#include "pico/unique_id.h"

#include "cortex_m.h"
#include "stand_in.h"

#include <stdio.h>

#define REGISTER(address)  (*(volatile uint32_t *)(uintptr_t)(address))
#define RESETS_CLEAR       REGISTER(0x4000F000) /* the alias that clears bits */
#define PIN_FUNCTION(pin)  REGISTER(0x40014004 + 8 * (pin))
#define OUT_SET            REGISTER(0xD0000014)
#define OUT_CLEAR          REGISTER(0xD0000018)
#define OUTPUTS_SET        REGISTER(0xD0000024)
#define OUTPUTS_CLEAR      REGISTER(0xD0000028)
#define CLOCK_SYS          REGISTER(0x4000803C)
#define CLOCK_REF          REGISTER(0x40008030)

enum { PINS = 1 << 5, PADS = 1 << 8, AS_SIO = 5, FROM_CRYSTAL = 2, HERTZ = 12000000 };

__attribute__((section(".vectors"), used)) static const cortex_m_vector vectors[] = {
	{ .stack = stack_top },
	{ .code = cortex_m_reset },
	{ .code = cortex_m_stop }, /* NMI */
	{ .code = cortex_m_stop }, /* hard fault */
	[11] = { .code = cortex_m_stop },
	[14] = { .code = cortex_m_stop },
	[15] = { .code = cortex_m_tick },
	[16 + USB_INTERRUPT] = { .code = device_stack_interrupt },
};

/* --- Time */

absolute_time_t get_absolute_time(void)
{
	static bool started;
	if (!started) {
		CLOCK_SYS = 0;
		CLOCK_REF = FROM_CRYSTAL;
		cortex_m_start_clock(HERTZ);
	}
	started = true;
	return (absolute_time_t)cortex_m_now() * 1000;
}

uint32_t to_ms_since_boot(absolute_time_t t)
{
	return (uint32_t)(t / 1000);
}

absolute_time_t make_timeout_time_ms(uint32_t ms)
{
	return get_absolute_time() + (absolute_time_t)ms * 1000;
}

/* The tick ends it within a millisecond; it may come back earlier. */
bool best_effort_wfe_or_timeout(absolute_time_t until)
{
	if (get_absolute_time() >= until)
		return true;
	__wfe();
	return false;
}

void __wfe(void)
{
	__asm__ volatile("wfe" ::: "memory");
}

void __sev(void)
{
	__asm__ volatile("sev" ::: "memory");
}

/* --- The console, which nobody reads */

bool stdio_init_all(void)
{
	return true;
}

int puts(const char *line)
{
	(void)line;
	return 0;
}

/* --- Pins */

void gpio_init(uint gpio)
{
	RESETS_CLEAR = PINS | PADS;
	OUTPUTS_CLEAR = (uint32_t)1 << gpio;
	OUT_CLEAR = (uint32_t)1 << gpio;
	PIN_FUNCTION(gpio) = AS_SIO;
}

void gpio_set_dir(uint gpio, bool out)
{
	if (out)
		OUTPUTS_SET = (uint32_t)1 << gpio;
	else
		OUTPUTS_CLEAR = (uint32_t)1 << gpio;
}

void gpio_put(uint gpio, bool value)
{
	if (value)
		OUT_SET = (uint32_t)1 << gpio;
	else
		OUT_CLEAR = (uint32_t)1 << gpio;
}

void pico_get_unique_board_id_string(char *id, unsigned int size)
{
	static const char text[] = "E660000000000000";
	unsigned int i = 0;
	for (; i + 1 < size && i < sizeof text - 1; i++)
		id[i] = text[i];
	if (size > 0)
		id[i] = '\0';
}
