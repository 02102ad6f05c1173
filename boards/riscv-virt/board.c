/* SPDX-License-Identifier: MIT
 * QEMU's virt machine: CLINT as the clock, PLIC, NS16550. The LED is only remembered. */
#include "board.h"
#include "uart/uart_16550.h"
#include "virt.h"

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define CLOCK_LOW     REGISTER(0x0200BFF8)
#define CLOCK_HIGH    REGISTER(0x0200BFFC)
#define ALARM_LOW     REGISTER(0x02004000)
#define ALARM_HIGH    REGISTER(0x02004004)
#define PLIC_PRIORITY REGISTER(0x0C000000 + 4 * UART_INTERRUPT)
#define PLIC_ENABLE   REGISTER(0x0C002000)
#define PLIC_THRESHOLD REGISTER(0x0C200000)
#define PLIC_CLAIM    REGISTER(0x0C200004)

enum { UART_INTERRUPT = 10, TICKS_A_MILLISECOND = 10000, UART_BASE = 0x10000000, DIVIDER = 2 };
enum { TIMER_BIT = 1 << 7, EXTERNAL_BIT = 1 << 11, GLOBAL_BIT = 1 << 3 };

static port_uart_16550 console;
static uint8_t in[1024], out[512];
static volatile uint32_t milliseconds;
static volatile bool led;

void board_led(bool on)
{
	led = on;
	(void)led;
}

static uint32_t now(void)
{
	return milliseconds;
}

static uint64_t clock(void)
{
	uint32_t high = CLOCK_HIGH, low = CLOCK_LOW;
	for (; high != CLOCK_HIGH; low = CLOCK_LOW)
		high = CLOCK_HIGH;
	return (uint64_t)high << 32 | low;
}

static void set_alarm(uint64_t when)
{
	ALARM_HIGH = UINT32_MAX;
	ALARM_LOW = (uint32_t)when;
	ALARM_HIGH = (uint32_t)(when >> 32);
}

/* Milliseconds that went by unseen, because the emulator slept, are made up for. */
void virt_timer(void)
{
	static uint64_t next;
	if (next == 0)
		next = clock();
	for (; next <= clock(); next += TICKS_A_MILLISECOND)
		milliseconds = milliseconds + 1;
	set_alarm(next);
}

void virt_external(void)
{
	const uint32_t claimed = PLIC_CLAIM;
	if (claimed == UART_INTERRUPT)
		port_uart_16550_interrupt(&console);
	PLIC_CLAIM = claimed;
}

quash_port board_start(void)
{
	static const port_uart_buffers buffers = { .in = in, .out = out, .in_size = sizeof in, .out_size = sizeof out };
	port_uart_16550_start(&console, UART_BASE, DIVIDER, &buffers, now);
	PLIC_PRIORITY = 1;
	PLIC_ENABLE = 1u << UART_INTERRUPT;
	PLIC_THRESHOLD = 0;
	set_alarm(clock());
	__asm__ volatile("csrw mtvec, %0" ::"r"(&virt_trap));
	__asm__ volatile("csrw mie, %0" ::"r"(TIMER_BIT | EXTERNAL_BIT));
	__asm__ volatile("csrs mstatus, %0" ::"r"(GLOBAL_BIT));
	return port_uart_port(&console.uart);
}

/* A pending interrupt ends `wfi` although interrupts are held back. The clock ends each sleep within a millisecond. */
void board_sleep(uint32_t ms)
{
	if (ms == 0)
		return;
	__asm__ volatile("csrc mstatus, %0" ::"r"(GLOBAL_BIT) : "memory");
	if (!port_uart_has_news(&console.uart))
		__asm__ volatile("wfi" ::: "memory");
	__asm__ volatile("csrs mstatus, %0" ::"r"(GLOBAL_BIT) : "memory");
}
