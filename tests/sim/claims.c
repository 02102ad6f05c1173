/* SPDX-License-Identifier: MIT
 * What the library tells of requests, and what must be: the same. */
#include "oracle.h"
#include "received.h"

#include <string.h>

enum { DECISIONS = 64 };

static struct {
	struct record *tenants[SLOTS + 1];
	unsigned slots_given;
	unsigned counts[CLAIMS], flagged[CAUSES];
	struct record *refused; /* which is to get a slot just now */
	struct decision decisions[DECISIONS];
	size_t first, count;
	bool kept;
	unsigned sessions; /* that were begun */
	enum claim last;
	unsigned crowded_until; /* that many steps */
	bool relieved;          /* a notification was taken since one found no room */
	const struct record *early; /* whose answer left in this step, though it had to wait unless all handlers have run */
} links[LINKS];

void claims_begin(void)
{
	memset(links, 0, sizeof links);
}

void claims_gone(uint8_t link)
{
	links[link].first = links[link].count = 0;
	links[link].kept = false;
	links[link].refused = NULL;
	links[link].crowded_until = 0;
	if (links[link].tenants[sim.setup.slots[link]] != NULL)
		links[link].tenants[sim.setup.slots[link]]->stage = DEAD;
	links[link].tenants[sim.setup.slots[link]] = NULL;
}

struct record *oracle_tenant(uint8_t link, unsigned slot)
{
	return slot <= SLOTS ? links[link].tenants[slot] : NULL;
}

unsigned oracle_claimed(uint8_t link, enum claim claim)
{
	return links[link].counts[claim];
}

unsigned oracle_flagged(uint8_t link, enum cause cause)
{
	return links[link].flagged[cause];
}

/* --- Decisions about messages */

const struct decision *claims_next(uint8_t link)
{
	return links[link].count > 0 ? &links[link].decisions[links[link].first] : NULL;
}

void claims_taken(uint8_t link)
{
	links[link].first = (links[link].first + 1) % DECISIONS;
	links[link].count--;
}

const struct decision *claims_last(uint8_t link)
{
	const size_t last = (links[link].first + links[link].count + DECISIONS - 1) % DECISIONS;
	return links[link].count > 0 ? &links[link].decisions[last] : NULL;
}

bool claims_has_kept(uint8_t link)
{
	return links[link].kept;
}

bool claims_new_session(uint8_t link)
{
	if (links[link].sessions == 0)
		return false;
	links[link].sessions--;
	return true;
}

void claims_forget(uint8_t link)
{
	for (; links[link].count > 0; claims_taken(link)) {
		if (claims_next(link)->record != NULL)
			claims_next(link)->record->stage = DEAD;
	}
}

static void decide(uint8_t link, enum claim claim, int32_t code, enum reason reason, struct record *r)
{
	const struct decision decision = { claim, code, reason, r };
	if (links[link].count >= DECISIONS)
		fail("simulator", "too many decisions");
	links[link].decisions[(links[link].first + links[link].count) % DECISIONS] = decision;
	links[link].count++;
	links[link].kept = false;
	received_goes_on(link);
}

static void settle_in(uint8_t link, unsigned slot, struct record *r)
{
	struct record *const other = links[link].tenants[slot];
	const bool member = other != NULL && (other->stage == UNKNOWN || other->stage == DEAD) && slot == sim.setup.slots[link] &&
		sim.setup.dialect[link] == JSONRPC; /* which its batch goes down with */
	if (other != NULL && !member)
		fail("slot", "slot %u is given away twice", slot);
	if (member)
		other->stage = DEAD;
	links[link].tenants[slot] = r;
	r->claim.slot = slot < sim.setup.slots[link];
	r->slot_order = ++links[link].slots_given;
	r->slot_at = sim.ticked[link];
}

static void parked(uint8_t link, unsigned slot)
{
	struct record *const r = oracle_new_record(link);
	settle_in(link, slot, r);
	decide(link, CLAIM_PARKED, 0, REASON_NONE, r);
}

/* --- Refusals */

/* Work that has not ended: it does not come free by itself. */
static bool holds_slot(const struct record *r)
{
	const bool recorded = r->claim.recorded || r->claim.silent;
	if (r->stage == DEAD)
		return false;
	if (r->stage == UNKNOWN)
		return r->batch >= 0 || !recorded || sim.setup.dialect[r->link] == JSONRPC;
	if (r->opaque && r->claim.started) /* a turn may have calls of its own, whose cancels are still to be written */
		return !r->claim.recorded || sim.setup.dialect[r->link] == ACP;
	if (r->batch >= 0 && !r->claim.written)
		return true; /* its batch may have members that are not ready */
	return r->started ? r->stage != ENDED || !r->end_done || r->inside : !recorded;
}

