/* SPDX-License-Identifier: MIT
 * STUB: no header of ESP-IDF. It states what port/esp-idf and its examples use of its event loop, so that they can be compiled, and
 * tried over fake.c, where there is no ESP-IDF. Names, types and parameters are those of ESP-IDF 5. */
#ifndef STATED_ESP_EVENT_H
#define STATED_ESP_EVENT_H

#include "esp_err.h"

esp_err_t esp_event_loop_create_default(void);

#endif
