/* SPDX-License-Identifier: MIT
 * What becomes of requests: the law, in the plainest way. */
#include "oracle.h"

#include <stdio.h>
#include <string.h>

static struct {
	struct refusals refusals[8];
	unsigned order;
	bool linked;
	struct totals totals;
} links[LINKS];

static const int32_t refusal_codes[8] = { -32700, -32600, -32010, -32011, -32601, -32603, 0, 0 };

void oracle_begin(void)
{
	memset(links, 0, sizeof links);
	for (unsigned i = 0; i < LINKS; i++)
		links[i].linked = true;
}

struct refusals *oracle_refusals(uint8_t link, int32_t code)
{
	unsigned i = 0;
	while (i < 7 && refusal_codes[i] != code)
		i++;
	return &links[link].refusals[i];
}

const struct totals *oracle_totals(uint8_t link)
{
	return &links[link].totals;
}

unsigned oracle_order(uint8_t link)
{
	return ++links[link].order;
}

void oracle_count_said(uint8_t link, bool result)
{
	if (result)
		links[link].totals.results++;
	else
		links[link].totals.errors++;
}

size_t oracle_result(char *text, size_t size, long serial, unsigned pad)
{
	const int n = snprintf(text, size, "{\"serial\":%ld,\"pad\":\"%.*s\"}", serial, (int)pad,
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
	return n > 0 ? (size_t)n : 0;
}

const char *oracle_words(int32_t code)
{
	static const struct {
		int32_t code;
		const char *words;
	} table[] = {
		{ -32700, "Parse error" },
		{ -32600, "Invalid Request" },
		{ -32601, "Method not found" },
		{ -32602, "Invalid params" },
		{ -32603, "Internal error" },
		{ -32800, "Request cancelled" },
		{ -32010, "Busy" },
		{ -32011, "Message too large" },
		{ -32803, "Request failed" },
		{ -32012, "Link lost" },
		{ -32801, "Content modified" },
		{ -32802, "Server cancelled" },
		{ -32002, "Server not initialized" },
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		if (table[i].code == code)
			return table[i].words;
	}
	return "Server error";
}

/* Lines end with a byte; Content-Length has room kept for the header of the longest message. */
bool oracle_is_too_long(const struct record *r, size_t length, bool *sure)
{
	const unsigned tx = sim.setup.tx[r->link];
	char header[40];
	const size_t more = sim.setup.dialect[r->link] == LSP
		? (size_t)snprintf(header, sizeof header, "Content-Length: %u\r\n\r\n", tx)
		: 1;
	*sure = r->batch < 0 || length + more + 3 <= tx || length > tx;
	return length + more > tx;
}

unsigned oracle_marks(const struct record *r)
{
	return r->method < METHODS ? methods[r->method].marks : 0;
}

bool oracle_is_dead(const struct record *r)
{
	return r->answers > 0 || (r->silent && !r->optional) || r->expect == NOTHING;
}

int32_t oracle_verdict(const struct record *r)
{
	return sim.setup.dialect[r->link] == LSP && r->cause == OUR_SIDE ? -32803 : -32800;
}

/* --- Cancels */

static void children_must_be_cancelled(const struct record *r)
{
	for (size_t i = 0; i < sim.ask_count; i++) {
		struct ask *const ask = &sim.asks[i];
		if (ask->parent == r && ask->answers == 0)
			ask->must_cancel = true;
	}
}

static void silence(struct record *r)
{
	if (r->expect == UNDECIDED) {
		r->silent = true;
		r->optional = r->optional ||
			(!r->started && (r->may_be_busy || r->may_be_large || r->may_be_twin));
		if (!r->started || (oracle_marks(r) & IS_DROPPED) != 0)
			r->expect = NOTHING;
		if (r->optional)
			r->expect = VERDICT;
	} else if (!r->answered) {
		r->optional = true; /* what is owed may be in TX already */
	}
}

/* The one that begins after now. */
static unsigned next_whole_step(const struct record *r)
{
	return sim.steps[r->link] + (sim.stepping ? 2 : 1);
}

void oracle_cancelled(struct record *r, enum cause cause)
{
	const bool mute = cause == OTHER_SIDE && sim.setup.dialect[r->link] == MCP;
	const bool fresh = r->cause == NO_CAUSE && r->expect == UNDECIDED;
	if (r->opaque) {
		r->optional = r->optional || (mute && r->answers == 0);
		return;
	}
	if (r->ended && r->expect == UNDECIDED)
		return;
	if (r->committed || r->answered || oracle_is_dead(r) || (r->notification && cause == OTHER_SIDE))
		return;
	tell("  %.*s is cancelled by %s\n", (int)r->id_length, r->id,
		cause == OTHER_SIDE ? "the other side" : "our side");
	if (r->ready && r->batch >= 0 && fresh) {
		r->either = true;
		return;
	}
	if (fresh)
		r->cause = cause;
	if (fresh) {
		children_must_be_cancelled(r);
		r->due_in = next_whole_step(r);
	}
	if (mute) {
		silence(r);
		return;
	}
	if (!fresh || (oracle_marks(r) & IS_PARTIAL) != 0)
		return;
	if (!r->started)
		r->expect = r->notification ? NOTHING : VERDICT;
	else if ((oracle_marks(r) & IS_DROPPED) != 0)
		r->expect = r->notification ? NOTHING : VERDICT;
}

void oracle_cancelled_async(struct record *r)
{
	if (r->cause == NO_CAUSE && !r->ended && !oracle_is_dead(r))
		r->asynchronous = true;
}

/* The ticks and steps of a peer see what was cancelled from elsewhere, and what is overdue. */
void oracle_time(uint8_t link)
{
	for (size_t i = 0; i < sim.record_count; i++) {
		struct record *const r = &sim.records[i];
		const uint32_t deadline = r->method < METHODS ? methods[r->method].deadline : 0;
		if (r->link != link || r->ended || r->opaque)
			continue;
		if (r->asynchronous && r->cause == NO_CAUSE)
			oracle_cancelled(r, OUR_SIDE);
		else if (deadline != 0 && r->cause == NO_CAUSE && sim.told[link] - r->heard_at >= deadline)
			oracle_cancelled(r, OUR_SIDE);
		if (r->expect != UNDECIDED || r->cause != NO_CAUSE)
			r->asynchronous = false;
	}
}

void oracle_cancel_all(uint8_t link)
{
	heard_cancel_all(link);
	for (size_t i = 0; i < sim.record_count; i++) {
		struct record *const r = &sim.records[i];
		if (r->link == link && !r->ended)
			oracle_cancelled(r, OUR_SIDE);
	}
}

void oracle_gone(uint8_t link)
{
	if (!links[link].linked)
		return;
	links[link].linked = false;
	links[link].totals.cuts++;
	for (size_t i = 0; i < sim.record_count; i++) {
		struct record *const r = &sim.records[i];
		if (r->link != link || oracle_is_dead(r))
			continue;
		if (r->cause == NO_CAUSE && !r->ended && !r->answered) {
			r->cause = OUR_SIDE;
			children_must_be_cancelled(r);
		}
		r->silent = true;
		r->optional = r->either = false;
		if (!r->started || r->ended || (oracle_marks(r) & IS_DROPPED) != 0)
			r->expect = NOTHING;
	}
	for (size_t i = 0; i < sim.ask_count; i++) {
		if (sim.asks[i].link == link) {
			sim.asks[i].answer_sent = true;
			sim.asks[i].answers++;
			sim.asks[i].must_cancel = false;
		}
	}
	for (size_t i = 0; i < sim.batch_count; i++) {
		if (sim.batches[i].link == link)
			sim.batches[i].seen = true;
	}
	memset(links[link].refusals, 0, sizeof links[link].refusals);
}

void oracle_reopened(uint8_t link)
{
	oracle_gone(link);
	links[link].linked = true;
}

/* --- Handlers */

struct record *oracle_find(
	uint8_t link, const char *method, const char *id, size_t length, bool number, long serial)
{
	struct record *found = NULL;
	for (size_t i = 0; i < sim.record_count; i++) {
		struct record *const r = &sim.records[i];
		if (r->link != link || r->notification != (id == NULL) || r->ended || r->started ||
			r->method == NO_METHOD)
			continue;
		if (strcmp(methods[r->method].name, method) != 0)
			continue;
		if (id != NULL &&
			(r->number != number || r->id_length != length || memcmp(r->id, id, length) != 0))
			continue;
		if (r->serial == serial && !oracle_is_dead(r))
			return r;
		if (r->serial == serial || (id != NULL && !oracle_is_dead(r)))
			found = r;
	}
	return found;
}

static bool has_asked(const struct record *r)
{
	for (size_t i = 0; i < sim.ask_count; i++) {
		if (sim.asks[i].parent == r)
			return true;
	}
	return false;
}

void oracle_sleeps(struct record *r, uint32_t ms)
{
	r->sleeps = true;
	r->sleeps_until = sim.told[r->link] + ms;
}

void oracle_woken(struct record *r)
{
	if (r->due_in == 0)
		r->due_in = next_whole_step(r);
}

void oracle_called(struct record *r, bool cancelled)
{
	if (r->inside)
		fail("handler", "a handler is called while it is inside");
	if (r->ended)
		fail("handler", "%s is called after its end", methods[r->method].name);
	if (!r->started && r->expect != UNDECIDED)
		fail("law", "%s is called though it was cancelled while it was parked",
			methods[r->method].name);
	if (r->expect == VERDICT)
		fail("law", "%s is called again though it was dropped", methods[r->method].name);
	if (r->either && r->cause == NO_CAUSE && cancelled)
		r->cause = OTHER_SIDE;
	else if (r->either && !cancelled)
		r->cause = NO_CAUSE;
	r->either = false;
	if (r->started && cancelled != (r->cause != NO_CAUSE || r->asynchronous))
		fail("law", "%s (%.*s) is %scancelled", methods[r->method].name, (int)r->id_length, r->id,
			cancelled ? "" : "not ");
	tell("  %s (%.*s) is called%s\n", methods[r->method].name, (int)r->id_length, r->id,
		cancelled ? ", cancelled" : "");
	if (r->sleeps && !cancelled && r->due_in == 0 && !has_asked(r) && (int32_t)(sim.told[r->link] - r->sleeps_until) < 0)
		fail("time", "%s is called before its time", methods[r->method].name);
	r->started = true;
	r->inside = true;
	r->pending = r->sleeps = false;
	r->due_in = 0;
	r->called_in = sim.steps[r->link] + 1;
	r->may_be_busy = r->may_be_large = r->may_be_twin = false;
}

static bool is_swallowed(const struct record *r)
{
	return r->notification || r->silent || r->expect != UNDECIDED ||
		((r->cause != NO_CAUSE || r->asynchronous) && !r->committed &&
			(oracle_marks(r) & IS_PARTIAL) == 0);
}

void oracle_replied(struct record *r, long serial, unsigned pad, int32_t code)
{
	const bool is_long = (oracle_marks(r) & IS_LONG) != 0;
	bool sure = true;
	if (is_swallowed(r) || r->answered)
		return;
	r->expect = code == 0 ? RESULT : FAILURE;
	r->result_serial = serial;
	r->pad = pad;
	r->code = code;
	const bool too_long = !is_long && oracle_is_too_long(r, said_length(r), &sure);
	if (too_long && sure) {
		r->expect = UNDECIDED;
		return;
	}
	r->internal = !is_long && !sure;
	r->committed = r->answered = true;
	r->order = r->batch < 0 ? oracle_order(r->link) : 0;
}

struct ask *oracle_ask(uint8_t link, uint32_t id)
{
	for (size_t i = sim.ask_count; i-- > 0;) {
		if (sim.asks[i].link == link && sim.asks[i].id == id)
			return &sim.asks[i];
	}
	return NULL;
}

void oracle_asked(uint8_t link, uint32_t id, struct record *parent, uint32_t deadline)
{
	static const struct ask fresh = { .serial = -1, .token = -1 };
	if (sim.ask_count >= ASKS || id == 0)
		return;
	struct ask *const ask = &sim.asks[sim.ask_count++];
	*ask = fresh;
	ask->link = link;
	ask->id = id;
	ask->parent = parent;
	ask->timed = deadline != 0;
	ask->deadline = sim.told[link] + deadline;
}

void oracle_waits(struct record *r, bool committed)
{
	r->ready = true;
	if (committed && (r->silent || r->expect != UNDECIDED))
		fail("law", "an answer is begun that must not be");
	r->committed = r->committed || committed;
}

static void decide(struct record *r, int32_t outcome)
{
	const bool partial = (oracle_marks(r) & IS_PARTIAL) != 0;
	if (r->expect != UNDECIDED)
		return;
	if (r->silent || r->notification) {
		r->expect = NOTHING;
	} else if (r->cause != NO_CAUSE && (!partial || outcome == -32800)) {
		r->expect = VERDICT;
	} else {
		r->expect = FAILURE;
		r->code = outcome < 0 && outcome >= -65535 ? outcome : -32603;
	}
}

void oracle_returned(struct record *r, int32_t outcome, bool again)
{
	tell("  it returns %s%d\n", again ? "for now " : "", (int)outcome);
	r->inside = false;
	const bool dropped = (oracle_marks(r) & IS_DROPPED) != 0 && r->expect != UNDECIDED;
	r->pending = again && outcome == 1;
	if (r->pending)
		r->ready = false;
	if (again && !dropped)
		return;
	if (r->cause == NO_CAUSE && r->expect == UNDECIDED && !r->committed &&
		(r->asynchronous || outcome == -32800)) {
		r->cause = OUR_SIDE;
		children_must_be_cancelled(r);
	}
	r->asynchronous = false;
	if (r->committed && !r->answered && !r->silent && r->expect == UNDECIDED)
		fail("long", "an answer is not finished");
	r->ended = true;
	r->hook_done = r->hook_done || (oracle_marks(r) & HAS_HOOK) == 0;
	if (!r->opaque)
		decide(r, outcome);
	children_must_be_cancelled(r);
}

void oracle_hook(struct record *r)
{
	tell("  end hook of %s (%.*s)\n", methods[r->method].name, (int)r->id_length, r->id);
	if (r->hook_done)
		fail("hook", "the end hook of %s runs twice", methods[r->method].name);
	if (!r->started)
		fail("hook", "an end hook runs of what was never called");
	if (!r->ended && (oracle_marks(r) & IS_DROPPED) == 0)
		fail("hook", "the end hook of %s runs before its handler has ended", methods[r->method].name);
	r->hook_done = true;
	r->ended = true;
	children_must_be_cancelled(r);
}