static bool is_inside(uint8_t link)
{
	for (size_t i = 0; i < sim.record_count; i++) {
		if (sim.records[i].link == link && sim.records[i].inside)
			return true;
	}
	return false;
}

static void must_be_full(uint8_t link)
{
	for (unsigned i = 0; i < sim.setup.slots[link]; i++) {
		const struct record *const r = links[link].tenants[i];
		if (r == NULL)
			fail("busy", "slot %u is free, and a request is refused", i);
		if (!is_inside(link) && !sim.stopping && !holds_slot(r) && !oracle_has_open_asks(r))
			fail("busy", "slot %u comes free when %.*s has left, and a request is refused", i, (int)r->id_length, r->id);
	}
}

static void refused(uint8_t link, int32_t code, enum reason reason)
{
	static const struct { int32_t code; enum reason reason; } pairs[] = {
		{ -32700, REASON_MESSAGE }, { -32600, REASON_MESSAGE }, { -32600, REASON_TWICE }, { -32601, REASON_METHOD },
		{ -32011, REASON_LARGE }, { -32010, REASON_ARENA }, { -32010, REASON_SLOTS }, { -32010, REASON_BATCH },
		{ -32800, REASON_CANCEL }, { -32803, REASON_CANCEL }, { 0, REASON_SLOTS }, { 0, REASON_ARENA } };
	size_t i = 0;
	while (i < sizeof pairs / sizeof *pairs && (pairs[i].code != code || pairs[i].reason != reason))
		i++;
	if (i == sizeof pairs / sizeof *pairs)
		fail("reason", "%d is no refusal for reason %d", (int)code, reason);
	if (reason == REASON_SLOTS)
		must_be_full(link);
	if (code == 0) /* a ping is answered, and counted with what is accepted */
		links[link].counts[CLAIM_PARKED]++;
	links[link].refused = oracle_new_record(link);
	decide(link, CLAIM_REFUSED, code, reason, links[link].refused);
}

/* --- Answers */

/* Once: what was refused or misused has told it. A result has one only when its request was cancelled. */
static void must_have_its_reason(enum claim before, int32_t code, enum reason reason)
{
	const bool told = before == CLAIM_REFUSED || before == CLAIM_MISUSED;
	if (code != 0 && reason == REASON_NONE && !told)
		fail("reason", "%d is recorded without a reason", (int)code);
	if (before == CLAIM_REFUSED && reason != REASON_NONE)
		fail("reason", "the reason of %d is told twice", (int)code);
	if (code == 0 && reason != REASON_NONE && reason != REASON_CANCEL)
		fail("reason", "a result is recorded with a reason");
}

static void recorded(uint8_t link, unsigned slot, int32_t code, enum reason reason)
{
	if (links[link].refused != NULL) {
		settle_in(link, slot, links[link].refused);
		links[link].refused = NULL;
	}
	struct record *const r = links[link].tenants[slot];
	if (r == NULL)
		fail("claims", "an answer is recorded of nobody");
	if (r->claim.recorded)
		fail("claims", "an answer is recorded twice");
	r->claim.recorded = true;
	r->claim.code = code;
	r->crowded = r->held = r->claim.slot && sim.steps[link] < links[link].crowded_until;
	if (reason != REASON_GROUP || r->opaque)
		return;
	oracle_holds(r, oracle_method(r)->group, false);
	oracle_refused(r, ERROR_GROUP, -32010);
	r->ran = true;
}

/* Of two answers that may leave, the older request's does. One that is tried is under way; pieces may be tried before the
 * first of them is put. */
static void must_be_oldest(const struct record *r)
{
	const bool seen = r->begun_at != 0 && r->content != RESULT_ITEMS;
	const unsigned begun = seen ? r->begun_at : r->loose ? 0 : r->ready_at;
	for (unsigned i = 0; i < sim.setup.slots[r->link] && r->claim.slot; i++) {
		const struct record *const q = links[r->link].tenants[i];
		if (q == NULL || q->slot_order >= r->slot_order || q->answer != RECORDED || q->claim.written || q->crowded)
			continue;
		if (q->batch < 0 && r->batch < 0 && !q->opaque && !r->opaque && q->ready_at != 0 && q->ready_at <= begun)
			fail("order", "the answer of %.*s leaves before the older one of %.*s", (int)r->id_length, r->id,
				(int)q->id_length, q->id);
	}
}

/* --- Answers that let a notification go first */

/* A profile and a bridge notify as well, at times that are not known here. */
static bool has_others_notify(uint8_t link)
{
	return link == 0 && (sim.setup.topology == BRIDGE || sim.setup.profile != NO_PROFILE);
}

