/* SPDX-License-Identifier: MIT
 * A peer whose handler has its work done in another task. The worker computes in a tight loop that never gives the
 * processor away; between two turns it looks at the flag.
 *
 *     crunch {"turns":n,"worker":0 or 1}   n turns, 0: until it is cancelled. Worker 0 has a lower priority than the
 *                                          peer's task, worker 1 the same. Tells every 100 ms how far it is
 *     state                                what the workers have done, the stacks, the counters */
#include "firmware.h"
#include "kernel.h"
#include "link.h"
#include "quash.h"

enum { WORKERS = 2, STACK_WORDS = 160, WORK = 2, REPORT_MS = 100 };

/* One task. `done` is stored after all else and loaded before. */
static struct worker {
	kernel_task task;
	uint32_t stack[STACK_WORDS];
	const quash_request *owner; /* of the handler alone */
	quash_handle handle;
	uint32_t limit;
	volatile uint32_t turns, sum;
	volatile bool done;
	volatile uint32_t finished, stopped; /* works */
} workers[WORKERS];

static void turn(struct worker *w)
{
	for (uint32_t i = 0; i < 50; i++)
		w->sum = w->sum * 31 + i;
	w->turns = w->turns + 1;
}

static void work(struct worker *w)
{
	bool cancelled = false;
	while (!cancelled && (w->limit == 0 || w->turns < w->limit)) {
		turn(w);
		cancelled = quash_handle_cancelled(w->handle);
	}
	if (cancelled)
		w->stopped = w->stopped + 1;
	else
		w->finished = w->finished + 1;
}

static void serve(void *data)
{
	struct worker *const w = data;
	for (;;) {
		(void)osThreadFlagsWait(WORK, osFlagsWaitAny, osWaitForever);
		quash_request *const request = w->handle.request;
		work(w);
		w->done = true;
		rtos_cmsis2_wake(&the_link, request);
	}
}

void add_tasks(void)
{
	static const uint8_t priorities[WORKERS] = { LINK_PRIORITY - 1, LINK_PRIORITY };
	for (unsigned i = 0; i < WORKERS; i++)
		kernel_add(&workers[i].task, serve, &workers[i], workers[i].stack, STACK_WORDS, priorities[i]);
}

/* --- The handlers */

enum stage { FRESH, WAITING, WORKING, READY };

struct crunch {
	enum stage stage;
	int32_t turns, worker;
	uint32_t done;
};

static bool read_params(quash_value params, struct crunch *c)
{
	const quash_value worker = quash_get(params, "worker"), turns = quash_get(params, "turns");
	return quash_int32(worker, &c->worker) == QUASH_NUMBER_OK &&
		quash_int32(turns, &c->turns) == QUASH_NUMBER_OK && c->worker >= 0 && c->worker < WORKERS &&
		c->turns >= 0;
}

static void begin(quash_request *request, struct crunch *c, struct worker *w)
{
	c->stage = WORKING;
	w->owner = request;
	w->handle = quash_handle_of(request);
	w->limit = (uint32_t)c->turns;
	w->turns = 0;
	w->done = false;
	(void)osThreadFlagsSet(&w->task, WORK);
}

static void report(quash_request *request, const struct worker *w)
{
	quash_writer *const to = quash_notify(quash_peer_of(request), "turns");
	quash_put_object(to);
	quash_put_key(to, "id");
	quash_put_id(to, request);
	quash_put_key(to, "turns");
	quash_put_uint(to, w->turns);
	quash_put_end(to);
	(void)quash_notify_send(quash_peer_of(request));
}

/* Also when it is cancelled: the worker must let go first. */
static int32_t wait_for(quash_request *request, struct crunch *c, struct worker *w)
{
	if (w->done) {
		c->stage = READY;
		return QUASH_DONE;
	}
	if (quash_may_report(request))
		report(request, w);
	return quash_wait(request, REPORT_MS);
}

static void put_turns(quash_writer *w, const quash_request *request)
{
	quash_put_uint(w, QUASH_CONST_STATE(struct crunch, request)->done);
}

