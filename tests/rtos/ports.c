/* SPDX-License-Identifier: MIT
 * A port for an RTOS, run: the owner's thread and an interrupt on it, other threads that cancel and wake, and a line. */
#include "bench.h"
#include "fake.h"
#include "line.h"
#include "quash.h"
#include "rtos/rtos.h"

#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* --- The peer */

static quash_peer peer;
static quash_handle published; /* of the last wait that was called */
static atomic_bool is_published, let_go;
static atomic_uint calls; /* of the handlers of wait and hold */
static sem_t stalled, go_on;

static void put_params(quash_writer *w, const quash_request *request)
{
	quash_put_value(w, quash_params_of(request));
}

static int32_t echo(quash_request *request)
{
	return quash_reply(request, put_params);
}

/* Until it is cancelled, or woken. */
static int32_t wait_long(quash_request *request)
{
	bool *called = QUASH_STATE(bool, request);
	atomic_fetch_add(&calls, 1);
	if (quash_cancelled(request))
		return QUASH_CANCELLED;
	if (*called)
		return quash_reply_text(request, "woken");
	*called = true;
	published = quash_handle_of(request);
	atomic_store(&is_published, true);
	return quash_wait(request, 3600000);
}

/* Is not done when it is cancelled, but when a worker has let go. */
static int32_t hold(quash_request *request)
{
	atomic_fetch_add(&calls, 1);
	if (!atomic_load(&is_published))
		published = quash_handle_of(request);
	atomic_store(&is_published, true);
	return atomic_load(&let_go) ? QUASH_CANCELLED : quash_wait(request, 3600000);
}

static int32_t nap(quash_request *request)
{
	bool *called = QUASH_STATE(bool, request);
	if (*called)
		return quash_reply_text(request, "slept");
	*called = true;
	return quash_wait(request, 100);
}

static void keep_thread(void)
{
	sem_post(&stalled);
	while (sem_wait(&go_on) != 0)
		;
}

/* Keeps the owner's thread to itself, so that what arrives has to find room. */
static int32_t stall(quash_request *request)
{
	keep_thread();
	return quash_reply_text(request, "went on");
}

/* Nothing is transmitted after it. */
static int32_t stall_in_silence(quash_request *request)
{
	(void)request;
	keep_thread();
	return QUASH_DONE;
}

struct counted {
	uint32_t lost, junk;
};

static void put_counted(quash_writer *w, const quash_request *request)
{
	const struct counted *const c = QUASH_CONST_STATE(struct counted, request);
	quash_put_object(w);
	quash_put_key(w, "lost");
	quash_put_uint(w, c->lost);
	quash_put_key(w, "junk");
	quash_put_uint(w, c->junk);
	quash_put_end(w);
}

static int32_t counts(quash_request *request)
{
	const quash_counters *const all = quash_counters_of(quash_peer_of(request));
	struct counted *const c = QUASH_STATE(struct counted, request);
	c->lost = all->lost;
	c->junk = all->parse_errors + all->invalid;
	return quash_reply(request, put_counted);
}

static const quash_method methods[] = {
	{ .name = "echo", .handler = echo },
	{ .name = "wait", .handler = wait_long, .state_size = sizeof(bool) },
	{ .name = "hold", .handler = hold },
	{ .name = "nap", .handler = nap, .state_size = sizeof(bool) },
	{ .name = "stall", .handler = stall },
	{ .name = "stall_in_silence", .handler = stall_in_silence, .marks = QUASH_NOTIFICATION },
	{ .name = "counts", .handler = counts, .state_size = sizeof(struct counted) },
};

QUASH_STORAGE(store, 8, 17, sizeof(struct counted), 1024, 256);

static const quash_config config = {
	QUASH_STORED(store), .dialect = &quash_acp, .methods = methods, .method_count = sizeof methods / sizeof methods[0]
};

static void *owner(void *nothing)
{
	the_bench.run(&peer);
	return nothing;
}

/* --- What the tests do */

static unsigned last_id;

static void ask(const char *method, const char *params)
{
	char text[512];
	snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"%s\",\"params\":%s}\n",
		++last_id, method, params);
	line_send(text);
}

static const char *answer(const char *with)
{
	char text[512];
	snprintf(text, sizeof text, "\"id\":%u,%s", last_id, with);
	return line_awaits(text);
}

static unsigned count_of(const char *what)
{
	ask("counts", "{}");
	const char *const line = answer("\"result\":");
	const char *const member = line == NULL ? NULL : strstr(line, what);
	unsigned n = UINT_MAX;
	CHECK(member != NULL && sscanf(member + strlen(what) + 2, "%u", &n) == 1);
	return n;
}

