/* SPDX-License-Identifier: MIT
 * No header of FreeRTOS: it states what port/rtos/rtos_freertos.c uses of one, and offers it to fake.c, so that the port can be
 * compiled and tried where there is no FreeRTOS. Names, types and parameters are those of FreeRTOS-Kernel V11. */
#ifndef FREERTOS_STATED_H
#define FREERTOS_STATED_H

#include <stddef.h>
#include <stdint.h>

typedef long BaseType_t;
typedef unsigned long UBaseType_t;
#if defined(STATED_NARROW_TICKS) /* as with configUSE_16_BIT_TICKS */
typedef uint16_t TickType_t;
#define portMAX_DELAY      ((TickType_t)0xFFFFu)
extern uint32_t stated_hertz;
#define configTICK_RATE_HZ stated_hertz
#else
typedef uint32_t TickType_t;
#define portMAX_DELAY      ((TickType_t)0xFFFFFFFFu)
#define configTICK_RATE_HZ 1000u
#endif

#define pdFALSE            ((BaseType_t)0)
#define pdTRUE             ((BaseType_t)1)

#if defined(STATED_CORES) /* with several cores */
#define configNUMBER_OF_CORES STATED_CORES
extern BaseType_t stated_core; /* that this runs on */
#define portGET_CORE_ID()  stated_core
void stated_assert(int holds);
#define configASSERT(holds) stated_assert(holds)
#else
#define configASSERT(holds)
#endif

/* What the caller lends for a stream buffer; opaque. */
typedef struct StaticStreamBuffer {
	uint8_t *bytes;
	size_t size;
	size_t head, tail; /* of the fake: each is stored by one side */
} StaticStreamBuffer_t;

#endif
