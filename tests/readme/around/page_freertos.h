/* SPDX-License-Identifier: MIT
 * What pages use of FreeRTOS, of CMSIS and of a UART beside the port. */
#ifndef AROUND_PAGE_FREERTOS_H
#define AROUND_PAGE_FREERTOS_H

#include "quash.h"
#include "rtos/rtos_freertos.h"

#include <stdio.h>

typedef uint32_t StackType_t;
typedef struct StaticTask { int opaque; } StaticTask_t;
typedef void (*TaskFunction_t)(void *);
TaskHandle_t xTaskCreateStatic(TaskFunction_t code, const char *name, uint32_t depth, void *argument, UBaseType_t priority,
	StackType_t *stack, StaticTask_t *task);
void vTaskStartScheduler(void);
void taskENTER_CRITICAL(void);
void taskEXIT_CRITICAL(void);
void portYIELD_FROM_ISR(BaseType_t woken);

enum { UART_IRQn = 5 };
void NVIC_SetPriority(int irq, uint32_t priority);
void NVIC_EnableIRQ(int irq);
void NVIC_SetPendingIRQ(int irq);

bool UART_WAS_OVERRUN(void); /* and forgets it */
bool UART_HAS_BYTE(void);
uint8_t UART_BYTE(void);
bool UART_HAS_ROOM(void);
void UART_PUT(uint8_t byte);
void UART_RX_INTERRUPT_ON(void);
void UART_RX_INTERRUPT_OFF(void);
void UART_TX_INTERRUPT_ON(void);
void UART_TX_INTERRUPT_OFF(void);

extern const quash_config config;

#endif
