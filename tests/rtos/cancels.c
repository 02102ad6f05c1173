/* SPDX-License-Identifier: MIT
 * A million cancels from other threads. One thread owns the peer, one asks and collects, three workers do the requests' work
 * and look at the flag meanwhile, three more cancel: what lives, and what ended long ago. To be run with -fsanitize=thread.
 *
 * All that may be called anywhere is called so: quash_cancel_async, quash_wake, quash_cancelled and quash_handle_cancelled. Every
 * request is answered once. A worker that cancels its own request sees the flag by both questions, and the answer is the
 * cancel's. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "posix/posix_threads.h"
#include "quash.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	CANCELS = 1000000,
	CANCELLERS = 3,
	WORKERS = 3,
	SLOTS = 12,
	WINDOW = 8,
	MOST = 1000000,
	TURNS = 40,
	FORGOTTEN = 64
};

static quash_peer peer;
static posix_threads link;
static atomic_uint cancels, overruled;
static atomic_bool over;

/* --- Work: a handler hands it to a worker and waits until that has let go */

enum stage { IDLE, GIVEN, DONE };

static struct job {
	pthread_mutex_t lock;
	pthread_cond_t moved;
	enum stage stage;
	quash_handle handle;
	bool own; /* the worker cancelled it itself */
	unsigned wakes, looks, unseen; /* the worker's, until it has ended */
} jobs[WORKERS];

/* Handles of requests that live, or did. */
static struct {
	pthread_mutex_t lock;
	quash_handle handles[FORGOTTEN];
	unsigned count;
} seen = { .lock = PTHREAD_MUTEX_INITIALIZER };

struct work {
	struct job *job;
};

static void publish(quash_handle handle)
{
	pthread_mutex_lock(&seen.lock);
	seen.handles[seen.count++ % FORGOTTEN] = handle;
	pthread_mutex_unlock(&seen.lock);
}

static bool give(struct job *job, quash_handle handle)
{
	pthread_mutex_lock(&job->lock);
	const bool free = job->stage == IDLE;
	if (free) {
		job->stage = GIVEN;
		job->handle = handle;
		pthread_cond_signal(&job->moved);
	}
	pthread_mutex_unlock(&job->lock);
	return free;
}

static bool begin(quash_request *request, struct work *w)
{
	const quash_handle handle = quash_handle_of(request);
	for (unsigned i = 0; i < WORKERS && w->job == NULL; i++)
		w->job = give(&jobs[i], handle) ? &jobs[i] : NULL;
	if (w->job != NULL)
		publish(handle);
	return w->job != NULL;
}

static bool has_let_go(struct job *job, bool *own)
{
	pthread_mutex_lock(&job->lock);
	const bool done = job->stage == DONE;
	if (done) {
		job->stage = IDLE;
		*own = job->own;
	}
	pthread_mutex_unlock(&job->lock);
	return done;
}

static int32_t work(quash_request *request)
{
	struct work *w = QUASH_STATE(struct work, request);
	bool own = false;
	if (w->job == NULL && quash_cancelled(request))
		return QUASH_CANCELLED;
	if (w->job == NULL && !begin(request, w))
		return quash_wait(request, 1);
	if (!has_let_go(w->job, &own))
		return quash_wait(request, 1000);
	if (own && !quash_cancelled(request))
		atomic_fetch_add(&overruled, 1);
	if (quash_cancelled(request))
		return QUASH_CANCELLED;
	return quash_reply_bool(request, own);
}

/* By both questions. A flag never goes, so what the first has seen the second sees. */
static bool is_cancelled(struct job *job)
{
	const bool first = quash_cancelled(job->handle.request) != QUASH_NOT_CANCELLED;
	const bool second = quash_handle_cancelled(job->handle);
	job->looks++;
	job->unseen += first && !second;
	return second;
}

/* A turn or some; every other request is cancelled by its own worker, which then waits to see that. */
static bool compute(struct job *job, unsigned number)
{
	const bool own = number % 2 == 0;
	bool cancelled = false;
	for (unsigned i = 0; i < TURNS && !cancelled; i++)
		cancelled = is_cancelled(job);
	if (!own || cancelled)
		return false;
	posix_threads_cancel(&link, job->handle);
	atomic_fetch_add(&cancels, 1);
	job->unseen += !is_cancelled(job);
	return true;
}

static bool await(struct job *job)
{
	pthread_mutex_lock(&job->lock);
	while (job->stage != GIVEN && !atomic_load(&over))
		pthread_cond_wait(&job->moved, &job->lock);
	const bool given = job->stage == GIVEN;
	pthread_mutex_unlock(&job->lock);
	return given;
}

static void *worker(void *data)
{
	struct job *const job = data;
	for (unsigned number = 0; await(job); number++) {
		quash_request *const request = job->handle.request;
		const bool own = compute(job, number);
		pthread_mutex_lock(&job->lock);
		job->own = own;
		job->stage = DONE;
		pthread_mutex_unlock(&job->lock);
		posix_threads_wake(&link, request); /* may be late: then the next request of the slot is called once more */
		job->wakes++;
	}
	return NULL;
}

/* --- Cancels of whatever was ever seen */

static void *canceller(void *seed)
{
	unsigned random = *(unsigned *)seed;
	while (atomic_load(&cancels) < CANCELS) {
		random = random * 1103515245u + 12345u;
		pthread_mutex_lock(&seen.lock);
		const unsigned known = seen.count < FORGOTTEN ? seen.count : FORGOTTEN;
		const quash_handle handle = seen.handles[known > 0 ? (random >> 16) % known : 0];
		pthread_mutex_unlock(&seen.lock);
		if (known == 0)
			continue;
		posix_threads_cancel(&link, handle);
		atomic_fetch_add(&cancels, 1);
	}
	return NULL;
}