static void let_go(struct record *r, unsigned at)
{
	if (!r->crowded)
		return;
	r->ready_at = r->ready_at != 0 ? at : 0;
	r->loose = !r->held;
	r->crowded = r->held = false;
}

static void let_all_go(uint8_t link)
{
	const unsigned at = ++sim.events;
	for (unsigned i = 0; i < sim.setup.slots[link]; i++) {
		if (links[link].tenants[i] != NULL)
			let_go(links[link].tenants[i], at);
	}
}

/* Whether they go is not known. */
static void let_all_choose(uint8_t link)
{
	for (unsigned i = 0; i < sim.setup.slots[link]; i++) {
		if (links[link].tenants[i] != NULL)
			links[link].tenants[i]->held = false;
	}
}

static void overtakes(const struct record *r)
{
	fail("starved", "the answer of %.*s overtakes a notification that found no room", (int)r->id_length, r->id);
}

/* What is recorded from here on lets one notification go first. What has let one go waits no more. */
static void found_no_room(uint8_t link)
{
	if (links[link].early != NULL && sim.stepping[link] && !has_others_notify(link))
		overtakes(links[link].early);
	if (links[link].relieved)
		let_all_go(link);
	else if (has_others_notify(link))
		let_all_choose(link);
	links[link].relieved = false;
	links[link].crowded_until = sim.steps[link] + 2;
}

void claims_notified(uint8_t link)
{
	if (links[link].early != NULL && sim.stepping[link] && !has_others_notify(link))
		overtakes(links[link].early);
	links[link].relieved = true;
}

void claims_stepped(uint8_t link)
{
	links[link].early = NULL;
	if (sim.steps[link] >= links[link].crowded_until)
		let_all_go(link);
}

/* In the last step in which it has to wait it goes once all handlers have run. */
static void must_starve_nobody(const struct record *r)
{
	if (!r->held)
		return;
	if (!sim.stepping[r->link] || sim.steps[r->link] + 1 < links[r->link].crowded_until)
		overtakes(r);
	links[r->link].early = r;
}

/* --- Answers that leave */

static void written(struct record *r)
{
	if (r->claim.written || !r->claim.recorded || r->claim.silent)
		fail("claims", "an answer is written that was not to be");
	if (!r->opaque && (r->answer != RECORDED || r->stage != ENDED || (r->inside && !r->end_called)))
		fail("answer", "the answer of %.*s is written too early", (int)r->id_length, r->id);
	must_be_oldest(r);
	must_starve_nobody(r);
	r->claim.written = true;
	r->left_in = sim.steps[r->link];
	sent_answer(r);
}

static void freed(uint8_t link, unsigned slot)
{
	struct record *const r = links[link].tenants[slot];
	links[link].tenants[slot] = NULL;
	r->claim.freed = true;
	r->packed_in = sim.steps[link] + 1;
	if (r->stage == UNKNOWN)
		r->stage = DEAD;
	if (r->opaque)
		r->stage = ENDED;
	if (r->opaque || r->stage == DEAD)
		return;
	const bool quiet = r->claim.silent || r->notification; /* the cancel itself may not be known yet */
	const bool let_go = !r->started || (r->stage == ENDED && (r->end_done || r->end_soon));
	if (!oracle_is_over(r) && !(quiet && let_go) && !(r->claim.cause != NO_CAUSE && r->notification && !r->started))
		fail("slot", "the slot of %.*s is given back too early", (int)r->id_length, r->id);
	if (r->started && (oracle_marks(r) & HAS_RELEASED) != 0 && !r->is_released)
		fail("hook", "the released hook of %.*s has not run", (int)r->id_length, r->id);
	if (r->end_soon) { /* he was dropped before his turn, and has had it */
		r->end_done = true;
		r->end_soon = false;
	}
}

static void misused(struct record *r, enum reason reason)
{
	if (r == NULL || (reason != REASON_CHANGED && reason != REASON_UNBALANCED))
		return;
	if (reason == REASON_CHANGED ? !r->fickle : !r->broken)
		fail("put", "the answer of %.*s is found to be no JSON, or to change", (int)r->id_length, r->id);
	r->claim.changed = true;
	if (reason == REASON_CHANGED || r->batch >= 0) /* members before it may have left */
		sent_broken(r);
	if (reason != REASON_CHANGED)
		oracle_totals(r->link)->misuses++;
}

