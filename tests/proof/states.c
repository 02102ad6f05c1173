/* SPDX-License-Identifier: MIT
 * Calls inside of the states of requests, in batches. A slot that is given away holds no call, and what its handler
 * began its `end` hook has ended. Whether that is so hangs on everything at once, so each order of moves is a run of
 * its own: after a request in a batch has asked, any MOVES moves out of eight, with these very messages. No other
 * thread takes part (volatile= in the settings). */
#include "any.h"
#include "quash.h"

#ifndef MOVES
#define MOVES 3
#endif

/* Request and answer fill TX: the cancel of the call waits. */
enum { SLOTS = 2, ARENA = 32, TX = 80 };

struct ask {
	quash_call call;
	bool begun;
};

static struct ask states[SLOTS];
static quash_request slots[SLOTS];
static uint8_t ids[SLOTS * QUASH_ID_MIN], arena[ARENA], tx[TX];
static quash_peer peer;
static bool waits;

static int32_t handle(quash_request *request, quash_value params)
{
	struct ask *s = quash_state(request);
	(void)params;
	if (s->call.method == NULL) {
		s->begun = true;
		s->call.method = "x";
		(void)quash_ask_for(request, &peer, &s->call);
	}
	if (waits)
		return QUASH_PENDING;
	quash_put_value(quash_reply(request), quash_answer(&s->call));
	return quash_send(request);
}

static void end(quash_request *request)
{
	struct ask *s = quash_state(request);
	s->begun = false;
}

static int32_t note(quash_request *request, quash_value params)
{
	(void)request;
	(void)params;
	return QUASH_DONE;
}

static bool holds_call(const quash_request *request)
{
	const quash_call *call = peer.children;
	while (call != NULL && call->parent != request)
		call = call->sibling;
	return call != NULL;
}

static void trace(quash_peer *of, quash_event event, const quash_request *request, int32_t detail)
{
	(void)of;
	(void)detail;
	if (event == QUASH_FREED) {
		const bool held = holds_call(request), begun = states[request - slots].begun;
		/*@ assert held == 0; */
		/*@ assert begun == 0; */
	}
}

static const quash_method methods[] = {
	{ .name = "a", .handler = handle, .end = end, .marks = QUASH_DROPS },
	{ .name = "n", .handler = note, .marks = QUASH_NOTIFICATION },
};

static const quash_config config = {
	.dialect = &quash_jsonrpc,
	.methods = methods,
	.slots = slots,
	.ids = ids,
	.states = states,
	.arena = arena,
	.tx = tx,
	.trace = trace,
	.arena_size = ARENA,
	.tx_size = TX,
	.state_size = sizeof *states,
	.method_count = 2,
	.slot_count = SLOTS,
	.id_size = QUASH_ID_MIN,
};

static void hear(const char *text)
{
	size_t n = 0;
	while (text[n] != '\0')
		n++;
	(void)quash_feed(&peer, (const uint8_t *)text, n);
}

static void drain(void)
{
	size_t n;
	(void)quash_out(&peer, &n);
	quash_sent(&peer, n);
}

static void step(bool wait)
{
	waits = wait;
	(void)quash_step(&peer);
	waits = false;
}

#define BATCH "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}]\n"

static void move(int which)
{
	switch (which) {
	case 0: hear(BATCH); break;
	case 1: hear("[]\n"); break;
	case 2: hear("{\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n"); break;
	case 3: hear("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}\n"); break;
	case 4: drain(); break;
	case 5: step(false); break;
	case 6: step(true); break;
	default: quash_cancel_all(&peer); break;
	}
}

/* What no decision hangs on, so that orders which come to the same meet again. */
static void forget(void)
{
	any_bytes((uint8_t *)&peer.counters, sizeof peer.counters);
	any_bytes(tx, sizeof tx);
}

int main(void)
{
	if (quash_init(&peer, &config) != NULL)
		return 1;
	hear(BATCH);
	step(true);
	forget();
	for (int i = 0; i < MOVES; i++) {
		const int which = Frama_C_interval(0, 7);
		/*@ split which; */
		move(which);
		/*@ merge which; */
		forget();
	}
	return 0;
}
