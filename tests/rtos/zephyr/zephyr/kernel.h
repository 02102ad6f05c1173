/* SPDX-License-Identifier: MIT
 * No header of Zephyr: it states what port/rtos/rtos_zephyr.c uses of one, and offers it to fake.c, so that the port can be
 * compiled and tried where there is no Zephyr. Names, types and parameters are those of Zephyr 4. */
#ifndef ZEPHYR_STATED_KERNEL_H
#define ZEPHYR_STATED_KERNEL_H

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

#endif
