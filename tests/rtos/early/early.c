/* SPDX-License-Identifier: MIT
 * The port's sources are compiled so that each access to something volatile calls one of the functions below first. */
#define _GNU_SOURCE 1
#include "early.h"
#include "check.h"
#include "quash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { WINDOW = 4096, LEAVING = 3, QUIET = 100, SLOWEST = 30, APART = 4, TURNS = 2000, BEYOND = 150, KEPT = 4096, STALLED = 8, POINTS = 16384, TAIL = 60, STRIDE = 7 };
#define CONTROLLER      ((uintptr_t)0xE000E000u)
#define SET_PENDING     ((uintptr_t)0xE000E200u)

early_uart uart_model;
static const early_front *front;

static struct {
	unsigned points, early_at, second_at; /* when the first byte comes, and one after it that may find no room */
	unsigned started_at;          /* the point at which the start was over */
	unsigned pace, leaving;       /* a byte comes every so many points, and leaves within so many */
	unsigned burst_at;            /* more than the hardware holds come at once */
	unsigned rest_at;             /* the point at which no more of `rest` than its end was left */
	unsigned stalls_at;           /* the thread stands still: others have the processor, and bytes come */
	unsigned pumped_at;           /* the point at which the first pump was over */
	unsigned stray;               /* an interrupt that was latched comes every so many points, for nothing */
	const char *rest;             /* what comes after, while the port sleeps, as there is room */
	bool let_in, pending, inside; /* an interrupt runs */
	bool over;                    /* nothing will ever happen any more */
	bool forbidden;               /* the thread asked the interrupt controller */
	uint32_t ms;
	char sent[KEPT];
	size_t sent_length;
} run;

/* --- The UART */

static void arrive(uint8_t byte)
{
	early_uart *const u = &uart_model;
	if (!u->receives) {
		u->dropped = true;
	} else if (u->count == u->depth) {
		u->overrun = u->dropped = u->was_full = u->lost_before = true;
	} else {
		const bool tells = u->wants_received && (u->count == 0 || !u->tells_first);
		u->behind[u->count] = u->lost_before;
		u->lost_before = false;
		u->waits[u->count++] = byte;
		u->has_received = u->has_received || tells;
	}
}

bool early_read(uint8_t *byte)
{
	early_uart *const u = &uart_model;
	if (u->count == 0)
		return false;
	*byte = u->waits[0];
	memmove(u->waits, u->waits + 1, --u->count);
	memmove(u->behind, u->behind + 1, u->count * sizeof u->behind[0]);
	return true;
}

bool early_is_behind(void)
{
	return uart_model.count > 0 && uart_model.behind[0];
}

void early_flush(void)
{
	uart_model.dropped = uart_model.dropped || uart_model.count > 0;
	uart_model.count = 0;
}

void early_write(uint8_t byte)
{
	early_uart *const u = &uart_model;
	u->collided = u->collided || u->transmits;
	u->transmits = true;
	u->leaves_in = run.leaving;
	if (run.sent_length < KEPT - 1)
		run.sent[run.sent_length++] = (char)byte;
}

static void transmit_on(void)
{
	early_uart *const u = &uart_model;
	if (!u->transmits || --u->leaves_in > 0)
		return;
	u->transmits = false;
	u->has_sent = u->has_sent || u->wants_sent || u->keeps_sent;
}

/* --- Points */

static struct {
	uintptr_t address;
	unsigned size;
} stored;

static bool is_register(uintptr_t address)
{
	return (front->base != 0 && address - front->base < WINDOW) || address - CONTROLLER < WINDOW;
}

static uint32_t value_at(uintptr_t address, unsigned size)
{
	uint32_t value = 0;
	memcpy(&value, (const void *)address, size < sizeof value ? size : sizeof value);
	return value;
}

/* What was stored is known when the next access comes. */
static void settle(void)
{
	const uintptr_t address = stored.address;
	stored.address = 0;
	if (address == 0)
		return;
	const uint32_t value = value_at(address, stored.size);
	if (address == SET_PENDING)
		run.pending = run.pending || value != 0;
	else if (address - CONTROLLER >= WINDOW)
		front->store(address, stored.size, value);
}

