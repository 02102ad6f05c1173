/* SPDX-License-Identifier: MIT
 * Nothing is left when all is at rest, and the counters are what was seen. */
#include "adapter.h"
#include "oracle.h"

void oracle_calls_at_rest(uint8_t link)
{
	for (size_t i = 0; i < sim.ask_count; i++) {
		const struct ask *const ask = &sim.asks[i];
		if (ask->link == link && ask->written && ask->must_cancel && ask->answers == 0 && !ask->cancel_seen)
			fail("cascade", "call %u was never cancelled", (unsigned)ask->id);
	}
}

static void overdue_calls(uint8_t link)
{
	for (size_t i = 0; i < sim.ask_count; i++) {
		const struct ask *const ask = &sim.asks[i];
		const bool over = ask->timed && (int32_t)(sim.ticked[link] - ask->deadline) > 0;
		if (ask->link == link && over && ask->written && ask->answers == 0 && !ask->cancel_seen)
			fail("time", "call %u is overdue", (unsigned)ask->id);
	}
}

void oracle_ended_by_itself(uint8_t link)
{
	overdue_calls(link);
	for (size_t i = 0; i < sim.record_count; i++) {
		const struct record *const r = &sim.records[i];
		const bool may_live = r->for_ever || r->opaque || r->batch >= 0 || oracle_is_asking(r);
		if (r->link != link || may_live || r->method >= METHODS)
			continue;
		if (r->started && r->stage != ENDED)
			fail("time", "%.*s does not end", (int)r->id_length, r->id);
		if (r->stage == PARKED)
			fail("stuck", "%.*s is never begun", (int)r->id_length, r->id);
	}
}

static void rest_of_record(const struct record *r)
{
	if (r->stage == DEAD || r->opaque)
		return;
	if (r->stage != ENDED)
		fail("rest", "%.*s has not ended", (int)r->id_length, r->id);
	if (!r->end_done)
		fail("hook", "the end hook of %.*s has never run", (int)r->id_length, r->id);
	if (r->started && (oracle_marks(r) & HAS_RELEASED) != 0 && !r->is_released)
		fail("hook", "the released hook of %.*s has never run", (int)r->id_length, r->id);
	if (r->claim.slot && !r->claim.freed)
		fail("slot", "the slot of %.*s is never given back", (int)r->id_length, r->id);
	if (!r->notification && r->answer == RECORDED && !r->seen && !r->lost)
		fail("answer", "%.*s was never answered", (int)r->id_length, r->id);
}

/* --- Counters */

static void agree(const char *what, uint32_t counted, uint32_t seen)
{
	if (counted != seen)
		fail("counters", "%u %s are counted, there were %u", (unsigned)counted, what, (unsigned)seen);
}

static void agree_on_calls(uint8_t link, const struct counted *c)
{
	uint32_t asked = 0, cancelled = 0;
	for (size_t i = 0; i < sim.ask_count; i++) {
		asked += sim.asks[i].link == link && sim.asks[i].written;
		cancelled += sim.asks[i].link == link && sim.asks[i].cancel_seen;
	}
	agree("calls", c->calls, asked);
	agree("cancels of calls", c->call_cancels, cancelled);
}

/* What the trace tells is counted, also when the link is gone. */
static void agree_on_trace(uint8_t link, const struct counted *c)
{
	agree("new sessions", c->sessions, oracle_claimed(link, CLAIM_NEW_SESSION));
	agree("kept messages", c->kept, oracle_claimed(link, CLAIM_KEPT));
	agree("late cancels", c->late_cancels, oracle_claimed(link, CLAIM_LATE_CANCEL));
	agree("accepted messages", c->requests + c->notifications, oracle_claimed(link, CLAIM_PARKED));
	agree("written answers", c->results + c->errors, oracle_claimed(link, CLAIM_WRITTEN));
	agree("misuses", c->misuses + c->changed, oracle_claimed(link, CLAIM_MISUSED));
	for (unsigned i = 0; i < CAUSES; i++) {
		if (i != BY_SHUTDOWN) /* which counts what was kept */
			agree("cancelled requests", c->cancelled[i], oracle_flagged(link, (enum cause)i));
	}
}

static void agree_on_wire(uint8_t link)
{
	const struct counted c = adapter_counted(link);
	const struct totals *const totals = oracle_totals(link);
	const bool plain = sim.setup.profile == NO_PROFILE || link != 0;
	agree_on_trace(link, &c);
	agree("gaps", c.lost, totals->lost);
	agree("signs of life", c.life_signs, totals->signs);
	if (plain && sim.setup.topology != BRIDGE)
		agree("dropped notifications", c.dropped, totals->dropped);
	if (plain)
		agree("misuses", c.misuses, totals->misuses);
	if (totals->cuts > 0)
		return;
	agree("results", c.results, totals->results);
	agree("errors", c.errors, totals->errors);
	agree_on_calls(link, &c);
}

void oracle_rest(uint8_t link)
{
	for (size_t i = 0; i < sim.record_count; i++) {
		if (sim.records[i].link == link)
			rest_of_record(&sim.records[i]);
	}
	agree_on_wire(link);
}
