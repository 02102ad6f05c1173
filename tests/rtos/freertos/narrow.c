/* SPDX-License-Identifier: MIT
 * The port for FreeRTOS with ticks of 16 bits, of which a minute has more than they hold: they wrap while the owner sleeps, and
 * the longest wait does not fit into them. Time passes only while it sleeps. */
#define STATED_NARROW_TICKS 1
#include "rtos/rtos_freertos.c"

#include "check.h"
#include "quash.h"

#include <string.h>

enum { LONGEST_MS = 100000, MOST_SLEEPS = 100, LATE = 2000 };

uint32_t stated_hertz;
static uint32_t ticks;  /* that have passed */
static unsigned sleeps; /* of the owner, and what was wrong with them */
static unsigned wrong;

StreamBufferHandle_t fake_stream_buffer(size_t size, size_t trigger, uint8_t *bytes, StaticStreamBuffer_t *place)
{
	(void)size, (void)trigger, (void)bytes;
	return place;
}

size_t xStreamBufferSpacesAvailable(StreamBufferHandle_t b)
{
	(void)b;
	return 1;
}

BaseType_t xStreamBufferIsEmpty(StreamBufferHandle_t b)
{
	(void)b;
	return pdTRUE;
}

size_t xStreamBufferSend(StreamBufferHandle_t b, const void *data, size_t n, TickType_t wait)
{
	(void)b, (void)data, (void)wait;
	return n;
}

size_t xStreamBufferReceive(StreamBufferHandle_t b, void *data, size_t n, TickType_t wait)
{
	(void)b, (void)data, (void)n, (void)wait;
	return 0;
}

size_t xStreamBufferSendFromISR(StreamBufferHandle_t b, const void *data, size_t n, BaseType_t *woken)
{
	(void)woken;
	return xStreamBufferSend(b, data, n, 0);
}

size_t xStreamBufferReceiveFromISR(StreamBufferHandle_t b, void *data, size_t n, BaseType_t *woken)
{
	(void)woken;
	return xStreamBufferReceive(b, data, n, 0);
}

TickType_t xTaskGetTickCount(void)
{
	return (TickType_t)ticks;
}

TaskHandle_t xTaskGetCurrentTaskHandle(void)
{
	return NULL;
}

BaseType_t fake_give(TaskHandle_t task)
{
	(void)task;
	return pdTRUE;
}

void fake_give_from_isr(TaskHandle_t task, BaseType_t *woken)
{
	(void)task, (void)woken;
}

/* The owner is late: another task had the processor. */
uint32_t fake_take(BaseType_t clear, TickType_t wait)
{
	(void)clear;
	sleeps++;
	if (wait == 0 || wait == portMAX_DELAY)
		wrong++;
	ticks += wait + LATE;
	return 0;
}

static void resume(void *device)
{
	(void)device;
}

/* --- The tests */

static quash_peer peer;
static rtos_freertos link;
static uint32_t ended; /* when the handler was called again */

static int32_t wait_long(quash_request *request)
{
	bool *const called = QUASH_STATE(bool, request);
	if (!*called) {
		*called = true;
		return quash_wait(request, LONGEST_MS);
	}
	ended = ticks;
	return quash_reply_null(request);
}

static const quash_method methods[] = { { .name = "wait", .handler = wait_long, .state_size = sizeof(bool) } };

QUASH_STORAGE(store, 2, 17, sizeof(bool), 64, 128);

static const quash_config config = { QUASH_STORED(store), .dialect = &quash_jsonrpc, .methods = methods,
	.method_count = 1 };

static void play(unsigned most)
{
	const quash_port port = rtos_freertos_port(&link);
	for (unsigned i = 0; i < most && ended == 0; i++) {
		quash_pump(&peer, &port);
		(void)quash_step(&peer);
		rtos_freertos_sleep(&link);
	}
}

static void try(const char *subject, uint32_t hertz)
{
	static const char message[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"wait\"}\n";
	static const rtos_freertos_choice choice = { .resume = resume };
	check_of(subject);
	stated_hertz = hertz;
	sleeps = wrong = 0;
	ended = 0;
	check(quash_init(&peer, &config, NULL), "begins");
	rtos_freertos_start(&link, &peer, &choice);
	play(MOST_SLEEPS);
	check(sleeps == MOST_SLEEPS && wrong == 0, "sleeps with a limit when there is nothing to do");
	const uint32_t begun = ticks, least = LONGEST_MS / 1000 * hertz;
	(void)quash_feed(&peer, (const uint8_t *)message, strlen(message));
	play(MOST_SLEEPS);
	check(wrong == 0, "sleeps with a limit when something is due later");
	check(ended - begun >= least && ended - begun <= least + LATE + hertz / 1000 + 1,
		"wakes when it is due, though the ticks have wrapped");
}

int main(void)
{
	try("freertos, 16-bit ticks, 1000 Hz:", 1000);
	try("freertos, 16-bit ticks, 2000 Hz:", 2000);
	try("freertos, 16-bit ticks, 16384 Hz:", 16384); /* of these a minute has a multiple of 2^16 */
	return check_end();
}