static void interrupt_if_due(void)
{
	for (unsigned times = 0; !run.inside && run.let_in && (run.pending || front->is_due()); times++) {
		if (times > QUIET) { /* nobody else would ever run */
			printf("%s: the interrupt never ends\n", front->name);
			exit(1);
		}
		run.pending = false;
		run.inside = true;
		front->interrupt();
		settle();
		run.inside = false;
	}
}

/* What comes after, if it finds room. */
static bool go_on(void)
{
	const bool any = *run.rest != '\0' && uart_model.count < uart_model.depth;
	if (any)
		arrive((uint8_t)*run.rest++);
	return any;
}

/* Whether the last run without a stall was in the thread then, and open to interrupts. */
static bool thread_at[POINTS];

static void stall(void)
{
	for (unsigned i = 0; i < STALLED && *run.rest != '\0'; i++) {
		arrive((uint8_t)*run.rest++);
		interrupt_if_due();
	}
}

static void burst(void)
{
	for (unsigned i = 0; i <= uart_model.depth && *run.rest != '\0'; i++)
		arrive((uint8_t)*run.rest++);
}

void early_point(void)
{
	settle();
	run.points++;
	if (run.points == run.early_at)
		arrive('{');
	if (run.points == run.second_at)
		arrive('x');
	if (run.points == run.burst_at)
		burst();
	if (run.rest_at == 0 && strlen(run.rest) < TAIL)
		run.rest_at = run.points;
	if (run.pace > 0 && run.points % run.pace == 0)
		go_on();
	if (run.stray > 0 && run.points % run.stray == 0 && !run.inside)
		run.pending = true;
	transmit_on();
	interrupt_if_due();
	const bool in_thread = !run.inside && run.let_in;
	if (run.stalls_at == 0 && run.points < POINTS)
		thread_at[run.points] = in_thread;
	if (run.points == run.stalls_at && in_thread)
		stall();
}

void early_let_in(void)
{
	run.let_in = true;
	early_point();
}

bool early_lock(void)
{
	const bool was_open = run.let_in;
	run.let_in = false;
	return was_open;
}

void early_unlock(bool was_open)
{
	run.let_in = was_open;
	early_point();
}

void early_pend(void)
{
	run.pending = true;
}

static void loaded(void *place, unsigned size)
{
	const uintptr_t address = (uintptr_t)place;
	early_point();
	if (is_register(address) && address - CONTROLLER >= WINDOW) {
		const uint32_t value = front->load(address, size);
		memcpy(place, &value, size < sizeof value ? size : sizeof value);
	}
}

static void to_be_stored(void *place, unsigned size)
{
	const uintptr_t address = (uintptr_t)place;
	early_point();
	if (!is_register(address))
		return;
	if (address - CONTROLLER < WINDOW && !run.inside && !front->privileged)
		run.forbidden = true;
	stored.address = address;
	stored.size = size;
}

/* The compiler's names. */
#define HOOKS(bytes) \
	void __tsan_volatile_read##bytes(void *place); \
	void __tsan_volatile_write##bytes(void *place); \
	void __tsan_read##bytes(void *place); \
	void __tsan_write##bytes(void *place); \
	void __tsan_volatile_read##bytes(void *place) { loaded(place, bytes); } \
	void __tsan_volatile_write##bytes(void *place) { to_be_stored(place, bytes); } \
	void __tsan_read##bytes(void *place) { (void)place; } \
	void __tsan_write##bytes(void *place) { (void)place; }
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);
void __tsan_read_range(void *place, size_t size);
void __tsan_write_range(void *place, size_t size);
void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
void __tsan_read_range(void *place, size_t size) { (void)place, (void)size; }
void __tsan_write_range(void *place, size_t size) { (void)place, (void)size; }

/* --- Time */

uint32_t early_ms(void)
{
	return run.ms;
}

bool early_sleep(volatile bool *called, uint32_t ms)
{
	for (unsigned quiet = 0; quiet < QUIET && !*called; quiet++) {
		const bool comes_later = run.points <= run.early_at || run.points <= run.second_at;
		if (comes_later || uart_model.transmits || (run.pace == 0 && go_on()))
			quiet = 0;
		early_point();
	}
	if (!*called) {
		run.ms += ms == UINT32_MAX ? 0 : ms;
		run.over = ms == UINT32_MAX || run.ms > 60000;
		return false;
	}
	*called = false;
	return true;
}

