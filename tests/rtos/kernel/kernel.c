/* SPDX-License-Identifier: MIT */
#include "kernel.h"

#include "cmsis_os2.h"

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define SYSTICK_CONTROL   REGISTER(0xE000E010)
#define SYSTICK_RELOAD    REGISTER(0xE000E014)
#define SYSTICK_VALUE     REGISTER(0xE000E018)
#define INTERRUPT_STATE   REGISTER(0xE000ED04)
#define PRIORITIES_3      REGISTER(0xE000ED20) /* PendSV and SysTick */

enum { FRESH = 0x5AFE57AC, IDLE_WORDS = 96, FRAME = 8, SAVED = 8, HERTZ_OF_TICK = 1000 };

static const uint32_t pendsv_pending = 1u << 28, thumb = 1u << 24;

kernel_task *kernel_current; /* PendSV knows it by name */
static kernel_task *tasks;
static kernel_task idle;
static uint32_t idle_stack[IDLE_WORDS];
static volatile uint32_t now, preemptions;

/* --- Critical sections, which may be nested */

static uint32_t lock(void)
{
	uint32_t masked;
	__asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(masked)::"memory");
	return masked;
}

static void unlock(uint32_t masked)
{
	__asm__ volatile("msr primask, %0" ::"r"(masked) : "memory");
}

/* --- Choosing */

static bool is_ready(const kernel_task *t)
{
	return t->wanted == 0;
}

/* The next one in turn of the highest priority that is ready: `tasks` is a ring. The idle task always is. */
static kernel_task *chosen(void)
{
	kernel_task *best = NULL, *t = kernel_current;
	do {
		t = t->next;
		if (is_ready(t) && (best == NULL || t->priority > best->priority))
			best = t;
	} while (t != kernel_current);
	return best;
}

/* The ring comes back to the current one last: others of its priority are before it. */
__attribute__((used)) uint32_t *kernel_switch(uint32_t *top)
{
	const uint32_t masked = lock();
	kernel_task *const before = kernel_current;
	before->top = top;
	kernel_current = chosen();
	if (is_ready(before) && before != kernel_current && before != &idle)
		preemptions = preemptions + 1;
	unlock(masked);
	return kernel_current->top;
}

/* The processor has saved half of the registers on the task's stack; the other half follows. What goes on after it has no
 * privilege. */
__attribute__((naked)) void kernel_pendsv(void)
{
	__asm__ volatile("mrs r0, psp\n\t"
			 "stmdb r0!, {r4-r11}\n\t"
			 "push {r3, lr}\n\t"
			 "bl kernel_switch\n\t"
			 "pop {r3, lr}\n\t"
			 "ldmia r0!, {r4-r11}\n\t"
			 "msr psp, r0\n\t"
			 "movs r1, #3\n\t"
			 "msr control, r1\n\t"
			 "bx lr");
}

static void reschedule(void)
{
	INTERRUPT_STATE = pendsv_pending;
	__asm__ volatile("dsb\n\tisb" ::: "memory");
}

void kernel_tick(void)
{
	const uint32_t masked = lock();
	kernel_task *t = tasks;
	now = now + 1;
	do {
		if (t->wanted != 0 && t->limited && (int32_t)(now - t->until) >= 0)
			t->wanted = 0;
		t = t->next;
	} while (t != tasks);
	unlock(masked);
	reschedule();
}

/* --- Tasks */

static void fill(uint32_t *stack, size_t words)
{
	for (size_t i = 0; i < words; i++)
		stack[i] = FRESH;
}

static void join(kernel_task *task)
{
	if (tasks == NULL)
		tasks = task->next = task;
	task->next = tasks->next;
	tasks->next = task;
}

void kernel_add(kernel_task *task, void (*code)(void *data), void *data, uint32_t *stack, size_t words,
	uint8_t priority)
{
	uint32_t *const frame = stack + words - FRAME;
	fill(stack, words);
	frame[0] = (uint32_t)(uintptr_t)data;
	frame[6] = (uint32_t)(uintptr_t)code;
	frame[7] = thumb;
	task->top = frame - SAVED;
	task->stack = stack;
	task->words = words;
	task->priority = priority;
	task->wanted = task->flags = 0;
	join(task);
}

/* What runs here becomes the idle task, on a stack of its own: the argument is in r0. */
__attribute__((naked)) static void idle_on(uint32_t *top)
{
	(void)top;
	__asm__ volatile("msr psp, r0\n\t"
			 "movs r1, #2\n\t"
			 "msr control, r1\n\t"
			 "isb\n\t"
			 "cpsie i\n"
			 "1:\twfi\n\t"
			 "b 1b");
}