/* --- The client */

static uint8_t answers[MOST]; /* to each id */
static unsigned asked, answered, results, cancelled, others;

static void ask(void)
{
	char text[96];
	const int n = snprintf(
		text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"work\"}\n", asked++);
	(void)posix_threads_put(&link, (const uint8_t *)text, (size_t)n, UINT32_MAX);
}

static void judge(const char *line)
{
	const char *const id = strstr(line, "\"id\":");
	const unsigned number = id == NULL ? MOST : (unsigned)strtoul(id + 5, NULL, 10);
	answered++;
	if (number < MOST)
		answers[number]++;
	if (strstr(line, "\"result\":") != NULL)
		results++;
	else if (strstr(line, "\"code\":-32800") != NULL)
		cancelled++;
	else if (others++ == 0)
		printf("unexpected: %s\n", line);
}

static void collect(void)
{
	static char line[256];
	static size_t length;
	uint8_t data[256];
	const size_t n = posix_threads_get(&link, data, sizeof data, 1000);
	for (size_t i = 0; i < n; i++) {
		if (data[i] == '\n' || length == sizeof line - 1) {
			line[length] = '\0';
			length = 0;
			judge(line);
		} else {
			line[length++] = (char)data[i];
		}
	}
}

static void *client(void *nothing)
{
	while (atomic_load(&cancels) < CANCELS || answered < asked) {
		while (atomic_load(&cancels) < CANCELS && asked - answered < WINDOW && asked < MOST)
			ask();
		collect();
	}
	return nothing;
}

/* --- All of them */

static const quash_method methods[] = { { .name = "work", .handler = work, .state_size = sizeof(struct work) } };

QUASH_STORAGE(store, SLOTS, 17, sizeof(struct work), 1024, 1024);

static const quash_config config = { QUASH_STORED(store), .dialect = &quash_acp, .methods = methods,
	.method_count = 1 };

static void *owner(void *nothing)
{
	posix_threads_run(&link);
	return nothing;
}

static void report(void)
{
	unsigned wrong = 0, wakes = 0, looks = 0, unseen = 0;
	const quash_counters *const c = quash_counters_of(&peer);
	for (unsigned i = 0; i < WORKERS; i++) {
		wakes += jobs[i].wakes;
		looks += jobs[i].looks;
		unseen += jobs[i].unseen;
	}
	for (unsigned i = 0; i < asked; i++)
		wrong += answers[i] != 1;
	printf("%u cancels, %u requests: %u results, %u cancelled; %u cancels lost\n", atomic_load(&cancels),
		asked, results, cancelled, atomic_load(&overruled));
	printf("%u wakes, %u times asked whether it is cancelled\n", wakes, looks);
	check_of("posix_threads");
	check(atomic_load(&cancels) >= CANCELS, "takes a million cancels from other threads");
	check(wrong == 0 && answered == asked && others == 0, "answers every request once");
	check(results > 0 && cancelled > 0, "has requests that end in time and others that do not");
	const unsigned counted = c->cancelled[QUASH_BY_LOCAL_CODE] +
		c->cancelled[QUASH_BY_HANDLER]; /* who saw it first */
	check(counted == cancelled && c->results == results, "counts what it answers");
	check(wakes == asked && looks > wakes, "is woken once by each worker, which has asked whether it is cancelled");
	check(unseen == 0, "tells a cancel at once, by both questions");
	check(atomic_load(&overruled) == 0, "loses no cancel of a request that lives");
	check(c->lost == 0 && c->parse_errors == 0 && quash_live_count(&peer) == 0, "has nothing left");
}

static void start(pthread_t *thread, void *(*code)(void *), void *data)
{
	if (pthread_create(thread, NULL, code, data) != 0)
		exit(2);
}

int main(void)
{
	static uint8_t in[256], out[512];
	static const posix_threads_buffers buffers = {
		.in = in, .out = out, .in_size = sizeof in, .out_size = sizeof out
	};
	static unsigned seeds[CANCELLERS] = { 1, 22, 333 };
	pthread_t threads[2 + WORKERS + CANCELLERS];
	if (!quash_init(&peer, &config, NULL) || !posix_threads_open(&link, &peer, &buffers))
		return 2;
	for (unsigned i = 0; i < WORKERS; i++) {
		pthread_mutex_init(&jobs[i].lock, NULL);
		pthread_cond_init(&jobs[i].moved, NULL);
		start(&threads[2 + i], worker, &jobs[i]);
	}
	start(&threads[0], owner, NULL);
	start(&threads[1], client, NULL);
	for (unsigned i = 0; i < CANCELLERS; i++)
		start(&threads[2 + WORKERS + i], canceller, &seeds[i]);
	for (unsigned i = 0; i < CANCELLERS; i++)
		pthread_join(threads[2 + WORKERS + i], NULL);
	pthread_join(threads[1], NULL);
	posix_threads_gone(&link);
	pthread_join(threads[0], NULL);
	atomic_store(&over, true);
	for (unsigned i = 0; i < WORKERS; i++) {
		pthread_mutex_lock(&jobs[i].lock);
		pthread_cond_signal(&jobs[i].moved);
		pthread_mutex_unlock(&jobs[i].lock);
		pthread_join(threads[2 + i], NULL);
	}
	posix_threads_close(&link);
	report();
	return check_end();
}
