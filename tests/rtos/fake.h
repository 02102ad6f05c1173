/* SPDX-License-Identifier: MIT
 * What the three fakes share: a call that another thread or a signal handler may give, and the owner waits for. */
#ifndef TESTS_RTOS_FAKE_H
#define TESTS_RTOS_FAKE_H

#include <stdbool.h>
#include <stdint.h>

/* Milliseconds; and how often they were asked for. */
uint32_t fake_ms(void);
unsigned fake_looks(void);

/* Gives the call. Anywhere, signal handlers included; is remembered, once. */
void fake_call(void);

/* Waits for the call; `ms` UINT32_MAX: no limit. False when the time is over. */
bool fake_wait(uint32_t ms);

/* How often the owner has begun to wait, and whether it waits now without a limit. */
unsigned fake_waits(void);
bool fake_waits_for_ever(void);

/* Waits until it is asleep for long, and nothing has woken it for a while. */
void fake_sleeps_on(void);

#endif