void kernel_start(uint32_t hertz)
{
	fill(idle_stack, IDLE_WORDS);
	idle.stack = idle_stack;
	idle.words = IDLE_WORDS;
	join(&idle);
	kernel_current = &idle;
	PRIORITIES_3 = 0xFFu << 24 | 0xFFu << 16;
	SYSTICK_RELOAD = hertz / HERTZ_OF_TICK - 1;
	SYSTICK_VALUE = 0;
	SYSTICK_CONTROL = 7;
	(void)lock();
	reschedule();
	idle_on(idle_stack + IDLE_WORDS);
}

/* --- What a task asks of the kernel, which alone has privileges */

typedef uint32_t kernel_call(uint32_t a, uint32_t b);

__attribute__((used)) void kernel_serve(uint32_t *frame)
{
	kernel_call *const call = (kernel_call *)(uintptr_t)frame[2];
	frame[0] = call(frame[0], frame[1]);
}

__attribute__((naked)) void kernel_svc(void)
{
	__asm__ volatile("mrs r0, psp\n\t"
			 "b kernel_serve");
}

__attribute__((naked)) static uint32_t ask(uint32_t a, uint32_t b, kernel_call *call)
{
	(void)a, (void)b, (void)call;
	__asm__ volatile("svc 0\n\t"
			 "bx lr");
}

static bool is_in_interrupt(void)
{
	uint32_t number;
	__asm__ volatile("mrs %0, ipsr" : "=r"(number));
	return number != 0;
}

/* --- Stacks */

static size_t left_of(const kernel_task *t)
{
	size_t n = 0;
	while (n < t->words && t->stack[n] == FRESH)
		n++;
	return n;
}

size_t kernel_least_left(void)
{
	size_t least = SIZE_MAX;
	const kernel_task *t = tasks;
	do {
		const size_t left = left_of(t);
		least = left < least ? left : least;
		t = t->next;
	} while (t != tasks);
	return least;
}

bool kernel_guards_hold(void)
{
	return kernel_least_left() >= KERNEL_GUARD;
}

bool kernel_is_privileged(void)
{
	uint32_t control;
	__asm__ volatile("mrs %0, control" : "=r"(control));
	return (control & 1) == 0;
}

uint32_t kernel_preemptions(void)
{
	return preemptions;
}

/* --- Flags and time, under the names that the port knows */

uint32_t osKernelGetTickCount(void)
{
	return now;
}

uint32_t osKernelGetTickFreq(void)
{
	return HERTZ_OF_TICK;
}

osThreadId_t osThreadGetId(void)
{
	return kernel_current;
}

static uint32_t set_flags(uint32_t thread, uint32_t flags)
{
	kernel_task *const t = (kernel_task *)(uintptr_t)thread;
	const uint32_t masked = lock();
	const uint32_t held = t->flags |= flags;
	const bool wakes = (held & t->wanted) != 0;
	if (wakes)
		t->wanted = 0;
	unlock(masked);
	if (wakes)
		reschedule();
	return held;
}

uint32_t osThreadFlagsSet(osThreadId_t thread, uint32_t flags)
{
	const uint32_t t = (uint32_t)(uintptr_t)thread;
	return is_in_interrupt() ? set_flags(t, flags) : ask(t, flags, set_flags);
}

/* Switches when the task would go on, if it has to wait. */
static uint32_t begin_wait(uint32_t flags, uint32_t timeout)
{
	const uint32_t masked = lock();
	kernel_task *const me = kernel_current;
	if ((me->flags & flags) == 0 && timeout > 0) {
		me->limited = timeout != osWaitForever;
		me->until = now + timeout;
		me->wanted = flags;
		INTERRUPT_STATE = pendsv_pending;
	}
	unlock(masked);
	return 0;
}

static uint32_t end_wait(uint32_t flags, uint32_t unused)
{
	const uint32_t masked = lock();
	const uint32_t found = kernel_current->flags & flags;
	(void)unused;
	kernel_current->flags &= ~flags;
	unlock(masked);
	return found != 0 ? found : 0xFFFFFFFEu; /* osFlagsErrorTimeout */
}

/* Not from interrupts. */
uint32_t osThreadFlagsWait(uint32_t flags, uint32_t options, uint32_t timeout)
{
	(void)options;
	(void)ask(flags, timeout, begin_wait);
	return ask(flags, 0, end_wait);
}
