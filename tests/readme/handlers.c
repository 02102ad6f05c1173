/* SPDX-License-Identifier: MIT
 * Runs the handlers of docs/handlers.md: receives the lines of stdin one by one, and shows what is received, what is
 * transmitted and what the motor does. The next line comes when the peer is at rest, or when it has waited for long. */
#define _DEFAULT_SOURCE 1
#include "quash.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONG = 500, LINE_SIZE = 1024 };

/* --- The wire */

static char line[LINE_SIZE];
static size_t shown, length; /* bytes of it that were taken, and that there are */
static unsigned waited;      /* ms since it was received */
static bool at_rest, begins = true;
static volatile int tasks;

static void read_line(void)
{
	shown = 0;
	length = 0;
	waited = 0;
	if (fgets(line, sizeof line, stdin) == NULL)
		return;
	length = strlen(line);
	printf("-> %s", line);
}

static int peek(void *device, const uint8_t **bytes)
{
	(void)device;
	waited++;
	if (shown == length && (at_rest || waited > LONG))
		read_line();
	at_rest = false;
	*bytes = (const uint8_t *)line + shown;
	return shown < length ? (int)(length - shown) : feof(stdin) ? QUASH_END : 0;
}

static void take(void *device, size_t n)
{
	(void)device;
	shown += n;
}

static int write_out(void *device, const uint8_t *bytes, size_t n)
{
	(void)device;
	for (size_t i = 0; i < n; i++) {
		printf("%s%c", begins ? "<- " : "", bytes[i]);
		begins = bytes[i] == '\n';
	}
	return (int)n;
}

static uint32_t now(void *device)
{
	static uint32_t ms;
	(void)device;
	if (tasks > 0)
		usleep(1000);
	return ms++ / 2; /* a pump asks twice */
}

static const quash_port port = { peek, take, write_out, now, NULL };

/* --- What the handlers use */

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

#include "handlers_page.h"

/* --- The peer */

QUASH_STORAGE(store, 4, 40, 256, 512, 256);
static const quash_config config = { QUASH_STORED(store), &quash_acp, methods, sizeof methods / sizeof methods[0],
	.tag_size = 0 };
static quash_peer peer;

int main(void)
{
	quash_fault fault;
	if (!quash_init(&peer, &config, &fault)) {
		fprintf(stderr, "%s.%s\n", fault.table, fault.member);
		return 2;
	}
	while (!feof(stdin) || !quash_is_at_rest(&peer)) {
		at_rest = quash_is_at_rest(&peer);
		quash_pump(&peer, &port);
		quash_step(&peer);
	}
	return 0;
}
