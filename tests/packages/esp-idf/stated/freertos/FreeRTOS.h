/* SPDX-License-Identifier: MIT
 * STUB: no header of ESP-IDF. It states what port/esp-idf and its examples use of the kernel, so that they can be compiled, and
 * tried over fake.c, where there is no ESP-IDF. Names, types and parameters are those of ESP-IDF 5. */
#ifndef STATED_FREERTOS_H
#define STATED_FREERTOS_H

#include <sdkconfig.h>
#include <stdint.h>

typedef int BaseType_t;
typedef unsigned int UBaseType_t;
typedef uint32_t TickType_t;

#define portMAX_DELAY      ((TickType_t)0xFFFFFFFFu)
#define configTICK_RATE_HZ CONFIG_FREERTOS_HZ
#define pdFALSE            ((BaseType_t)0)
#define pdTRUE             ((BaseType_t)1)
#define pdPASS             pdTRUE

#endif
