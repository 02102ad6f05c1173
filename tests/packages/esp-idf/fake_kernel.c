/* SPDX-License-Identifier: MIT
 * A fake of what the port uses of FreeRTOS: tasks are threads, a queue has a lock. */
#define _GNU_SOURCE 1
#include "fake.h"

#include "stated/freertos/task.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LATE_US = 200000 };

struct QueueDefinition {
	pthread_mutex_t lock;
	pthread_cond_t filled;
	size_t length, size, first, count;
	unsigned char items[];
};

void fake_fail(const char *what)
{
	fprintf(stderr, "fake: %s\n", what);
	exit(3);
}

QueueHandle_t fake_queue(size_t length, size_t size)
{
	const QueueHandle_t queue = calloc(1, sizeof *queue + length * size);
	pthread_condattr_t monotonic;
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_mutex_init(&queue->lock, NULL);
	pthread_cond_init(&queue->filled, &monotonic);
	queue->length = length;
	queue->size = size;
	return queue;
}

static struct timespec after(TickType_t ticks)
{
	struct timespec t;
	const uint64_t ns = (uint64_t)ticks * 1000000000u / configTICK_RATE_HZ;
	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += (time_t)(ns / 1000000000u);
	t.tv_nsec += (long)(ns % 1000000000u);
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static void wait_for_item(QueueHandle_t queue, TickType_t wait)
{
	const struct timespec limit = after(wait == portMAX_DELAY ? 0 : wait);
	int result = 0;
	while (queue->count == 0 && result == 0)
		result = wait == portMAX_DELAY ? pthread_cond_wait(&queue->filled, &queue->lock) :
			pthread_cond_timedwait(&queue->filled, &queue->lock, &limit);
}

/* With BENCH_LATE tasks of higher priority run between the call of one that waits and its return. */
static void let_others_run(QueueHandle_t queue)
{
	if (getenv("BENCH_LATE") == NULL)
		return;
	pthread_mutex_unlock(&queue->lock);
	usleep(LATE_US);
	pthread_mutex_lock(&queue->lock);
}

/* Shows an item, and takes it if wanted. */
static BaseType_t show(QueueHandle_t queue, void *item, TickType_t wait, bool takes)
{
	pthread_mutex_lock(&queue->lock);
	if (wait > 0 && queue->count == 0) {
		wait_for_item(queue, wait);
		let_others_run(queue);
	}
	const BaseType_t there = queue->count > 0 ? pdTRUE : pdFALSE;
	if (there)
		memcpy(item, queue->items + queue->first * queue->size, queue->size);
	if (there && takes) {
		queue->first = (queue->first + 1) % queue->length;
		queue->count--;
	}
	pthread_mutex_unlock(&queue->lock);
	return there;
}

BaseType_t xQueueReceive(QueueHandle_t queue, void *item, TickType_t wait)
{
	return show(queue, item, wait, true);
}

BaseType_t xQueuePeek(QueueHandle_t queue, void *item, TickType_t wait)
{
	return show(queue, item, wait, false);
}

BaseType_t fake_send(QueueHandle_t queue, const void *item, TickType_t wait)
{
	if (wait > 0)
		fake_fail("a send that waits");
	pthread_mutex_lock(&queue->lock);
	const BaseType_t sent = queue->count < queue->length ? pdTRUE : pdFALSE;
	if (sent) {
		memcpy(queue->items + (queue->first + queue->count) % queue->length * queue->size, item, queue->size);
		queue->count++;
		pthread_cond_signal(&queue->filled);
	}
	pthread_mutex_unlock(&queue->lock);
	return sent;
}

BaseType_t fake_send_from_isr(QueueHandle_t queue, const void *item, BaseType_t *woken)
{
	*woken = pdTRUE;
	return fake_send(queue, item, 0);
}

UBaseType_t uxQueueMessagesWaiting(const QueueHandle_t queue)
{
	pthread_mutex_lock(&queue->lock);
	const UBaseType_t count = (UBaseType_t)queue->count;
	pthread_mutex_unlock(&queue->lock);
	return count;
}

UBaseType_t uxQueueMessagesWaitingFromISR(const QueueHandle_t queue)
{
	return uxQueueMessagesWaiting(queue);
}

UBaseType_t uxQueueSpacesAvailable(const QueueHandle_t queue)
{
	return (UBaseType_t)queue->length - uxQueueMessagesWaiting(queue);
}

/* --- Tasks */

void fake_thread(void *(*function)(void *), void *argument)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, function, argument) != 0)
		fake_fail("no thread");
	pthread_detach(thread);
}

struct task {
	TaskFunction_t function;
	void *argument;
};

static void *run_task(void *given)
{
	const struct task task = *(struct task *)given;
	free(given);
	task.function(task.argument);
	fake_fail("a task has returned");
	return NULL;
}

BaseType_t xTaskCreate(TaskFunction_t function, const char *name, uint32_t stack, void *argument, UBaseType_t priority,
	TaskHandle_t *task)
{
	struct task *const made = malloc(sizeof *made);
	if (name == NULL || stack < 1024 || priority > 24 || task != NULL || made == NULL)
		fake_fail("xTaskCreate");
	made->function = function;
	made->argument = argument;
	fake_thread(run_task, made);
	return pdPASS;
}

BaseType_t xTaskCreatePinnedToCore(TaskFunction_t function, const char *name, uint32_t stack, void *argument, UBaseType_t priority,
	TaskHandle_t *task, BaseType_t core)
{
	if (core != 0)
		fake_fail("a core that some chips have not");
	return xTaskCreate(function, name, stack, argument, priority, task);
}

void vTaskDelay(TickType_t ticks)
{
	usleep(ticks * (1000000 / configTICK_RATE_HZ));
}

void vTaskDelete(TaskHandle_t task)
{
	if (task != NULL)
		fake_fail("vTaskDelete of another task");
	pthread_exit(NULL);
}
