/* SPDX-License-Identifier: MIT
 * What requests hold while they live, and that nothing is left when all is at rest. */
#include "adapter.h"
#include "oracle.h"

/* What may be refused without an id. */
static const int32_t refusal_codes[] = { -32700, -32600, -32010, -32011, -32601, -32603 };

void oracle_calls_at_rest(uint8_t link)
{
	for (size_t i = 0; i < sim.ask_count; i++) {
		const struct ask *const ask = &sim.asks[i];
		if (ask->link == link && ask->written && ask->must_cancel && ask->answers == 0 &&
			!ask->cancel_seen)
			fail("cascade", "call %u was never cancelled", (unsigned)ask->id);
	}
}

/* A handler that is dropped has ended without being called again. */
static bool has_ended(const struct record *r)
{
	return r->ended ||
		((oracle_marks(r) & IS_DROPPED) != 0 && (r->expect != UNDECIDED || r->either) && !r->inside);
}

/* --- Load */

static bool holds_slot(const struct record *r)
{
	const bool hook = (oracle_marks(r) & (HAS_HOOK | IS_DROPPED)) != 0 && r->started && !r->hook_done;
	if (r->opaque)
		return r->answers == 0;
	if (r->started && (!has_ended(r) || hook))
		return true;
	for (size_t i = 0; i < sim.ask_count; i++) {
		if (sim.asks[i].parent == r && sim.asks[i].answers == 0 && !sim.asks[i].cancel_seen)
			return true;
	}
	return !r->answered && !oracle_is_dead(r);
}

/* It should have been called in the step that has just ended. */
static bool was_forgotten(const struct record *r)
{
	const unsigned step = sim.steps[r->link];
	const bool over = !r->sleeps || (int32_t)(sim.step_began - r->sleeps_until) >= 0;
	if (!r->pending || r->inside || r->opaque || r->batch >= 0 || has_ended(r) || r->called_in >= step)
		return false;
	return over || (r->due_in != 0 && r->due_in <= step);
}

void oracle_idle(uint8_t link, uint32_t ms)
{
	for (size_t i = 0; i < sim.record_count; i++) {
		const struct record *const r = &sim.records[i];
		const int32_t left = r->sleeps ? (int32_t)(r->sleeps_until - sim.told[link]) : 0;
		if (r->link != link || !r->pending || r->inside || r->opaque || r->batch >= 0 || has_ended(r))
			continue;
		if (ms > (left > 0 ? (uint32_t)left : 0))
			fail("time", "it would sleep for %u ms, and %s waits", (unsigned)ms, methods[r->method].name);
	}
}

void oracle_stepped(uint8_t link)
{
	sim.steps[link]++;
	for (size_t i = 0; i < sim.record_count; i++) {
		struct record *const r = &sim.records[i];
		if (r->link == link && was_forgotten(r))
			fail("time", "%s (%.*s) was not called in a step", methods[r->method].name, (int)r->id_length, r->id);
		if (r->link == link && has_ended(r) && (oracle_marks(r) & HAS_HOOK) == 0)
			r->hook_done = true; /* what was dropped holds its slot up to here */
		if (r->link == link && r->packed == 0 && !holds_slot(r))
			r->packed = sim.steps[link];
	}
}

void oracle_load(uint8_t link, unsigned since, unsigned *slots, size_t *arena)
{
	*slots = 0;
	*arena = 0;
	for (size_t i = 0; i < sim.record_count; i++) {
		const struct record *const r = &sim.records[i];
		if (r->link != link)
			continue;
		*slots += holds_slot(r);
		*arena += r->packed != 0 && r->packed <= since ? 0 : r->weight;
	}
	for (size_t i = 0; i < sizeof refusal_codes / sizeof *refusal_codes; i++) {
		const struct refusals *const r = oracle_refusals(link, refusal_codes[i]);
		*slots += r->sure + r->perhaps > r->seen ? r->sure + r->perhaps - r->seen : 0;
	}
}

/* --- At rest */

static bool was_refused_whole(int batch)
{
	for (size_t i = 0; i < sim.record_count; i++) {
		const struct record *const r = &sim.records[i];
		if (r->batch == batch && (r->started || r->answers > 0))
			return false;
	}
	return sim.batches[batch].may_be_refused;
}

static bool has_open_asks(const struct record *r)
{
	for (size_t i = 0; i < sim.ask_count; i++) {
		if (sim.asks[i].parent == r && sim.asks[i].answers == 0)
			return true;
	}
	return false;
}