static int32_t crunch(quash_request *request)
{
	struct crunch *const c = QUASH_STATE(struct crunch, request);
	if (c->stage == FRESH && !read_params(quash_params_of(request), c))
		return QUASH_INVALID_PARAMS;
	struct worker *const w = &workers[c->worker];
	if (c->stage == FRESH)
		c->stage = WAITING;
	if (c->stage == WAITING && w->owner == NULL && !quash_cancelled(request))
		begin(request, c, w);
	if (c->stage == WORKING && wait_for(request, c, w) != QUASH_DONE)
		return QUASH_PENDING;
	if (quash_cancelled(request))
		return QUASH_CANCELLED;
	if (c->stage == WAITING)
		return quash_wait(request, 2);
	c->done = w->turns;
	return quash_reply(request, put_turns);
}

static int32_t crunch_end(quash_request *request)
{
	const struct crunch *const c = QUASH_STATE(struct crunch, request);
	if (workers[c->worker].owner == request)
		workers[c->worker].owner = NULL;
	return QUASH_DONE;
}

/* What the workers had done when the request came. */
struct state {
	struct {
		uint32_t turns, finished, stopped;
	} workers[WORKERS];
	bool guards, privileged;
	uint32_t left, preemptions, live, lost, slowest;
};

static void put_count(quash_writer *to, const char *name, uint32_t n)
{
	quash_put_key(to, name);
	quash_put_uint(to, n);
}

static void put_state(quash_writer *to, const quash_request *request)
{
	const struct state *const s = QUASH_CONST_STATE(struct state, request);
	quash_put_object(to);
	quash_put_key(to, "workers");
	quash_put_array(to);
	for (unsigned i = 0; i < WORKERS; i++) {
		quash_put_object(to);
		put_count(to, "turns", s->workers[i].turns);
		put_count(to, "finished", s->workers[i].finished);
		put_count(to, "stopped", s->workers[i].stopped);
		quash_put_end(to);
	}
	quash_put_end(to);
	quash_put_key(to, "guards");
	quash_put_bool(to, s->guards);
	quash_put_key(to, "privileged");
	quash_put_bool(to, s->privileged);
	put_count(to, "left", s->left);
	put_count(to, "preemptions", s->preemptions);
	put_count(to, "live", s->live);
	put_count(to, "lost", s->lost);
	put_count(to, "slowest", s->slowest);
	quash_put_end(to);
}

static int32_t state(quash_request *request)
{
	const quash_peer *const of = quash_peer_of(request);
	struct state *const s = QUASH_STATE(struct state, request);
	for (unsigned i = 0; i < WORKERS; i++) {
		s->workers[i].turns = workers[i].turns;
		s->workers[i].finished = workers[i].finished;
		s->workers[i].stopped = workers[i].stopped;
	}
	s->guards = kernel_guards_hold();
	s->privileged = kernel_is_privileged();
	s->left = (uint32_t)kernel_least_left();
	s->preemptions = kernel_preemptions();
	s->live = quash_live_count(of);
	s->lost = quash_counters_of(of)->lost;
	s->slowest = quash_counters_of(of)->slowest_cancel_ms;
	return quash_reply(request, put_state);
}

static const quash_method methods[] = {
	{ .name = "crunch", .handler = crunch, .state_size = sizeof(struct crunch),
	  .motion = { .end = crunch_end, .longest = QUASH_NO_LIMIT }, .marks = QUASH_FINISHES },
	{ .name = "state", .handler = state, .state_size = sizeof(struct state) },
};

union state_of_any {
	struct crunch crunch;
	struct state state;
};

QUASH_STORAGE(store, 8, 24, sizeof(union state_of_any), 1024, 512);

static const quash_config config = {
	QUASH_STORED(store),
	.dialect = &quash_acp,
	.methods = methods,
	.method_count = sizeof methods / sizeof methods[0],
};

const quash_config *const firmware_config = &config;
