/* SPDX-License-Identifier: MIT
 * The handlers of docs/handlers.md, with what they use. */
#include "conversation.h"

#include <pthread.h>
#include <stdlib.h>

static int32_t sensor_read(void)
{
	return 21500;
}

static void motor_set(int speed)
{
	printf("-- motor %d\n", speed);
}

struct task {
	void (*work)(void *);
	void *argument;
};

static void *run_task(void *argument)
{
	struct task *const task = argument;
	task->work(task->argument);
	free(task);
	return NULL;
}

static void start_task(void (*work)(void *), void *argument)
{
	pthread_t thread;
	struct task *task = malloc(sizeof *task);
	if (task == NULL)
		exit(2);
	task->work = work;
	task->argument = argument;
	tasks = 1;
	if (pthread_create(&thread, NULL, run_task, task) != 0)
		exit(2);
	pthread_detach(thread);
}

static bool bus_is_done(void)
{
	return true;
}

#include "handlers_page.h"

static const quash_method bus_methods[] = { { .name = "register", .handler = read_register, .state_size = sizeof(bool) } };
QUASH_STORAGE(bus_store, 2, 40, sizeof(uint64_t), 64, 128);
static const quash_config bus_config = { QUASH_CONFIG(bus_store, &quash_acp, bus_methods) };

QUASH_STORAGE(store, 4, 40, 256, 512, 256);
static const quash_config config = { QUASH_STORED(store), &quash_acp, methods, sizeof methods / sizeof methods[0],
	.calls = &quash_calls };

int main(int argc, char **argv)
{
	(void)argv;
	return converse(argc > 1 ? &bus_config : &config);
}
