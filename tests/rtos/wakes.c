/* SPDX-License-Identifier: MIT
 * Wakes of another thread, as many as a few seconds take. A handler looks for news and waits an hour when there is none;
 * a worker on another core brings news and wakes it at about the moment at which it is called. No news may wait
 * while the handler sleeps. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "quash.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SECONDS = 8, ENOUGH = 400000, LEAST = 1000, SPREAD = 64, LOOKS = 100, SPINS = 1000, HOUR = 3600000 };

static quash_peer peer;
static quash_request *waiting;
/* The round that is begun, that of the news, and that which is ended; each where it disturbs no other. */
static _Alignas(64) atomic_uint called;
static _Alignas(64) atomic_uint brought;
static _Alignas(64) atomic_uint answered;
static _Alignas(64) unsigned seen;
static unsigned rounds, lost;
static atomic_bool over;

static int32_t wait_for_news(quash_request *request)
{
	waiting = request;
	seen = atomic_load_explicit(&brought, memory_order_relaxed);
	return quash_wait(request, HOUR);
}

static const quash_method methods[] = { { .name = "wait", .handler = wait_for_news } };

QUASH_STORAGE(store, 2, 17, 0, 64, 128);

static const quash_config config = { QUASH_STORED(store), .dialect = &quash_jsonrpc, .methods = methods,
	.method_count = 1 };

/* Who waits for the other lets it have the core at last, if there is but one. */
static void spin(unsigned *spins)
{
	if (++*spins % SPINS == 0)
		sched_yield();
}

static void *worker(void *nothing)
{
	unsigned done = 0, spins = 0;
	while (!atomic_load(&over)) {
		const unsigned round = atomic_load(&called);
		if (round == done) {
			spin(&spins);
			continue;
		}
		for (unsigned i = 0; i < round % SPREAD; i++)
			quash_wake(waiting); /* for nothing: the handler is to be called just now */
		atomic_store_explicit(&brought, round, memory_order_relaxed);
		quash_wake(waiting);
		atomic_store(&answered, round);
		done = round;
	}
	return nothing;
}

static void play_round(void)
{
	atomic_store(&called, ++rounds);
	for (unsigned spins = 0; atomic_load(&answered) != rounds; spin(&spins))
		(void)quash_step(&peer);
	(void)quash_step(&peer);
	if (seen != rounds)
		lost++;
}

static bool is_over(const struct timespec *start)
{
	struct timespec t;
	timespec_get(&t, TIME_UTC);
	return t.tv_sec - start->tv_sec >= SECONDS;
}

/* `until_lost`: a defect of the core is there, and is found in a race that may take long. */
static void play(bool until_lost)
{
	struct timespec start;
	timespec_get(&start, TIME_UTC);
	while (until_lost ? lost == 0 : rounds < LEAST || (rounds < ENOUGH && !is_over(&start))) {
		for (unsigned i = 0; i < LOOKS; i++)
			play_round();
	}
}

int main(int argc, char **argv)
{
	static const char message[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"wait\"}\n";
	pthread_t thread;
	if (!quash_init(&peer, &config, NULL) ||
		quash_feed(&peer, (const uint8_t *)message, strlen(message)) != strlen(message) ||
		!quash_step(&peer) || waiting == NULL || pthread_create(&thread, NULL, worker, NULL) != 0)
		return 2;
	play(argc > 1 && strcmp(argv[1], "--until-lost") == 0);
	atomic_store(&over, true);
	pthread_join(thread, NULL);
	printf("%u wakes, %u lost\n", rounds, lost);
	check(lost == 0, "quash_wake is never lost on another core");
	return check_end();
}