static void reaches(unsigned (*count)(void), unsigned n)
{
	while (count() < n)
		line_pause(1);
}

static unsigned calls_so_far(void)
{
	return atomic_load(&calls);
}

static void await_sleep(void)
{
	while (!fake_waits_for_ever())
		line_pause(1);
}

/* A request that nothing ends by itself. */
static void begin(const char *method)
{
	atomic_store(&is_published, false);
	ask(method, "{}");
	while (!atomic_load(&is_published))
		line_pause(1);
}

static void cancel_from_isr(void)
{
	the_bench.cancel_from_isr(published);
}

static void wake_from_isr(void)
{
	the_bench.wake_from_isr(published.request);
}

static void *cancel_from_thread(void *nothing)
{
	the_bench.cancel(published);
	return nothing;
}

static void *wake_from_thread(void *nothing)
{
	the_bench.wake(published.request);
	return nothing;
}

static void in_thread(void *(*what)(void *))
{
	pthread_t thread;
	CHECK(pthread_create(&thread, NULL, what, NULL) == 0);
	CHECK(pthread_join(thread, NULL) == 0);
}

/* --- The tests */

static void test_echo(void)
{
	char params[200];
	for (unsigned i = 0; i < 100; i++) {
		snprintf(params, sizeof params, "[\"%0*u\"]", (int)i + 1, i);
		ask("echo", params);
		CHECK(answer("\"result\":[") != NULL);
	}
}

/* More bytes than all buffers hold, both ways; more requests than there are slots for. */
static void flood(unsigned requests)
{
	const unsigned first = last_id + 1;
	char text[64];
	for (unsigned i = 0; i < requests; i++)
		ask("echo", "[\"a flood of requests, each answered by as many bytes\"]");
	for (unsigned id = first; id <= last_id; id++) {
		snprintf(text, sizeof text, "\"id\":%u,\"result\"", id);
		CHECK(line_awaits(text) != NULL);
	}
}

static void test_flood(void)
{
	for (unsigned i = 0; i < 40; i++)
		flood(3 * store_slot_count);
	CHECK(count_of("lost") == 0);
}

static void test_sleeps_for_ever(void)
{
	await_sleep();
	fake_sleeps_on();
	CHECK(fake_waits_for_ever());
}

static void test_sleeps_until_due(void)
{
	const unsigned before = fake_looks();
	const uint32_t start = fake_ms();
	ask("nap", "{}");
	CHECK(answer("\"result\":\"slept\"") != NULL);
	CHECK(fake_ms() - start >= 90);
	CHECK(fake_looks() - before < 1000); /* bytes wake it too; awake it would look more often by far */
}

/* A switch to the owner costs more than a byte: it does not wake for each of them. */
static void test_wakes_in_bursts(void)
{
	await_sleep();
	const unsigned before = fake_waits();
	const uint32_t start = fake_ms();
	ask("echo", "[\"a message of which each byte comes with an interrupt of its own, and is not alone\"]");
	const uint32_t ms = fake_ms() - start;
	CHECK(answer("\"result\":[") != NULL);
	CHECK(fake_waits() - before <= 12 + ms);
}

/* A burst ends though no line end comes. */
static void test_half_a_message_is_taken(void)
{
	await_sleep();
	const unsigned before = fake_waits();
	line_send("{\"jsonrpc\":\"2.0\",\"id\":\"half\",");
	reaches(fake_waits, before + 2); /* the short one, and that after it */
	await_sleep();
	line_send("\"method\":\"echo\",\"params\":[]}\n");
	CHECK(line_awaits("\"id\":\"half\",\"result\":[]") != NULL);
}

static void test_cancels(void)
{
	begin("wait");
	fake_sleeps_on();
	in_thread(cancel_from_thread);
	CHECK(answer("\"error\":{\"code\":-32800") != NULL);
	begin("wait");
	fake_sleeps_on();
	line_interrupts(cancel_from_isr);
	CHECK(answer("\"error\":{\"code\":-32800") != NULL);
	in_thread(cancel_from_thread); /* late: hits nobody */
	CHECK(count_of("junk") == 0);
}

static void test_wakes(void)
{
	begin("wait");
	fake_sleeps_on();
	in_thread(wake_from_thread);
	CHECK(answer("\"result\":\"woken\"") != NULL);
	begin("wait");
	fake_sleeps_on();
	line_interrupts(wake_from_isr);
	CHECK(answer("\"result\":\"woken\"") != NULL);
}

