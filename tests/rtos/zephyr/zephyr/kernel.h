/* SPDX-License-Identifier: MIT
 * No header of Zephyr: it states what port/rtos/rtos_zephyr.c and the sample of port/zephyr use of one, and offers it to
 * fake.c, so that both can be compiled and tried where there is no Zephyr. Names, types and parameters are those of Zephyr 4. */
#ifndef ZEPHYR_STATED_KERNEL_H
#define ZEPHYR_STATED_KERNEL_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
	int64_t ticks;
} k_timeout_t;

#define K_FOREVER  ((k_timeout_t){ -1 })
#define K_MSEC(ms) ((k_timeout_t){ (int64_t)(ms) })

/* Opaque. */
struct k_sem {
	void *fake;
};

int k_sem_init(struct k_sem *sem, unsigned int initial_count, unsigned int limit);
int k_sem_take(struct k_sem *sem, k_timeout_t timeout);
void k_sem_give(struct k_sem *sem);
uint32_t k_uptime_get_32(void);
int32_t k_msleep(int32_t ms);
unsigned int irq_lock(void);
void irq_unlock(unsigned int key);

typedef void (*k_thread_entry_t)(void *p1, void *p2, void *p3);

/* The one thread that a program defines, for those that run it. */
struct stated_thread {
	k_thread_entry_t entry;
	void *p1, *p2, *p3;
	size_t stack_size;
	int priority;
	uint32_t options;
	int32_t delay;
};

extern const struct stated_thread stated_thread;

#define K_THREAD_DEFINE(name, stack_size, entry, p1, p2, p3, prio, options, delay) \
	const struct stated_thread stated_thread = { entry, p1, p2, p3, stack_size, prio, options, delay }

#endif
