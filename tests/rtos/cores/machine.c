/* SPDX-License-Identifier: MIT
 * From reset to the programs of two harts. Hart 1 sleeps until hart 0 raises its software interrupt for the first time. */
#include "machine.h"

#include "check.h"

#define WORD(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define BYTE(address) (*(volatile uint8_t *)(uintptr_t)(address))
#define RAISED        WORD(0x02000004)
#define ALARM_LOW(hart)  WORD(0x02004000 + 8 * (hart))
#define ALARM_HIGH(hart) WORD(0x02004004 + 8 * (hart))
#define UART_DATA     BYTE(0x10000000)
#define UART_STATUS   BYTE(0x10000005)
#define FINISHER      WORD(0x00100000)

enum { SOFTWARE_BIT = 1 << 3, TIMER_BIT = 1 << 7, GLOBAL_BIT = 1 << 3, CAN_SEND = 0x20, TICKS_A_MILLISECOND = 10000, NAP = 300 };
enum { PASS = 0x5555, FAIL = 1 << 16 | 0x3333 };

extern uint32_t ram_zero_start[], ram_zero_end[];

__attribute__((naked, section(".start"), used)) void start(void)
{
	__asm__ volatile("csrr t0, mhartid\n"
			 "bnez t0, 1f\n"
			 "la sp, stack_of_owner\n"
			 "j machine_owner\n"
			 "1: la sp, stack_of_other\n"
			 "j machine_other");
}

void machine_raise(void)
{
	__asm__ volatile("fence rw, ow" ::: "memory");
	RAISED = 1;
}

static uint64_t ticks(void)
{
	uint32_t high, low, again;
	do {
		__asm__ volatile("rdtimeh %0\n"
				 "rdtime %1\n"
				 "rdtimeh %2"
				 : "=&r"(high), "=&r"(low), "=&r"(again));
	} while (high != again);
	return (uint64_t)high << 32 | low;
}

uint32_t machine_now(void)
{
	return (uint32_t)(ticks() / TICKS_A_MILLISECOND);
}

/* A pending interrupt ends `wfi` although interrupts are held back. */
void machine_nap(void)
{
	const uint64_t until = ticks() + NAP;
	uint32_t hart, before;
	__asm__ volatile("csrr %0, mhartid" : "=r"(hart));
	__asm__ volatile("csrrc %0, mstatus, %1" : "=r"(before) : "r"(GLOBAL_BIT) : "memory");
	ALARM_HIGH(hart) = UINT32_MAX;
	ALARM_LOW(hart) = (uint32_t)until;
	ALARM_HIGH(hart) = (uint32_t)(until >> 32);
	__asm__ volatile("csrs mie, %0" ::"r"(TIMER_BIT));
	__asm__ volatile("wfi" ::: "memory");
	__asm__ volatile("csrc mie, %0" ::"r"(TIMER_BIT));
	__asm__ volatile("csrs mstatus, %0" ::"r"(before & GLOBAL_BIT) : "memory");
}

void check_print(const char *text)
{
	for (; *text != '\0'; text++) {
		while ((UART_STATUS & CAN_SEND) == 0)
			;
		UART_DATA = (uint8_t)*text;
	}
}

/* Taken back before it looks: what is raised from then on comes again. A fault ends the test. */
__attribute__((interrupt("machine"), aligned(4))) static void trap(void)
{
	enum { SOFTWARE = 3 };
	uint32_t cause;
	__asm__ volatile("csrr %0, mcause" : "=r"(cause));
	if (cause != (0x80000000u | SOFTWARE))
		FINISHER = FAIL;
	RAISED = 0;
	__asm__ volatile("fence iorw, iorw" ::: "memory");
	other_interrupt();
}

__attribute__((used, noreturn)) void machine_owner(void)
{
	__asm__ volatile("csrw mtvec, %0" ::"r"(&trap));
	for (uint32_t *to = ram_zero_start; to < ram_zero_end; to++)
		*to = 0;
	FINISHER = owner_main() ? PASS : FAIL;
	for (;;)
		__asm__ volatile("wfi");
}

__attribute__((used, noreturn)) void machine_other(void)
{
	__asm__ volatile("csrw mtvec, %0" ::"r"(&trap));
	__asm__ volatile("csrw mie, %0" ::"r"(SOFTWARE_BIT));
	while (RAISED == 0)
		__asm__ volatile("wfi");
	__asm__ volatile("fence iorw, iorw" ::: "memory");
	__asm__ volatile("csrs mstatus, %0" ::"r"(GLOBAL_BIT) : "memory");
	other_main();
	for (;;)
		__asm__ volatile("wfi");
}
