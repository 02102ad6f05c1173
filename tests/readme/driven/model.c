/* SPDX-License-Identifier: MIT */
#include "model.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

enum { DEPTHS = 2, DEEP = 8, KEPT = 512, IDLE = 3, LONGEST = 60000 };
enum { NEAR = 50, APART = 31 }; /* in the middle of a message every byte is like the next: away from an end a point of so many is enough */

/* A byte of the second id that is lost without a gap in its place makes another id, also where the end of the first message is still
 * in the hardware. */
static const char asked[] = "{\"id\":1,\"method\":\"ping\",\"jsonrpc\":\"2.0\"}\n{\"id\":234567,\"method\":\"ping\",\"jsonrpc\":\"2.0\"}\n";
static const char further[] = "\n{\"id\":9,\"method\":\"ping\",\"jsonrpc\":\"2.0\"}\n";
static const char answer[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n{\"jsonrpc\":\"2.0\",\"id\":234567,\"result\":{}}\n";
static const char *const answers[] = { "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n", "{\"jsonrpc\":\"2.0\",\"id\":234567,\"result\":{}}\n" };
static const char last[] = "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}\n";

static const model_code *code;
static jmp_buf over;

static struct {
	unsigned points, event_at, depth;
	model_event event;
	bool edge, pends;          /* how its interrupts come */
	const char *rest;          /* of the input */
	unsigned ends[2], ended;   /* the points at which its messages had come */
	unsigned again;            /* the point at which `further` begins to come */
	uint8_t waits[DEEP];
	unsigned count, burst;     /* bytes that come one at each point from now on */
	uint32_t control;
	bool overrun, leaves, received, left, pending; /* what the hardware says; and what its edges have latched */
	bool enabled, inside, woken;
	unsigned held, dropped, moved; /* `moved`: whatever an interrupt has done */
	uint32_t ms, quiet; /* time; that since something came */
	char out[KEPT];
	size_t length;
	const char *wrong;
} run;

/* --- What happens */

static void fail(const char *wrong)
{
	run.wrong = run.wrong != NULL ? run.wrong : wrong;
	longjmp(over, 1);
}

static void arrive(void)
{
	if (*run.rest == '\0' || (run.count == run.depth && code->keeps_up))
		return;
	const uint8_t byte = (uint8_t)*run.rest++;
	if (byte == '\n' && run.again == 0)
		run.ends[run.ended++ % 2] = run.points;
	if (run.count == run.depth) {
		run.overrun = true;
		run.dropped++;
		return;
	}
	run.waits[run.count++] = byte;
	run.received = run.received || (run.control & MODEL_RX_ON) != 0;
}

static void leave(void)
{
	if (!run.leaves)
		return;
	run.leaves = false;
	run.left = run.left || (run.control & MODEL_TX_ON) != 0;
}

static void happen(model_event event)
{
	switch (event) {
	case MODEL_BYTE: arrive(); break;
	case MODEL_OVERRUN:
		for (unsigned i = 0; i <= run.depth; i++)
			arrive();
		break;
	case MODEL_BURST: run.burst = run.depth + 3; break;
	case MODEL_LEFT: leave(); break;
	case MODEL_EVENTS: break;
	}
}

/* --- Interrupts */

static bool receive_due(void)
{
	return run.edge ? run.received : (run.control & MODEL_RX_ON) != 0 && run.count > 0;
}

static bool transmit_due(void)
{
	return run.edge ? run.left : (run.control & MODEL_TX_ON) != 0 && !run.leaves;
}

static void interrupt(void)
{
	const bool asked_for = run.pending;
	const unsigned before = run.moved;
	run.pending = false;
	run.inside = true;
	if (asked_for || receive_due()) {
		run.received = false;
		code->receive();
	}
	if (asked_for || transmit_due()) {
		run.left = false;
		code->transmit();
	}
	run.inside = false;
	run.woken = run.woken || code->woken_by_interrupts;
	if (run.moved == before && !asked_for && !run.edge && (receive_due() || transmit_due()))
		fail("is called for ever: it takes nothing and does not switch itself off");
}

static void deliver(void)
{
	while (!run.inside && run.enabled && run.held == 0 && (run.pending || receive_due() || transmit_due()))
		interrupt();
}

void model_at(void)
{
	if (++run.points == run.event_at)
		happen(run.event);
	if (run.burst > 0) {
		run.burst--;
		arrive();
	}
	deliver();
}

/* --- Registers */

bool model_has_byte(void)
{
	model_at();
	const bool has = run.count > 0;
	model_at();
	return has;
}

uint8_t model_read(void)
{
	model_at();
	const uint8_t byte = run.waits[0];
	if (run.count == 0)
		fail("reads a byte that is not there");
	run.moved++;
	memmove(run.waits, run.waits + 1, --run.count);
	model_at();
	return byte;
}

bool model_was_overrun(void)
{
	model_at();
	const bool was = run.overrun;
	run.overrun = false;
	model_at();
	return was;
}

bool model_has_room(void)
{
	model_at();
	const bool has = !run.leaves;
	model_at();
	return has;
}

void model_write(uint8_t byte)
{
	model_at();
	if (run.leaves)
		fail("writes upon a byte that has not left");
	run.leaves = true;
	run.moved++;
	if (run.length < KEPT - 1)
		run.out[run.length++] = (char)byte;
	model_at();
}

void model_switch(uint32_t on, uint32_t off)
{
	const uint32_t value = run.control;
	model_at();
	run.moved += ((value | on) & ~off) != run.control;
	run.control = (value | on) & ~off;
	model_at();
}

void model_pend(void)
{
	run.pending = run.pends;
	model_at();
}

/* --- The processor */

void model_enable(void)
{
	run.enabled = true;
	model_at();
}

void model_hold(void)
{
	run.held++;
}

void model_release(void)
{
	run.held--;
	deliver();
}

void model_wake(void)
{
	run.woken = true;
}

/* The hardware goes on by itself: false when nothing more will come of it. */
static bool go_on(void)
{
	if (run.leaves)
		leave();
	else if (*run.rest != '\0' && run.count < run.depth)
		arrive();
	else
		return false;
	return true;
}

/* Until it is woken, or the hardware has nothing more to do. A pending interrupt ends a sleep although it is held back, and
 * runs when it is let in; here it runs at once. */
static bool rest(void)
{
	const unsigned held = run.held;
	run.woken = run.woken && !code->woken_by_interrupts; /* one that came before the sleep does not end it */
	run.held = 0;
	for (unsigned quiet = 0; !run.woken && quiet < IDLE; quiet++) {
		deliver();
		if (!run.woken && go_on())
			quiet = 0;
		deliver();
	}
	run.held = held;
	return run.woken;
}

/* When all is at rest the input has been taken, and what was whole is answered. Then the further request comes. */
static void ask_further(void)
{
	if (*run.rest != '\0' || run.count > 0)
		fail("is deaf");
	if (run.dropped == 0 && strncmp(run.out, answer, sizeof answer - 1) != 0)
		fail("sleeps over what has come");
	if (run.again > 0)
		longjmp(over, 1);
	run.again = run.points;
	run.burst = 0;
	run.rest = further;
}

bool model_sleep(uint32_t ms)
{
	model_at(); /* behind the question whether to sleep */
	bool woken = rest();
	if (!woken && ms != UINT32_MAX) {
		run.ms += ms;
		run.quiet += ms;
	}
	if (!woken && (ms == UINT32_MAX || run.quiet > LONGEST)) {
		ask_further();
		woken = rest();
	}
	if (woken)
		run.quiet = 0;
	run.woken = false;
	return woken;
}

uint32_t model_ms(void)
{
	return run.ms;
}

/* --- The peer */

static void put_nothing(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_put_object(w);
	quash_put_end(w);
}

static int32_t ping(quash_request *request)
{
	return quash_reply(request, put_nothing);
}

static const quash_method methods[] = { { .name = "ping", .handler = ping } };
QUASH_STORAGE(store, 2, 17, 0, 128, 128);
const quash_config model_config = { QUASH_STORED(store), .dialect = &quash_jsonrpc, .methods = methods, .method_count = 1 };

static unsigned lost(void)
{
	return (unsigned)model_config.counters->lost;
}

/* --- The test */

/* Of a run that has lost bytes no more is answered than was asked for, in order. */
static bool is_part(void)
{
	const char *from = run.out;
	for (unsigned i = 0; i < sizeof answers / sizeof answers[0]; i++)
		if (strncmp(from, answers[i], strlen(answers[i])) == 0)
			from += strlen(answers[i]);
	return strcmp(from, last) == 0;
}

static const char *fault(void)
{
	if (run.wrong != NULL)
		return run.wrong;
	if (strstr(run.out, last) == NULL)
		return run.length == 0 ? "answers nothing" : "does not answer what comes further";
	if (run.dropped > 0)
		return lost() == 0 ? "loses bytes in silence" : is_part() ? NULL : "joins what stood around a loss";
	return lost() > 0 || !is_part() || strncmp(run.out, answer, sizeof answer - 1) != 0 ? "has lost something" : NULL;
}

/* What happens at which point, in a run in which nothing happens. */
struct course {
	unsigned points, ends[2];
};

static bool is_near(const struct course *c, unsigned at)
{
	bool near = at < NEAR || at + NEAR > c->points;
	for (unsigned i = 0; i < 2; i++)
		near = near || (at + NEAR > c->ends[i] && at < c->ends[i] + NEAR);
	return near;
}

static void play(unsigned at, model_event event, unsigned depth, unsigned kind)
{
	memset(&run, 0, sizeof run);
	memset(model_config.counters, 0, sizeof *model_config.counters); /* unless the code has a config of its own */
	run.event_at = at;
	run.event = event;
	run.depth = depth;
	run.edge = kind == 1;
	run.pends = kind == 1;
	run.rest = asked;
	if (setjmp(over) == 0)
		code->start();
}

int model_drive(const model_code *driven)
{
	static const char *const names[MODEL_EVENTS] = { "a byte", "an overrun", "a burst", "the end of a transmission" };
	static const unsigned depths[DEPTHS] = { 1, DEEP };
	unsigned runs = 0;
	code = driven;
	for (unsigned kind = 0; kind < (code->by_level ? 1 : 2); kind++)
		for (unsigned d = 0; d < DEPTHS; d++) {
			play(0, MODEL_BYTE, depths[d], kind);
			const struct course course = { run.again, { run.ends[0], run.ends[1] } };
			for (unsigned at = 0; at <= course.points; at += is_near(&course, at) ? 1 : APART)
				for (unsigned event = 0; event < MODEL_EVENTS; event++, runs++) {
					if (code->keeps_up && (event == MODEL_OVERRUN || event == MODEL_BURST))
						continue;
					play(at, (model_event)event, depths[d], kind);
					const char *const wrong = fault();
					if (wrong == NULL)
						continue;
					printf("it %s: %s at point %u of %u, %u in hardware, interrupts by %s\n", wrong, names[event], at, course.points, depths[d],
						kind == 0 ? "level" : "edge");
					return 1;
				}
		}
	printf("%u runs\n", runs);
	return runs < 1000;
}
