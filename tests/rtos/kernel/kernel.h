/* SPDX-License-Identifier: MIT
 * A test kernel for the Cortex-M3: preemptive, fixed priorities, tasks of the same priority in turn at each tick, and
 * flags that a task waits for. Tasks have no privilege, as those of RTX5 by default. It is there so that the library runs in tasks that are really interrupted; it is no product
 * and claims to be no RTOS. The functions of tests/rtos/cmsis2/cmsis_os2.h are its interface to port/rtos/rtos_cmsis2.c. */
#ifndef TESTS_KERNEL_H
#define TESTS_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KERNEL_GUARD = 16 }; /* words at the end of a stack that nobody may touch */

/* A task. The caller owns it and its stack; opaque. */
typedef struct kernel_task {
	uint32_t *top; /* first: PendSV finds it there */
	uint32_t *stack;
	size_t words;
	struct kernel_task *next;
	uint32_t flags;
	uint32_t wanted; /* flags; 0: it does not wait */
	uint32_t until;
	bool limited; /* it waits until then */
	uint8_t priority;
} kernel_task;

/* Adds a task that begins with `code(data)` and never returns. Higher priorities run first; 1 is the lowest. Before
 * kernel_start. */
void kernel_add(kernel_task *task, void (*code)(void *data), void *data, uint32_t *stack, size_t words,
	uint8_t priority);

/* Starts the tick, a thousand a second, and the tasks. Does not return. */
void kernel_start(uint32_t hertz);

/* Whether no task ever went beyond its stack; and the fewest words that any of them has left. */
bool kernel_guards_hold(void);
size_t kernel_least_left(void);

/* Whether the calling task has privileges. */
bool kernel_is_privileged(void);

/* How often a task was taken the processor from, by a tick or by one of higher priority. */
uint32_t kernel_preemptions(void);

/* Vectors 11, 14 and 15. */
void kernel_svc(void);
void kernel_pendsv(void);
void kernel_tick(void);

#endif
