/* SPDX-License-Identifier: MIT
 * What is due, and by when: deadlines, leases, handlers and hooks. */
#include "oracle.h"

#include <string.h>

static struct {
	bool armed;
	bool single; /* who speaks ends a message once */
	bool open;   /* an empty line came that may have ended a message once more */
	bool ended; /* no sign of life can come */
	uint32_t alive; /* when there was a sign of life */
} links[LINKS];

void time_begin(uint8_t link)
{
	links[link].ended = false;
	time_session(link);
	links[link].alive = 0;
}

void time_input_ended(uint8_t link)
{
	links[link].ended = true;
}

void time_link(uint8_t link)
{
	links[link].ended = false;
	time_session(link);
}

bool time_may_begin(const struct record *r)
{
	return !links[r->link].ended || r->lease == 0;
}

void time_session(uint8_t link)
{
	links[link].armed = links[link].single = links[link].open = false;
}

void time_single(uint8_t link)
{
	links[link].single = true;
	links[link].armed = links[link].armed || links[link].open;
}

bool time_may_be_end(uint8_t link)
{
	if (links[link].armed || links[link].single)
		return false;
	links[link].open = true;
	return true;
}

static bool is_armed(uint8_t link)
{
	return links[link].armed || sim.setup.always[link] || (links[link].open && stream_ends_once(link));
}

void oracle_life(uint8_t link)
{
	links[link].alive = sim.ticked[link];
}

void oracle_life_sign(uint8_t link, bool arms)
{
	links[link].armed = links[link].armed || arms;
	oracle_totals(link)->signs++;
	oracle_life(link);
}

/* --- Cancels by time */

static bool is_working(const struct record *r)
{
	return !r->opaque && (r->stage == PARKED || r->stage == RUNNING);
}

static uint32_t left(uint32_t until, uint8_t link)
{
	const int32_t ms = (int32_t)(until - sim.ticked[link]);
	return ms > 0 ? (uint32_t)ms : 0;
}

static uint32_t lease_left(const struct record *r)
{
	if (r->lease != 0 && links[r->link].ended)
		return 0;
	if (r->lease == 0 || !is_armed(r->link))
		return UINT32_MAX;
	return left(links[r->link].alive + r->lease, r->link);
}

/* The ticks and steps of a peer see what was cancelled from elsewhere, and what is overdue. */
void oracle_time(uint8_t link)
{
	for (size_t i = 0; i < sim.record_count; i++) {
		struct record *const r = &sim.records[i];
		if (r->link != link || !is_working(r) || r->cause != NO_CAUSE || r->answer == RECORDED)
			continue;
		if (r->asynchronous)
			(void)oracle_cancelled(r, BY_LOCAL_CODE);
		else if (r->timed && left(r->deadline, link) == 0)
			(void)oracle_cancelled(r, BY_DEADLINE);
		else if (lease_left(r) == 0)
			(void)oracle_cancelled(r, BY_LEASE);
	}
}

/* So does a lease that is given. */
void oracle_has_lease(struct record *r, uint32_t ms)
{
	r->lease = ms;
	oracle_time(r->link);
}

static uint32_t sleep_of(const struct record *r)
{
	uint32_t ms = UINT32_MAX;
	if (r->inside || r->stage == DEAD || r->opaque)
		return ms;
	if (r->stage == PARKED || (r->pending && !r->sleeps))
		return 0;
	if (r->stage == ENDED && r->started && !r->end_done && !r->end_called)
		return 0;
	if (r->pending)
		ms = left(r->sleeps_until, r->link);
	if (is_working(r) && r->cause == NO_CAUSE) {
		const uint32_t deadline = r->timed ? left(r->deadline, r->link) : ms;
		ms = deadline < ms ? deadline : ms;
		ms = lease_left(r) < ms ? lease_left(r) : ms;
	}
	return ms;
}