static void overdue_calls(uint8_t link)
{
	for (size_t i = 0; i < sim.ask_count; i++) {
		const struct ask *const ask = &sim.asks[i];
		const bool over = ask->timed && (int32_t)(sim.told[link] - ask->deadline) > 0;
		if (ask->link == link && over && ask->written && ask->answers == 0 && !ask->cancel_seen)
			fail("time", "call %u is overdue", (unsigned)ask->id);
	}
}

void oracle_ended_by_itself(uint8_t link)
{
	overdue_calls(link);
	for (size_t i = 0; i < sim.record_count; i++) {
		const struct record *const r = &sim.records[i];
		const bool may_live = r->for_ever || r->opaque || r->batch >= 0 || has_open_asks(r);
		if (r->link != link || may_live || r->method >= METHODS)
			continue;
		if (r->started && !has_ended(r))
			fail("time", "%s (%.*s) does not end", methods[r->method].name, (int)r->id_length, r->id);
		if (!r->notification && !r->started && r->answers == 0 && !r->silent && !r->optional && !r->may_be_twin)
			fail("stuck", "%s (%.*s) is never begun", methods[r->method].name, (int)r->id_length, r->id);
	}
}

static void rest_of_request(const struct record *r)
{
	const char *const name = r->method < METHODS ? methods[r->method].name : "?";
	const bool refused = r->batch >= 0 && was_refused_whole(r->batch);
	if (r->started && !has_ended(r) && !r->opaque)
		fail("rest", "%s has not ended", name);
	if (r->started && (oracle_marks(r) & HAS_HOOK) != 0 && !r->hook_done)
		fail("hook", "the end hook of %s has never run", name);
	if (r->notification) {
		if (!r->started && r->expect == UNDECIDED && !r->may_be_busy && !r->may_be_large && !r->silent)
			fail("rest", "notification %s was never handled", name);
		return;
	}
	if (r->answers == 0 && !r->silent && !r->optional && !r->may_be_twin && !refused)
		fail("answer", "%.*s (%s) was never answered", (int)r->id_length, r->id, name);
}

static void rest_of_refusals(uint8_t link)
{
	for (size_t i = 0; i < sizeof refusal_codes / sizeof *refusal_codes; i++) {
		const struct refusals *const r = oracle_refusals(link, refusal_codes[i]);
		if (r->seen < r->sure)
			fail("answer", "a refusal without id is missing: %d", (int)refusal_codes[i]);
	}
}

/* Requests that were accepted; `sure` is false where that cannot be known from outside. */
static uint32_t accepted(uint8_t link, bool *sure)
{
	uint32_t n = 0;
	*sure = sim.setup.dialect[link] != JSONRPC; /* members of a batch that came to nothing were accepted */
	for (size_t i = 0; i < sim.record_count; i++) {
		const struct record *const r = &sim.records[i];
		if (r->link != link || r->notification || (r->method == NO_METHOD && !r->opaque))
			continue;
		if (r->opaque || r->optional || r->may_be_twin)
			*sure = false;
		n += !r->refused && (r->started || r->code != -32011);
	}
	return n;
}

static void agree(const char *what, uint32_t counted, uint32_t seen)
{
	if (counted != seen)
		fail("counters", "%u %s are counted, there were %u", (unsigned)counted, what, (unsigned)seen);
}

static void rest_of_counters(uint8_t link)
{
	const struct counted c = adapter_counted(link);
	const struct totals *const said = oracle_totals(link);
	uint32_t asked = 0, cancelled = 0;
	bool sure;
	const uint32_t requests = accepted(link, &sure);
	for (size_t i = 0; i < sim.ask_count; i++) {
		asked += sim.asks[i].link == link && sim.asks[i].written;
		cancelled += sim.asks[i].link == link && sim.asks[i].cancel_seen;
	}
	if (said->cuts > 0)
		return;
	agree("results", c.results, said->results);
	agree("errors", c.errors, said->errors);
	agree("calls", c.calls, asked);
	agree("cancels of calls", c.call_cancels, cancelled);
	agree("parse errors", c.parse_errors, oracle_refusals(link, -32700)->sure);
	if (sure)
		agree("requests", c.requests, requests);
	if (sim.setup.profile == NO_PROFILE && sim.setup.topology != BRIDGE)
		agree("dropped notifications", c.dropped, sim.dropped[link]);
}

void oracle_rest(uint8_t link, bool linked)
{
	for (size_t i = 0; i < sim.record_count; i++) {
		if (sim.records[i].link == link)
			rest_of_request(&sim.records[i]);
	}
	if (!linked)
		return;
	rest_of_refusals(link);
	rest_of_counters(link);
}
