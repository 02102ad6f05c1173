/* SPDX-License-Identifier: MIT
 * STUB: no header of ESP-IDF. It states what port/esp-idf and its examples use of the kernel's tasks, so that they can be compiled, and
 * tried over fake.c, where there is no ESP-IDF. Names, types and parameters are those of ESP-IDF 5. */
#ifndef STATED_TASK_H
#define STATED_TASK_H

#include "FreeRTOS.h"

typedef struct tskTaskControlBlock *TaskHandle_t;
typedef void (*TaskFunction_t)(void *argument);

/* The stack is in bytes, as ESP-IDF has it. */
BaseType_t xTaskCreate(TaskFunction_t function, const char *name, uint32_t stack, void *argument, UBaseType_t priority,
	TaskHandle_t *task);
BaseType_t xTaskCreatePinnedToCore(TaskFunction_t function, const char *name, uint32_t stack, void *argument, UBaseType_t priority,
	TaskHandle_t *task, BaseType_t core);
void vTaskDelay(TickType_t ticks);
void vTaskDelete(TaskHandle_t task);

#endif
