/* SPDX-License-Identifier: MIT
 * No header of FreeRTOS: it states what port/rtos/rtos_freertos.c uses of one, and offers it to fake.c, so that the port can be
 * compiled and tried where there is no FreeRTOS. Names, types and parameters are those of FreeRTOS-Kernel V11. */
#ifndef FREERTOS_STATED_H
#define FREERTOS_STATED_H

#include <stddef.h>
#include <stdint.h>

typedef long BaseType_t;
typedef unsigned long UBaseType_t;
typedef uint32_t TickType_t;

#define pdFALSE            ((BaseType_t)0)
#define pdTRUE             ((BaseType_t)1)
#define portMAX_DELAY      ((TickType_t)0xFFFFFFFFu)
#define configTICK_RATE_HZ 1000u

/* What the caller lends for a stream buffer; opaque. */
typedef struct StaticStreamBuffer {
	uint8_t *bytes;
	size_t size;
	size_t head, tail; /* of the fake: each is stored by one side */
} StaticStreamBuffer_t;

#endif