void oracle_idle(uint8_t link, uint32_t ms)
{
	for (size_t i = 0; i < sim.record_count; i++) {
		const struct record *const r = &sim.records[i];
		if (r->link == link && ms > sleep_of(r))
			fail("time", "it would sleep for %u ms, and %.*s waits", (unsigned)ms, (int)r->id_length, r->id);
	}
}

/* --- Steps */

static bool is_due(const struct record *r)
{
	const unsigned step = sim.steps[r->link] + 1;
	if (r->opaque || r->inside)
		return false;
	if (r->stage == PARKED)
		return true;
	if (r->stage == ENDED && r->started && !r->end_done && !r->end_called)
		return true;
	return r->pending && (!r->sleeps || left(r->sleeps_until, r->link) == 0 || (r->due_in != 0 && r->due_in <= step));
}

/* No motion goes on behind its longest time, whatever the other side does: its ramp begins in the next step. How long that
 * takes is up to its hook, which is called when it is due. */
static void must_rest(const struct record *r)
{
	const struct method *const method = oracle_method(r);
	if (!r->late || r->opaque || method == NULL || method->lease == 0)
		return;
	if (r->stage == RUNNING && (r->looks || (oracle_marks(r) & IS_DROPPED) != 0))
		fail("motion", "%.*s moves on behind its longest time", (int)r->id_length, r->id);
	if (r->stage == ENDED && !r->end_called && !r->end_done && !r->end_soon)
		fail("motion", "%.*s does not come to rest behind its longest time", (int)r->id_length, r->id);
}

/* What was dropped holds its slot up to the next step. */
static void end_without_hook(struct record *r)
{
	if (r->stage == ENDED && r->started && !r->inside && (oracle_marks(r) & HAS_END) == 0)
		r->end_soon = !r->end_done;
}

void oracle_step_begins(uint8_t link)
{
	for (size_t i = 0; i < sim.record_count; i++) {
		struct record *const r = &sim.records[i];
		if (r->link != link)
			continue;
		r->ran = false;
		r->late = r->started && r->timed && left(r->deadline, link) == 0;
		r->must_run = (r->stage != ENDED || (oracle_marks(r) & HAS_END) != 0) && is_due(r);
		end_without_hook(r);
		r->over_before = r->claim.slot && !r->claim.freed && oracle_is_over(r) && !oracle_has_open_asks(r);
	}
}

static void must_have_run(const struct record *r)
{
	const bool never = r->stage == DEAD || (r->stage == ENDED && !r->started);
	const bool now = r->stage == ENDED && r->ended_in > sim.steps[r->link]; /* it has ended meanwhile, and is due then */
	if (r->must_run && !r->ran && !never && !now && !r->opaque)
		fail("time", "%.*s was not called in a step", (int)r->id_length, r->id);
	if (r->over_before && !r->claim.freed && !r->opaque)
		fail("slot", "the slot of %.*s does not come free", (int)r->id_length, r->id);
}

void oracle_stepped(uint8_t link)
{
	sim.steps[link]++;
	for (size_t i = 0; i < sim.record_count; i++) {
		struct record *const r = &sim.records[i];
		if (r->link != link)
			continue;
		must_have_run(r);
		must_rest(r);
		if (r->end_soon && r->ended_in <= sim.steps[link]) { /* who was looked at before he was dropped lets go in the next step */
			r->end_done = true;
			r->end_soon = false;
		}
	}
	claims_stepped(link);
}

/* A flood of requests does not keep a handler from reporting. Another that reports in the same step may: the oldest is first. */
void oracle_not_taken(struct record *r)
{
	const bool again = r->untaken_in + 1 == sim.steps[r->link];
	r->untaken_in = sim.steps[r->link];
	const bool beaten = sim.taken[r->link] == sim.steps[r->link] + 1;
	r->untaken = again ? r->untaken + (oracle_was_drained(r->link) && !beaten) : 0;
	r->untaken_since = again && r->untaken_since != 0 ? r->untaken_since : ++sim.events;
	if (r->untaken > 12)
		fail("starved", "what %.*s reports is not taken for %u steps", (int)r->id_length, r->id, r->untaken);
}
