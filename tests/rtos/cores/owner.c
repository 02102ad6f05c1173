/* SPDX-License-Identifier: MIT
 * Hart 0: a peer whose handlers wait an hour unless hart 1 cancels or wakes them. It pumps only when there is news, as a loop
 * that sleeps does. */
#include "cores.h"

#include "check.h"

enum { HOUR = 3600000, LOOKS = 1 << 21, IDLE = 20 };

struct owner owner;
static quash_peer peer;

/* --- Handlers */

static int32_t news(quash_request *request)
{
	STORE(owner.seen, __atomic_load_n(&other.brought, __ATOMIC_RELAXED));
	if (LOAD(owner.listens) == 0) {
		owner.listener = quash_handle_of(request);
		STORE(owner.listens, 1);
	}
	return quash_cancelled(request) ? QUASH_CANCELLED : quash_wait(request, HOUR);
}

static void give(quash_request *request, struct work *work, enum kind kind)
{
	const bool to_interrupt = kind == FROM_INTERRUPT || kind == HELD_FROM_INTERRUPT;
	struct box *const box = to_interrupt ? &owner.for_interrupt : &owner.for_loop;
	const struct job job = { quash_handle_of(request), work, kind };
	work->given = 1;
	box->jobs[box->put % BOX] = job;
	STORE(box->put, box->put + 1);
	if (to_interrupt)
		machine_raise();
}

static int32_t serve(quash_request *request, enum kind kind)
{
	struct work *const work = QUASH_STATE(struct work, request);
	if (work->given == 0)
		give(request, work, kind);
	const bool let_go = kind == FROM_INTERRUPT || LOAD(work->let_go) != 0;
	if (!let_go)
		return quash_wait(request, HOUR);
	if (quash_cancelled(request))
		return QUASH_CANCELLED;
	return kind == BY_WAKE ? quash_reply_bool(request, true) : quash_wait(request, HOUR);
}

static int32_t from_interrupt(quash_request *request)
{
	return serve(request, FROM_INTERRUPT);
}

static int32_t held_from_interrupt(quash_request *request)
{
	return serve(request, HELD_FROM_INTERRUPT);
}

static int32_t held_from_loop(quash_request *request)
{
	return serve(request, HELD_FROM_LOOP);
}

static int32_t by_wake(quash_request *request)
{
	return serve(request, BY_WAKE);
}

static const quash_method methods[] = {
	{ .name = "news", .handler = news },
	{ .name = "0", .handler = from_interrupt, .state_size = sizeof(struct work) },
	{ .name = "1", .handler = held_from_interrupt, .state_size = sizeof(struct work) },
	{ .name = "2", .handler = held_from_loop, .state_size = sizeof(struct work) },
	{ .name = "3", .handler = by_wake, .state_size = sizeof(struct work) },
};

QUASH_STORAGE(store, SLOTS, 17, sizeof(struct work), 512, 256);

static const quash_config config = { QUASH_STORED(store), .dialect = &quash_jsonrpc, .methods = methods,
	.method_count = sizeof methods / sizeof methods[0] };

/* --- The loop */

static void kick(void *device)
{
	(void)device;
	machine_raise();
}

static void resume(void *device)
{
	(void)device;
	STORE(owner.resumed, 1);
	machine_raise();
}

static bool must_pump(void)
{
	size_t waiting;
	(void)quash_out(&peer, &waiting);
	return waiting > 0 || owner.uart.shown > 0 || port_uart_has_news(&owner.uart);
}

/* False when nothing has moved for LOOKS steps: somebody waits for what was lost. */
static bool moves(void)
{
	static uint32_t sum = UINT32_MAX;
	const uint32_t before = sum;
	sum = LOAD(other.answered) + owner.seen;
	return sum != before;
}

static void play(const quash_port *port)
{
	quash_pump(&peer, port);
	for (uint32_t idle = 0; LOAD(other.over) == 0; idle++) {
		if (must_pump())
			quash_pump(&peer, port);
		if (quash_step(&peer))
			idle = 0;
		STORE(owner.steps, owner.steps + 1);
		if (owner.steps % LOOKS == 0 && !moves())
			return;
		if (idle > IDLE)
			machine_nap();
	}
}

/* --- The report */

static void tell(uint32_t number, const char *what)
{
	check_print_number(number);
	check_print(what);
}

static void tell_figures(uint32_t ms)
{
	tell(other.cancels, " cancels, ");
	tell(other.cancels_from_interrupt, " of them from the interrupt, and ");
	tell(other.late_cancels, " late ones; ");
	tell(other.wakes, " wakes, ");
	tell(other.lost_wakes, " lost, and ");
	tell(other.wakes_for_nothing, " for nothing; ");
	tell(other.prompt, " seen at once\n");
	tell(other.answered, " requests answered: ");
	tell(other.cancelled, " cancelled, ");
	tell(other.results, " results; the receive interrupt held ");
	tell(other.held, " times; ");
	tell(owner.steps, " steps, ");
	tell(ms, " ms\n");
}

static bool report(uint32_t ms)
{
	const quash_counters *const c = quash_counters_of(&peer);
	const uint32_t counted = c->cancelled[QUASH_BY_LOCAL_CODE] + c->cancelled[QUASH_BY_HANDLER];
	tell_figures(ms);
	check_of("two harts");
	check(other.lost_wakes == 0 && other.wakes == other.brought + REQUESTS / KINDS, "lose no wake");
	check(other.cancelled == other.cancels && other.cancels == REQUESTS - REQUESTS / KINDS + 1, "lose no cancel");
	check(other.strange + other.twice == 0 && other.answered == REQUESTS + 1 && other.results == REQUESTS / KINDS,
		"answer every request once, as it ended");
	check(other.early == 0, "let no late cancel hit another request");
	check(other.unseen == 0, "tell a cancel at once");
	check(counted == other.cancels && c->results == other.results && c->lost == 0 && c->parse_errors == 0 &&
		quash_live_count(&peer) == 0, "count what they answer");
	return check_end() == 0;
}

bool owner_main(void)
{
	static uint8_t in[64], out[64];
	static const port_uart_buffers buffers = { .in = in, .out = out, .in_size = sizeof in, .out_size = sizeof out };
	const uint32_t begun = machine_now();
	port_uart_init(&owner.uart, &buffers, machine_now);
	owner.uart.kick = kick;
	owner.uart.resume = resume;
	const quash_port port = port_uart_port(&owner.uart);
	if (!quash_init(&peer, &config, NULL))
		return false;
	machine_raise();
	play(&port);
	return report(machine_now() - begun);
}
