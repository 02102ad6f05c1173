/* SPDX-License-Identifier: MIT
 * For the programs that every board carries: a task beside the peer's that computes without end, so that the peer's task
 * always comes by preemption. */
#include "kernel.h"
#include "link.h"

enum { STACK_WORDS = 128, LOWER = LINK_PRIORITY - 1 };

static kernel_task task;
static uint32_t stack[STACK_WORDS];

static void compute(void *data)
{
	volatile uint32_t *const sum = data;
	for (;;)
		*sum = *sum * 31 + 7;
}

void add_tasks(void)
{
	static uint32_t sum;
	kernel_add(&task, compute, &sum, stack, STACK_WORDS, LOWER);
}
