/* SPDX-License-Identifier: MIT
 * The interrupts and the task of docs/rtos.md, and the interrupt of rtos_freertos.h, over the model of a UART. */
#include "model.h"

#include "page_freertos.h"

static TaskFunction_t task_code;
static int owner;

/* --- The kernel */

TickType_t xTaskGetTickCount(void) { return model_ms(); }
TaskHandle_t xTaskGetCurrentTaskHandle(void) { return (TaskHandle_t)(void *)&owner; }

BaseType_t fake_give(TaskHandle_t task)
{
	(void)task;
	model_wake();
	return pdTRUE;
}

void fake_give_from_isr(TaskHandle_t task, BaseType_t *woken) { *woken = fake_give(task); }

uint32_t fake_take(BaseType_t clear, TickType_t wait)
{
	(void)clear;
	return model_sleep(wait);
}

TaskHandle_t xTaskCreateStatic(TaskFunction_t code, const char *name, uint32_t depth, void *argument, UBaseType_t priority,
	StackType_t *stack, StaticTask_t *task)
{
	(void)name, (void)depth, (void)argument, (void)priority, (void)stack, (void)task;
	task_code = code;
	return xTaskGetCurrentTaskHandle();
}

void vTaskStartScheduler(void) { task_code(NULL); }
void taskENTER_CRITICAL(void) { model_hold(); }
void taskEXIT_CRITICAL(void) { model_release(); }
void portYIELD_FROM_ISR(BaseType_t woken) { (void)woken; }

/* --- The processor and the UART */

void NVIC_SetPriority(int irq, uint32_t priority) { (void)irq, (void)priority; }
void NVIC_EnableIRQ(int irq) { (void)irq, model_enable(); }
void NVIC_SetPendingIRQ(int irq) { (void)irq, model_pend(); }
bool UART_WAS_OVERRUN(void) { return model_was_overrun(); }
bool UART_HAS_BYTE(void) { return model_has_byte(); }
uint8_t UART_BYTE(void) { return model_read(); }
bool UART_HAS_ROOM(void) { return model_has_room(); }
void UART_PUT(uint8_t byte) { model_write(byte); }
void UART_RX_INTERRUPT_ON(void) { model_switch(MODEL_RX_ON, 0); }
void UART_RX_INTERRUPT_OFF(void) { model_switch(0, MODEL_RX_ON); }
void UART_TX_INTERRUPT_ON(void) { model_switch(MODEL_TX_ON, 0); }
void UART_TX_INTERRUPT_OFF(void) { model_switch(0, MODEL_TX_ON); }

/* --- The page */

#define config model_config
#define main page_main
static rtos_freertos uart_link;
#include PAGE
#undef main

static void start(void) { page_main(); }

int main(void)
{
	static const model_code code = { .start = start, .receive = UART_RX_Handler, .transmit = UART_TX_Handler };
	return model_drive(&code);
}