/* --- One start */

static quash_peer peer;

static void put_pong(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_put_text(w, "pong");
}

static int32_t ping(quash_request *request)
{
	return quash_reply(request, put_pong);
}

static const quash_method methods[] = { { .name = "ping", .handler = ping } };
QUASH_STORAGE(store, 8, 17, 0, 128, 128);
static const quash_config config = { QUASH_STORED(store), .dialect = &quash_jsonrpc, .methods = methods, .method_count = 1 };

static void start(unsigned early_at, unsigned second_at, const char *rest)
{
	memset(&run, 0, sizeof run);
	memset(&uart_model, 0, sizeof uart_model);
	stored.address = 0;
	uart_model.depth = front->depth;
	uart_model.receives = true;
	run.early_at = early_at;
	run.second_at = second_at;
	run.rest = rest;
	run.leaving = LEAVING;
	front->reset();
	if (!quash_init(&peer, &config, NULL))
		exit(2);
	early_point(); /* point 1 is before the start */
	front->start(&peer);
	run.started_at = run.points;
	early_let_in();
}

/* Until these words were sent, or nothing more will be. */
static void converse(const char *words)
{
	for (unsigned turn = 0; turn < TURNS && !run.over && strstr(run.sent, words) == NULL; turn++) {
		quash_pump(&peer, front->port());
		run.pumped_at = run.pumped_at == 0 ? run.points : run.pumped_at;
		(void)quash_step(&peer);
		front->sleep();
	}
}

/* --- The tests */

static void verdict_on(const char *what, const char *wrong, unsigned at)
{
	if (!check(*wrong == '\0', what))
		printf("  it %s, with a byte at point %u of %u\n", wrong, at, run.started_at);
}

static const char first_answer[] = "\"id\":1,\"result\":\"pong\"", second_answer[] = "\"id\":2,\"result\":\"pong\"";

static const char *fault_of(bool second)
{
	const bool answered = strstr(run.sent, second ? second_answer : first_answer) != NULL;
	if (run.forbidden)
		return "the thread asked the interrupt controller";
	if (uart_model.collided)
		return "wrote upon a byte that had not left";
	if (!answered && *run.rest != '\0')
		return "is deaf";
	return answered ? "" : "has lost something";
}

static unsigned points_of_start(void)
{
	start(0, 0, "");
	return run.started_at + BEYOND;
}

/* The first byte of a request. What comes after it comes when there is room. When the hardware itself has lost it, because
 * its receiver was off or emptied, then the next request is answered. */
static void test_early_byte(void)
{
	static const char rest[] = "\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
	static const char again[] = "\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"
		"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n";
	const unsigned last = points_of_start();
	const char *wrong = "";
	unsigned at = 0;
	for (; at < last && *wrong == '\0'; at++) {
		start(at + 1, 0, rest);
		converse(first_answer);
		if (uart_model.dropped) {
			start(at + 1, 0, again);
			converse(second_answer);
		}
		wrong = fault_of(uart_model.dropped);
	}
	verdict_on("loses no byte that comes early, and is not deaf behind it", wrong, at);
}

/* A second byte right after the first, which finds no room. */
static void test_early_overrun(void)
{
	static const char rest[] = "\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n";
	const unsigned last = points_of_start();
	const char *wrong = "";
	unsigned at = 0, between = 0;
	for (; at < last && *wrong == '\0'; at++) {
		for (between = 1; between < 6 && *wrong == '\0'; between++) {
			start(at + 1, at + 1 + between, rest);
			converse(second_answer);
			wrong = fault_of(true);
		}
	}
	verdict_on("receives what comes behind an early overrun", wrong, at);
}

/* A byte of the id that is lost without a gap in its place makes another id. Empty lines keep what is lost away from the last one. */
static const char around_loss[] = "{\"id\":1,\"jsonrpc\":\"2.0\",\"method\":\"ping\"}\n{\"id\":234567,\"jsonrpc\":\"2.0\",\"method\":\"ping\"}\n"
	"\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}\n";

