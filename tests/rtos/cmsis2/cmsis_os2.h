/* SPDX-License-Identifier: MIT
 * No header of CMSIS: it states what port/rtos/rtos_cmsis2.c uses of one, and offers it to fake.c and to the test kernel, so
 * that the port can be compiled and tried. Names, types and parameters are those of CMSIS-RTOS2 2.1. */
#ifndef CMSIS_STATED_OS2_H
#define CMSIS_STATED_OS2_H

#include <stdint.h>

#define osWaitForever  0xFFFFFFFFu
#define osFlagsWaitAny 0x00000000u

typedef void *osThreadId_t;

uint32_t osKernelGetTickCount(void);
uint32_t osKernelGetTickFreq(void);
osThreadId_t osThreadGetId(void);
uint32_t osThreadFlagsSet(osThreadId_t thread_id, uint32_t flags);
uint32_t osThreadFlagsWait(uint32_t flags, uint32_t options, uint32_t timeout);

#endif
