/* SPDX-License-Identifier: MIT
 * The port for FreeRTOS with several cores: its task stays on the core that it has begun on, and an interrupt on another core is
 * told by configASSERT. */
#define STATED_CORES 2
#define configUSE_CORE_AFFINITY 1
#include "rtos/rtos_freertos.c"

#include "line.h"

BaseType_t stated_core;
static UBaseType_t allowed; /* cores, a bit each */
static unsigned asserted;
static int owner;

void stated_assert(int holds)
{
	asserted += holds == 0;
}

void vTaskCoreAffinitySet(const TaskHandle_t task, UBaseType_t cores)
{
	CHECK(task == xTaskGetCurrentTaskHandle());
	allowed = cores;
}

TickType_t xTaskGetTickCount(void)
{
	return 0;
}

TaskHandle_t xTaskGetCurrentTaskHandle(void)
{
	return (TaskHandle_t)(void *)&owner;
}

BaseType_t fake_give(TaskHandle_t task)
{
	CHECK(task == xTaskGetCurrentTaskHandle());
	return pdTRUE;
}

void fake_give_from_isr(TaskHandle_t task, BaseType_t *woken)
{
	*woken = fake_give(task);
}

uint32_t fake_take(BaseType_t clear, TickType_t wait)
{
	(void)clear, (void)wait;
	return 0;
}

static rtos_freertos uart_link;

static void start_on(BaseType_t core)
{
	static uint8_t in[16], out[16];
	const rtos_freertos_choice choice = { .in = in, .out = out, .in_size = sizeof in, .out_size = sizeof out };
	stated_core = core;
	allowed = 0;
	asserted = 0;
	rtos_freertos_start(&uart_link, NULL, &choice);
}

static void interrupt_on(BaseType_t core)
{
	BaseType_t woken = pdFALSE;
	stated_core = core;
	rtos_freertos_received(&uart_link, 'x', &woken);
	rtos_freertos_interrupted(&uart_link, &woken);
}

static void test_stays(void)
{
	start_on(0);
	CHECK(allowed == 1);
	start_on(1);
	CHECK(allowed == 2);
}

static void test_other_core(void)
{
	start_on(1);
	interrupt_on(1);
	CHECK(asserted == 0);
	interrupt_on(0);
	CHECK(asserted == 1);
}

int main(void)
{
	check_of("freertos, two cores:");
	check_test("the task stays on the core that it has begun on", test_stays);
	check_test("an interrupt on the other core is told", test_other_core);
	return check_end();
}
