/* SPDX-License-Identifier: MIT
 * STUB: no header of ESP-IDF. It states what port/esp-idf and its examples use of its timer, so that they can be compiled, and
 * tried over fake.c, where there is no ESP-IDF. Names, types and parameters are those of ESP-IDF 5. */
#ifndef STATED_ESP_TIMER_H
#define STATED_ESP_TIMER_H

#include <stdint.h>

int64_t esp_timer_get_time(void);

#endif
