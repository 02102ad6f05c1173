/* SPDX-License-Identifier: MIT
 * The time of ESP-IDF, for the ports beside it. */
#ifndef QUASH_ESP_TIME_H
#define QUASH_ESP_TIME_H

#include "../rtos/rtos.h"

#include <esp_timer.h>
#include <freertos/FreeRTOS.h>

/** Milliseconds since the start; wraps at 2^32, as microseconds have 64 bits. Anywhere. */
static inline uint32_t quash_esp_ms(void)
{
	return (uint32_t)((uint64_t)esp_timer_get_time() / 1000u);
}

/** The ticks to sleep for `ms`, rounded up, a minute at most; UINT32_MAX: no limit. Anywhere. */
static inline TickType_t quash_esp_ticks(uint32_t ms)
{
	return ms == UINT32_MAX ? portMAX_DELAY : (TickType_t)rtos_ticks(ms, configTICK_RATE_HZ);
}

#endif
