/* SPDX-License-Identifier: MIT
 * Calls inside of the states of requests, in batches. A slot that is given away holds no call, and what its handler
 * began its `end` hook has ended. Whether that is so hangs on everything at once, so each order of moves is a run of
 * its own: after a request in a batch has made a call, any MOVES moves out of eight, with these very messages. No other
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
static quash_word word;
static quash_counters counters;
static uint8_t ids[(SLOTS + 1) * QUASH_ID_MIN], arena[ARENA], tx[TX];
static quash_peer peer;
static bool waits;

static void put_answer(quash_writer *w, const quash_request *request)
{
	quash_put_value(w, quash_call_answer(&QUASH_CONST_STATE(struct ask, request)->call));
}

static int32_t handle(quash_request *request)
{
	struct ask *s = QUASH_STATE(struct ask, request);
	if (s->call.method == NULL) {
		s->begun = true;
		s->call.method = "x";
		(void)quash_call_start_for(request, &peer, &s->call);
	}
	return waits ? QUASH_PENDING : quash_reply(request, put_answer);
}

/* It pends as often as the handler does. */
static int32_t end(quash_request *request)
{
	struct ask *s = QUASH_STATE(struct ask, request);
	if (waits)
		return QUASH_PENDING;
	s->begun = false;
	return QUASH_DONE;
}

static int32_t note(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static bool holds_call(const quash_request *request)
{
	const quash_call *call = peer.children;
	while (call != NULL && call->parent != request)
		call = call->sibling;
	return call != NULL;
}

static void trace(quash_peer *of, quash_event event, const quash_request *request, int32_t detail, quash_why why)
{
	(void)of;
	(void)detail;
	(void)why;
	if (event == QUASH_FREED) {
		const bool held = holds_call(request), begun = states[request - slots].begun;
		/*@ assert held == 0; */
		/*@ assert begun == 0; */
	}
}

static const quash_method methods[] = {
	{ .name = "a", .handler = handle, .motion = { .end = end, .longest = QUASH_NO_LIMIT } },
	{ .name = "n", .handler = note, .marks = QUASH_NOTIFICATION },
};

static const quash_config config = {
	.dialect = &quash_jsonrpc,
	.methods = methods,
	.slots = slots,
	.word = &word,
	.counters = &counters,
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
	.word_size = sizeof word.text,
	.calls = &quash_calls,
};

/* What was not taken yet. */
static const char *rest = "";

static void feed_rest(void)
{
	size_t n = 0;
	while (rest[n] != '\0')
		n++;
	rest += quash_feed(&peer, (const uint8_t *)rest, n);
}

static void receive(const char *text)
{
	feed_rest();
	if (*rest != '\0')
		return;
	rest = text;
	feed_rest();
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
	case 0: receive(BATCH); break;
	case 1: receive("[]\n"); break;
	case 2: receive("{\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n"); break;
	case 3: receive("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}\n"); break;
	case 4: drain(); break;
	case 5: step(false); break;
	case 6: step(true); break;
	default: quash_cancel_all(&peer); break;
	}
}

/* What no decision hangs on, so that orders which come to the same meet again. */
static void forget(void)
{
	any_bytes((uint8_t *)&counters, sizeof counters);
	any_bytes(tx, sizeof tx);
}

int main(void)
{
	quash_start_with_(&peer, &config);
	receive(BATCH);
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