/* A cancelled request whose worker has not let go is called at each step: there is a rest in between. */
static void test_rests(void)
{
	atomic_store(&let_go, false);
	begin("hold");
	fake_sleeps_on();
	in_thread(cancel_from_thread);
	const unsigned before = atomic_load(&calls);
	const uint32_t start = fake_ms();
	reaches(calls_so_far, before + 50);
	const unsigned spent = calls_so_far() - before;
	CHECK(spent <= (fake_ms() - start) / BENCH_REST + 5);
	atomic_store(&let_go, true);
	CHECK(answer("\"error\":{\"code\":-32800") != NULL);
}

/* The first half of a message, a loss, the second half: neither a message nor an error. */
static void test_loss(void)
{
	const unsigned before = count_of("lost");
	line_send("{\"jsonrpc\":\"2.0\",\"id\":\"cut\",\"method\":\"echo\",");
	line_lose();
	line_send("\"params\":[]}\n");
	ask("echo", "[]");
	CHECK(answer("\"result\":[]") != NULL);
	CHECK(count_of("lost") == before + 1);
	CHECK(count_of("junk") == 0);
}

/* A UART that cannot hold bytes back, while the peer does not fetch them: a gap, however many find no room. */
static void test_overflow(void)
{
	enum { TOO_MANY = 1000 };
	char junk[TOO_MANY + 1];
	const unsigned before = count_of("lost");
	memset(junk, 'x', TOO_MANY);
	junk[TOO_MANY] = '\0';
	the_bench.deaf(true);
	ask("stall", "{}");
	while (sem_wait(&stalled) != 0)
		;
	line_send(junk);
	line_send("\n");
	line_pause(20);
	sem_post(&go_on);
	CHECK(answer("\"result\":\"went on\"") != NULL);
	line_send("\n"); /* its own was lost */
	the_bench.deaf(false);
	CHECK(count_of("lost") == before + 1);
	CHECK(count_of("junk") == 0);
}

/* What found no room waits in the hardware; it is received though nothing is transmitted. */
static void test_goes_on_in_silence(void)
{
	char lines[BENCH_RING + LINE_FIFO];
	memset(lines, '\n', sizeof lines - 1);
	lines[sizeof lines - 1] = '\0';
	line_send("{\"jsonrpc\":\"2.0\",\"method\":\"stall_in_silence\"}\n");
	while (sem_wait(&stalled) != 0)
		;
	line_send(lines);
	line_pause(20);
	sem_post(&go_on);
	ask("echo", "[]");
	CHECK(answer("\"result\":[]") != NULL);
}

/* --- Ticks and milliseconds */

static void test_clock(void)
{
	rtos_clock clock = { 0, 0 };
	uint32_t ms = 0;
	for (unsigned i = 0; i < 32768 * 3; i++)
		ms = rtos_clock_add(&clock, 1, 32768);
	CHECK(ms == 3000);
	CHECK(rtos_clock_add(&clock, UINT32_MAX, 1000) == 2999);
	CHECK(rtos_clock_add(&clock, 4000000u * 2 + 4000, 4000000) == 2999 + 2001);
	CHECK(rtos_ticks(0, 1000) == 0 && rtos_ticks(1, 1000) == 1 && rtos_ticks(1, 100) == 1);
	CHECK(rtos_ticks(11, 100) == 2 && rtos_ticks(1500, 32768) == 49152);
	CHECK(rtos_ticks(UINT32_MAX, 1000) == 60000 && rtos_ticks(UINT32_MAX, 4000000) == 240000000);
}

int main(void)
{
	pthread_t thread;
	sem_init(&stalled, 0, 0);
	sem_init(&go_on, 0, 0);
	CHECK(quash_init(&peer, &config, NULL));
	CHECK(pthread_create(&thread, NULL, owner, NULL) == 0);
	line_open();
	check_of(the_bench.name);
	check_test("echoes all that is sent", test_echo);
	check_test("serves a flood without a loss", test_flood);
	check_test("sleeps for ever when there is nothing to do", test_sleeps_for_ever);
	check_test("sleeps until something is due", test_sleeps_until_due);
	check_test("wakes in bursts, not for each byte", test_wakes_in_bursts);
	check_test("takes half a message without waiting for the rest", test_half_a_message_is_taken);
	check_test("is woken by a cancel of another thread and of an interrupt", test_cancels);
	check_test("is woken by a wake of another thread and of an interrupt", test_wakes);
	check_test("rests while a worker has not let go", test_rests);
	check_test("goes on behind a full buffer while nothing is transmitted", test_goes_on_in_silence);
	check_test("shows a gap in its place", test_loss);
	if (the_bench.deaf != NULL)
		check_test("counts one gap for what found no room", test_overflow);
	check_test("counts milliseconds from ticks of any frequency", test_clock);
	CHECK(line_rest(50) == 0);
	return check_end();
}
