/* SPDX-License-Identifier: MIT
 * No header of FreeRTOS: it states what port/rtos/rtos_freertos.c uses of tasks, see FreeRTOS.h. */
#ifndef FREERTOS_STATED_TASK_H
#define FREERTOS_STATED_TASK_H

#include "FreeRTOS.h"

typedef struct tskTaskControlBlock *TaskHandle_t;

TickType_t xTaskGetTickCount(void);
TaskHandle_t xTaskGetCurrentTaskHandle(void);

#if defined(configUSE_CORE_AFFINITY) && configUSE_CORE_AFFINITY == 1
void vTaskCoreAffinitySet(const TaskHandle_t task, UBaseType_t cores);
#endif

/* Macros there too. */
#define xTaskNotifyGive(task)               fake_give(task)
#define vTaskNotifyGiveFromISR(task, woken) fake_give_from_isr((task), (woken))
#define ulTaskNotifyTake(clear, wait)       fake_take((clear), (wait))
BaseType_t fake_give(TaskHandle_t task);
void fake_give_from_isr(TaskHandle_t task, BaseType_t *woken);
uint32_t fake_take(BaseType_t clear, TickType_t wait);

#endif