static const char *fault_around_loss(void)
{
	static const char *const lines[] = { "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"pong\"}\n",
		"{\"jsonrpc\":\"2.0\",\"id\":234567,\"result\":\"pong\"}\n", "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":\"pong\"}\n" };
	const char *from = run.sent;
	for (unsigned i = 0; i < 3; i++)
		from += strncmp(from, lines[i], strlen(lines[i])) == 0 ? strlen(lines[i]) : 0;
	if (strstr(run.sent, lines[2]) == NULL)
		return "is deaf";
	if (uart_model.was_full && config.counters->lost == 0)
		return "loses bytes in silence";
	return *from != '\0' && !front->vague ? "joins what stood around a loss" : "";
}

/* At whatever point more comes than finds room. */
static void test_overrun(void)
{
	static const char answered[] = "\"id\":9,\"result\":\"pong\"}\n";
	start(0, 0, around_loss);
	converse(answered);
	const unsigned first = run.pumped_at, last = run.rest_at;
	const char *wrong = "";
	unsigned at = first;
	for (; at < last && *wrong == '\0'; at += STRIDE) {
		start(0, 0, around_loss);
		run.burst_at = at;
		converse(answered);
		wrong = fault_around_loss();
	}
	verdict_on("counts what an overrun has lost, in its place", wrong, at);
}

/* Both ways at once: the thread and the interrupt never do the same. */
static void test_both_ways(void)
{
	static const char asked[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n"
		"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}\n{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\"}\n";
	static const char answers[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"pong\"}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"pong\"}\n"
		"{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":\"pong\"}\n{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":\"pong\"}\n";
	const char *wrong = "";
	unsigned pace = 1;
	for (; pace <= SLOWEST && *wrong == '\0'; pace++) {
		for (unsigned leaving = 1 + pace % APART; leaving <= SLOWEST && *wrong == '\0'; leaving += APART) {
			start(0, 0, asked);
			run.pace = pace;
			run.leaving = leaving;
			run.stray = leaving % 2 == 0 ? pace + leaving : 0;
			converse(answers);
			wrong = run.forbidden ? "the thread asked the interrupt controller" :
				uart_model.collided ? "wrote upon a byte that had not left" :
				strcmp(run.sent, answers) != 0 ? "answers something else" : "";
		}
	}
	verdict_on("receives and transmits at any pace", wrong, pace);
}

static const char fourth[] = "\"id\":4,\"result\":\"pong\"";

/* At whatever point another thread takes the processor for a while: after the start, and once the first pump is over. */
static void test_stalled_thread(void)
{
	static const char asked[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n"
		"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}\n{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\"}\n";
	start(0, 0, asked);
	stall();
	const char *wrong = uart_model.dropped ? "loses bytes before the first pump" : "";
	start(0, 0, asked);
	converse(second_answer);
	const unsigned first = run.pumped_at + 1, last = run.points;
	unsigned at = first;
	for (; at < last && *wrong == '\0'; at++) {
		if (at < POINTS && !thread_at[at])
			continue;
		start(0, 0, asked);
		run.stalls_at = at;
		converse(fourth);
		wrong = uart_model.dropped ? "loses bytes" : strstr(run.sent, fourth) == NULL ? "is deaf" : "";
	}
	verdict_on("receives while its thread stands still", wrong, at);
}

static void map(uintptr_t base)
{
	if (mmap((void *)base, WINDOW, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED) {
		perror("mmap");
		exit(2);
	}
}

int main(int argc, char **argv)
{
	map(CONTROLLER);
	for (const early_front *const *f = early_fronts; *f != NULL; f++) {
		if (argc > 1 && strcmp(argv[1], (*f)->name) != 0)
			continue;
		front = *f;
		check_of(front->name);
		if (front->base != 0)
			map(front->base & ~(uintptr_t)(WINDOW - 1));
		test_early_byte();
		test_early_overrun();
		test_overrun();
		test_both_ways();
		test_stalled_thread();
		if (front->base != 0)
			munmap((void *)(front->base & ~(uintptr_t)(WINDOW - 1)), WINDOW);
	}
	return check_end();
}