static void of_tenant(uint8_t link, enum claim claim, struct record *r, unsigned slot, int32_t detail, enum reason reason)
{
	if (r == NULL)
		fail("claims", "%d is told of nobody", claim);
	switch (claim) {
	case CLAIM_STARTED:
		r->claim.started = true;
		r->stage = r->opaque ? RUNNING : r->stage;
		break;
	case CLAIM_FLAGGED: r->claim.cause = (enum cause)detail; links[link].flagged[detail]++; break;
	case CLAIM_WRITTEN: written(r); break;
	case CLAIM_SILENCED:
		r->claim.silent = true;
		r->answer = r->opaque ? SILENT : r->answer;
		break;
	default: freed(link, slot); break;
	}
	if (claim == CLAIM_SILENCED && reason != REASON_CANCEL && reason != REASON_LINK && reason != REASON_SESSION)
		fail("reason", "silence without a reason");
	if (claim == CLAIM_WRITTEN && reason != REASON_NONE)
		fail("reason", "the reason of an answer is told twice");
	if ((claim == CLAIM_WRITTEN || claim == CLAIM_SILENCED) && slot == sim.setup.slots[link])
		links[link].tenants[slot] = NULL;
}

static void dropped(uint8_t link, unsigned slot, struct record *r, enum reason reason)
{
	if (reason == REASON_NONE)
		fail("reason", "a notification is dropped without a reason");
	if (reason == REASON_SLOTS)
		must_be_full(link);
	if (slot == sim.setup.slots[link]) {
		decide(link, CLAIM_DROPPED, 0, reason, NULL);
	} else if (r != NULL && reason == REASON_GROUP) {
		oracle_holds(r, oracle_method(r)->group, false);
		oracle_refused(r, ERROR_GROUP, 0);
		r->ran = true;
	}
}

void oracle_claim(uint8_t link, enum claim claim, int slot, int32_t detail, enum reason reason)
{
	const unsigned at = slot >= 0 ? (unsigned)slot : 0;
	struct record *const r = slot >= 0 ? links[link].tenants[at] : NULL;
	static const char *const names[CLAIMS] = { "received", "kept", "parked", "started", "flagged", "recorded", "written",
		"silenced", "refused", "freed", "late cancel", "dropped", "misused", "new session" };
	show("    [%s, slot %d, %d, reason %d] at %u\n", names[claim], slot, (int)detail, reason, (unsigned)sim.ticked[link]);
	const enum claim before = links[link].last;
	links[link].last = claim;
	links[link].counts[claim]++;
	sim.events++;
	switch (claim) {
	case CLAIM_KEPT: links[link].kept = before == CLAIM_RECEIVED; break; /* else a part of one */
	case CLAIM_PARKED: parked(link, at); break;
	case CLAIM_REFUSED: refused(link, detail, reason); break;
	case CLAIM_RECORDED:
		must_have_its_reason(before, detail, reason);
		if (r != NULL)
			oracle_never_begins(r);
		recorded(link, at, detail, reason);
		break;
	case CLAIM_DROPPED:
		if (slot >= 0)
			dropped(link, at, r, reason);
		else if (reason == REASON_NONE)
			fail("reason", "a notification of ours is dropped without a reason");
		else if (reason == REASON_TX)
			found_no_room(link);
		break;
	case CLAIM_MISUSED:
		if (reason == REASON_NONE)
			fail("reason", "misuse without a reason");
		misused(r, reason);
		break;
	case CLAIM_NEW_SESSION: links[link].sessions++; break;
	case CLAIM_RECEIVED:
	case CLAIM_LATE_CANCEL: break;
	default: of_tenant(link, claim, r, at, detail, reason); break;
	}
}

/* --- The same */

static void compare(const struct record *r)
{
	if (r->claim.cause != r->cause)
		fail("cancel", "%.*s is cancelled by %d, not %d", (int)r->id_length, r->id, r->claim.cause, r->cause);
	if (r->notification)
		return;
	if (r->claim.silent != (r->answer == SILENT))
		fail("cancel", "%.*s is%s silenced", (int)r->id_length, r->id, r->claim.silent ? "" : " not");
	if (r->answer != RECORDED)
		return;
	if (!r->claim.recorded)
		fail("answer", "no answer of %.*s is recorded", (int)r->id_length, r->id);
	if (!r->claim.changed && r->claim.code != r->code)
		fail("answer", "%.*s is answered %d, not %d", (int)r->id_length, r->id, (int)r->claim.code, (int)r->code);
}

void oracle_compare(uint8_t link)
{
	for (size_t i = 0; i < sim.record_count; i++) {
		const struct record *const r = &sim.records[i];
		if (r->link == link && !r->opaque && r->stage != UNKNOWN && r->stage != DEAD && r->stage != KEPT)
			compare(r);
	}
}
