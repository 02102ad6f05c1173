/* SPDX-License-Identifier: MIT
 * STUB: no header of ESP-IDF. It states what port/esp-idf and its examples use of the kernel's queues, so that they can be compiled, and
 * tried over fake.c, where there is no ESP-IDF. Names, types and parameters are those of ESP-IDF 5. */
#ifndef STATED_QUEUE_H
#define STATED_QUEUE_H

#include "FreeRTOS.h"

typedef struct QueueDefinition *QueueHandle_t;

BaseType_t xQueueReceive(QueueHandle_t queue, void *item, TickType_t wait);
BaseType_t xQueuePeek(QueueHandle_t queue, void *item, TickType_t wait);
UBaseType_t uxQueueMessagesWaiting(const QueueHandle_t queue);
UBaseType_t uxQueueSpacesAvailable(const QueueHandle_t queue);
UBaseType_t uxQueueMessagesWaitingFromISR(const QueueHandle_t queue);

/* Macros there too. */
#define xQueueSend(queue, item, wait)         fake_send((queue), (item), (wait))
#define xQueueSendFromISR(queue, item, woken) fake_send_from_isr((queue), (item), (woken))
BaseType_t fake_send(QueueHandle_t queue, const void *item, TickType_t wait);
BaseType_t fake_send_from_isr(QueueHandle_t queue, const void *item, BaseType_t *woken);

#endif
