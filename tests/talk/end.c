/* SPDX-License-Identifier: MIT */
#include "end.h"

#include <string.h>

const quash_dialect *const end_dialects[DIALECTS] = { &quash_acp, &quash_lsp, &quash_mcp, &quash_jsonrpc };

bool mode_is_exact(const struct mode *mode)
{
	return mode->kind <= CUT;
}

struct end *end_of(const quash_peer *peer)
{
	const struct testee *testee = quash_context(peer);
	return testee->device;
}

/* --- Its beginning */

static void take_turn(quash_peer *peer, void *device)
{
	struct end *e = device;
	(void)peer;
	e->turns++;
	if (e->turns >= e->wake)
		e->events->turn(e);
	end_pump(e);
}

static bool ended(void *device)
{
	const struct end *e = device;
	return e->ended;
}

#ifdef QUASH_THE_CONFIG
static const quash_config *make_config(struct end *e, const struct setup *setup, void *(*take)(struct end *end, size_t size))
{
	(void)setup;
	(void)take;
	e->config = QUASH_THE_CONFIG;
	return &QUASH_THE_CONFIG;
}
#else
static const quash_config testee_config = {
	.methods = end_methods,
	.calls = &quash_calls,
	.state_size = TALK_STATE_SIZE,
	.method_count = METHODS,
	.id_size = TESTEE_ID_SIZE,
	.word_size = QUASH_WORD,
	.tag_size = TAG_SIZE,
	.text_size = TEXT_SIZE,
	.reason_size = REASON_SIZE,
};

/* Exact sizes, so that a sanitizer sees each byte. NULL when there is no memory. */
static const quash_config *make_config(struct end *e, const struct setup *setup, void *(*take)(struct end *end, size_t size))
{
	const size_t slots = (size_t)setup->slots;
	quash_config *c = &e->config;
	*c = setup->program != NULL ? *setup->program->config : testee_config;
	c->slots = take(e, slots * sizeof *c->slots);
	c->word = take(e, sizeof *c->word);
	c->ids = take(e, (slots + 1) * c->id_size);
	c->states = take(e, slots * c->state_size);
	c->tags = take(e, (slots + 1) * c->tag_size);
	c->texts = take(e, slots * c->text_size);
	c->arena = take(e, (size_t)setup->arena);
	c->tx = take(e, (size_t)setup->tx);
	c->dialect = end_dialects[setup->dialect];
	c->reason = c->reason_size > 0 ? e->reason : NULL;
	c->reason_size = c->reason_size > 0 ? sizeof e->reason : 0;
	c->trace = e->events->trace;
	c->context = &e->testee;
	c->counters = &e->counters;
	c->arena_size = (quash_size)setup->arena;
	c->tx_size = (quash_size)setup->tx;
	c->slot_count = (uint8_t)setup->slots;
	const bool all = c->slots != NULL && c->word != NULL && c->ids != NULL && c->states != NULL && c->tags != NULL &&
		c->texts != NULL && c->arena != NULL && c->tx != NULL;
	return all ? c : NULL;
}
#endif

const char *end_open(struct end *end, const struct setup *setup, void *(*take)(struct end *end, size_t size))
{
	const struct end_events *const events = end->events;
	void *const context = end->context;
	memset(end, 0, sizeof *end);
	end->events = events;
	end->context = context;
	end->program = setup->program;
	end->mode = setup->mode;
	end->wake = UINT32_MAX;
	end->testee.pump = take_turn;
	end->testee.ended = ended;
	end->testee.device = end;
	end->testee.calls = end->calls;
	end->testee.call_count = TALK_CALLS;
	methods_reset_groups();
	methods_make(setup->watched ? end_dialects[setup->dialect]->cancels[0].method : "$/unwatched", setup->asking);
	const quash_config *const config = make_config(end, setup, take);
	if (config == NULL)
		return "memory";
	if (end->program != NULL)
		end->program->reset();
	if (setup->mode.kind != WHOLE) { /* other modes are many, and change no more than sizes */
		quash_start_with_(&end->peer, config);
		return NULL;
	}
	quash_fault fault;
	return quash_init(&end->peer, config, &fault) ? NULL : fault.member;
}

/* --- Movement */

void end_pump(struct end *end)
{
	const quash_port port = end_port(end);
	end->takes = 0;
	end->writes = 0;
	end->pumps++;
	end->halted += end->mode.kind == HALT && end->written == end->mode.value ? 1 : 0;
	if (end->mode.kind == WHOLE || end->mode.kind == SPLIT)
		end_feed_all(end, end->mode.kind == SPLIT ? 1 : SIZE_MAX);
	quash_pump(&end->peer, &port);
}

void end_settle(struct end *end, unsigned patience, bool taken_is_enough)
{
	unsigned still = 0;
	while (still < patience && !(taken_is_enough && end->left == 0)) {
		const uint32_t before = end->moved;
		end_pump(end);
		still = end->moved == before ? still + 1 : 0;
	}
}

/* --- What befalls it */

static bool is_spelled(const quash_live *live, const char *id)
{
	const size_t quotes = live->id_is_number ? 0 : 1, length = live->id != NULL ? live->id_length : 0;
	if (strlen(id) != length + 2 * quotes || (quotes > 0 && (id[0] != '"' || id[length + 1] != '"')))
		return false;
	return length == 0 || memcmp(id + quotes, live->id, length) == 0;
}

static bool cancel(struct end *e, enum verb verb, const char *id)
{
	quash_live live = { 0 };
	while (quash_next_live(&e->peer, &live)) {
		quash_request *request = (quash_request *)(uintptr_t)live.request;
		if (!is_spelled(&live, id))
			continue;
		if (verb == LOCAL)
			quash_cancel(request);
		else
			quash_cancel_async(quash_handle_of(request));
		return true;
	}
	return false;
}

static bool reopen(struct end *e)
{
	e->given += (uint32_t)e->left;
	e->left = 0;
	e->lost = false;
	e->ended = false;
	e->gone = false;
	quash_reopen(&e->peer);
	quash_reopen(&e->peer);
	return true;
}

quash_call *end_free_call(struct end *end)
{
	for (size_t i = 0; i < TALK_CALLS; i++) {
		if (!quash_call_in_use(&end->calls[i]))
			return &end->calls[i];
	}
	return NULL;
}

static int32_t count_done(quash_call *call)
{
	struct end *e = call->context;
	e->dones++;
	return QUASH_DONE;
}

/* The program asks by itself. */
static bool ask(struct end *e, const char *method)
{
	quash_call *call = end_free_call(e);
	if (call == NULL || strlen(method) >= CALL_NAME)
		return false;
	char *name = e->call_names[call - e->calls];
	strcpy(name, method);
	memset(call, 0, sizeof *call);
	call->method = name;
	call->done = count_done;
	call->context = e;
	return quash_call_start(&e->peer, call);
}

bool end_befall(struct end *end, enum verb verb, uint32_t value, const char *text)
{
	switch (verb) {
	case STEP: quash_step(&end->peer); break;
	case TICK: end->now += value; break;
	case END: end->ended = true; break;
	case GONE: end->gone = true; break;
	case REOPEN: return reopen(end);
	case LOST:
		end->lost = true;
		end->gap = end->given + (uint32_t)end->left;
		break;
	case SESSION: quash_new_session(&end->peer); break;
	case SHUTDOWN: quash_cancel_all(&end->peer); break;
	case STALL: end->stalled = true; break;
	case DRAIN: end->stalled = false; break;
	case CALL: return ask(end, text);
	case DOES: return end->program != NULL && end->program->act != NULL && end->program->act(&end->peer, text);
	case UNCALL: (void)quash_call_cancel_id(&end->peer, value); break;
	default: return cancel(end, verb, text);
	}
	return true;
}

/* --- How it stands */

static uint32_t counter(const struct end *e, uint8_t place)
{
	const quash_count *counts = (const quash_count *)(const void *)&e->counters;
	switch (place) {
	case HOOKS: return e->hooks;
	case RELEASED: return e->released;
	case NOTES: return e->notes;
	case DONES: return e->dones;
	case DISPENSED: return e->testee.dispensed;
	case LAST_CANCEL: return e->counters.last_cancel_ms;
	case SLOWEST_CANCEL: return e->counters.slowest_cancel_ms;
	case MOST_LIVE: return e->counters.most_live;
	case MOST_ARENA: return e->counters.most_arena;
	case LONGEST_NOTIFICATION: return e->counters.longest_notification;
	default: return place < sizeof e->counters / sizeof *counts ? counts[place] : UINT32_MAX;
	}
}

uint32_t end_value(struct end *end, enum verb verb, uint8_t place)
{
	switch (verb) {
	case LIVE_IS: return quash_live_count(&end->peer);
	case CALLS_IS: return quash_call_count(&end->peer);
	case IDLE_IS: return quash_idle_ms(&end->peer);
	default: return counter(end, place);
	}
}

bool end_is_over(struct end *end)
{
	size_t waiting;
	quash_out(&end->peer, &waiting);
	return quash_live_count(&end->peer) == 0 && (end->gone || (waiting == 0 && end->left == 0));
}
