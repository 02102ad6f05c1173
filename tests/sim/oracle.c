/* SPDX-License-Identifier: MIT
 * What becomes of requests: docs/cancellation.md, in the plainest way. */
#include "oracle.h"

#include <string.h>

static struct {
	bool linked, session;
	struct totals totals;
} links[LINKS];

void oracle_begin(void)
{
	memset(links, 0, sizeof links);
	for (unsigned i = 0; i < LINKS; i++) {
		links[i].linked = true;
		time_begin((uint8_t)i);
		stream_begin((uint8_t)i);
		sent_reset((uint8_t)i);
	}
	claims_begin();
}

struct totals *oracle_totals(uint8_t link)
{
	return &links[link].totals;
}

bool oracle_is_linked(uint8_t link)
{
	return links[link].linked;
}

struct record *oracle_new_record(uint8_t link)
{
	static const struct record fresh = { .serial = -1, .token = -1, .batch = -1, .method = NO_METHOD };
	if (sim.record_count >= RECORDS)
		fail("simulator", "too many records");
	struct record *const r = &sim.records[sim.record_count++];
	*r = fresh;
	r->link = link;
	return r;
}

const struct method *oracle_method(const struct record *r)
{
	return r->method < METHODS ? &methods[r->method] : NULL;
}

unsigned oracle_marks(const struct record *r)
{
	return r->method < METHODS ? methods[r->method].marks : 0;
}

bool oracle_is_over(const struct record *r)
{
	const bool answered = r->claim.written || r->answer == SILENT || r->notification;
	return r->stage == DEAD || (r->stage == ENDED && (r->end_done || r->end_soon) && answered && !r->inside);
}

bool oracle_is_live(const struct record *r)
{
	return !r->notification && r->named && r->stage != DEAD && r->stage != UNKNOWN && !r->claim.written &&
		r->answer != SILENT && !r->of_last_client;
}

int32_t oracle_cancel_code(const struct record *r)
{
	return sim.setup.dialect[r->link] == LSP && r->cause != BY_OTHER_SIDE ? -32803 : -32800;
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

/* The one that begins after now. */
static unsigned next_whole_step(const struct record *r)
{
	return sim.steps[r->link] + (sim.stepping[r->link] ? 2 : 1);
}

static void record_answer(struct record *r, enum content content, int32_t code)
{
	r->answer = RECORDED;
	r->content = content;
	r->code = code;
	r->recorded_at = ++sim.events;
}

void oracle_refused(struct record *r, enum content content, int32_t code)
{
	r->stage = ENDED;
	r->end_done = true;
	if (r->notification || r->answer != UNANSWERED)
		return;
	record_answer(r, content, code);
	r->ready_at = r->recorded_at;
}

static void record_cancelled(struct record *r)
{
	if (r->notification || r->answer != UNANSWERED)
		return;
	if ((oracle_marks(r) & HAS_RESULT) != 0)
		record_answer(r, RESULT_CANCELLED, 0);
	else
		record_answer(r, ERROR_WORDS, oracle_cancel_code(r));
}

/* Its handler is not called any more. One that was called has a hook to come. */
static void end(struct record *r)
{
	r->stage = ENDED;
	r->pending = r->sleeps = false;
	r->ended_in = sim.steps[r->link] + 1;
	if (!r->started)
		r->end_done = true;
	else if (!sim.stepping[r->link] || !r->inside)
		r->ended_in = next_whole_step(r);
}

static void end_cancelled(struct record *r)
{
	end(r);
	record_cancelled(r);
	r->ready_at = ++sim.events;
	r->end_soon = r->started && sim.stepping[r->link] && (oracle_marks(r) & HAS_END) == 0;
	children_must_be_cancelled(r);
}

static void silence(struct record *r)
{
	if (!r->notification)
		r->answer = SILENT;
}

static void set_cause(struct record *r, enum cause cause)
{
	static const char *const names[CAUSES] = { "", "the other side", "its parent", "its deadline", "its handler",
		"our code", "shutdown", "its lease", "a new session", "the link" };
	if (r->cause != NO_CAUSE)
		return;
	show("  %.*s is cancelled by %s\n", (int)r->id_length, r->id, names[cause]);
	r->cause = cause;
	r->timed = false;
	if (r->stage != ENDED) /* an `end` hook that waits has no use for it */
		r->due_in = next_whole_step(r);
	children_must_be_cancelled(r);
}

static bool is_quiet(const struct record *r, enum cause cause)
{
	return cause == BY_SESSION || cause == BY_LINK || (cause == BY_OTHER_SIDE && sim.setup.dialect[r->link] == MCP);
}

/* What fits into TX leaves whole, or not at all. */
static bool fits_whole(const struct record *r)
{
	static char text[ANSWER_ROOM];
	const size_t framing = 32;
	return r->batch < 0 && !r->fickle && oracle_answer(text, sizeof text, r) + framing <= sim.setup.tx[r->link];
}

/* A byte of it may stand in TX: what has no put function leaves unseen. */
static bool may_be_begun(const struct record *r)
{
	if (fits_whole(r))
		return false;
	const bool puts = r->content == RESULT_PUT || r->content == RESULT_ITEMS || r->content == ERROR_DATA ||
		r->content == ERROR_PUT || r->content == ERROR_WHOLE;
	return r->ready_at != 0 && (!puts || r->puts > 0 || r->batch >= 0); /* members begin together */
}

/* An answer stands once it is recorded; before its first byte it may be silenced all the same. */
static bool cancel_recorded(struct record *r, enum cause cause)
{
	if (!is_quiet(r, cause))
		return false;
	if (cause != BY_LINK && may_be_begun(r) && !r->claim.silent)
		return false;
	if (cause == BY_OTHER_SIDE)
		set_cause(r, cause);
	silence(r);
	return true;
}

static bool cancel_again(struct record *r, enum cause cause)
{
	if (r->notification || r->answer == SILENT || !is_quiet(r, cause))
		return false;
	silence(r);
	if (r->stage == PARKED)
		end(r);
	return true;
}

bool oracle_cancelled(struct record *r, enum cause cause)
{
	const bool quiet = is_quiet(r, cause);
	const unsigned marks = oracle_marks(r);
	if (r->opaque || r->stage == UNKNOWN || r->stage == DEAD || r->stage == KEPT || r->claim.written)
		return false;
	if (r->answer == RECORDED)
		return cancel_recorded(r, cause);
	if (r->stage == ENDED)
		return false;
	if (r->cause != NO_CAUSE)
		return cancel_again(r, cause);
	set_cause(r, cause);
	if (quiet)
		silence(r);
	const bool parked = r->stage == PARKED && (quiet || (marks & IS_PARTIAL) == 0);
	const bool dropped = r->stage == RUNNING && !r->inside && (marks & IS_DROPPED) != 0;
	if (parked || dropped)
		end_cancelled(r);
	return true;
}

void oracle_never_begins(struct record *r)
{
	if (r->stage != PARKED || time_may_begin(r) || !sim.stepping[r->link])
		return;
	set_cause(r, BY_LEASE);
	end_cancelled(r);
}

void oracle_cancelled_async(struct record *r)
{
	if (r->cause == NO_CAUSE && r->stage != ENDED && r->stage != DEAD)
		r->asynchronous = true;
}

static void cancel_each(uint8_t link, enum cause cause)
{
	for (size_t i = 0; i < sim.record_count; i++) {
		if (sim.records[i].link == link)
			(void)oracle_cancelled(&sim.records[i], cause);
	}
}

void oracle_cancel_all(uint8_t link)
{
	cancel_each(link, BY_SHUTDOWN);
}

/* Nobody answers what our peer has asked; what is not written is never. */
static void asks_end(uint8_t link)
{
	for (size_t i = 0; i < sim.ask_count; i++) {
		if (sim.asks[i].link != link)
			continue;
		sim.asks[i].answer_sent = true;
		sim.asks[i].answers++;
	}
}

/* What is kept, and a batch that is not received to its end, come to nothing. */
static void forget_unfinished(uint8_t link)
{
	for (size_t i = 0; i < sim.record_count; i++) {
		struct record *const r = &sim.records[i];
		if (r->link == link && (r->stage == UNKNOWN || r->stage == KEPT))
			r->stage = DEAD;
	}
}

void oracle_gone(uint8_t link)
{
	if (!links[link].linked)
		return;
	links[link].linked = false;
	links[link].totals.cuts++;
	forget_unfinished(link);
	for (size_t i = 0; i < sim.record_count; i++) {
		struct record *const r = &sim.records[i];
		r->lost = r->lost || (r->link == link && r->claim.written);
		r->untaken_since = r->link == link ? 0 : r->untaken_since;
	}
	cancel_each(link, BY_LINK);
	asks_end(link);
	claims_gone(link);
	stream_begin(link);
	sent_begin(link);
}

void oracle_reopened(uint8_t link)
{
	oracle_gone(link);
	links[link].linked = true;
	links[link].session = false;
	time_link(link);
}

/* What is still answered was begun for the last client. */
static void forget_ids(uint8_t link)
{
	for (size_t i = 0; i < sim.record_count; i++) {
		struct record *const r = &sim.records[i];
		const bool answered = r->answer == RECORDED || (r->opaque && r->claim.recorded && !r->claim.silent);
		r->of_last_client = r->of_last_client || (r->link == link && answered);
	}
}

void oracle_new_session(uint8_t link)
{
	show("  a new session begins\n");
	links[link].session = true;
	time_session(link);
	stream_next_client(link);
	asks_end(link);
	cancel_each(link, BY_SESSION);
	forget_ids(link);
}

void oracle_next_client(uint8_t link)
{
	const bool session = links[link].session;
	oracle_new_session(link);
	links[link].session = session; /* it is to begin its own */
}

void oracle_session_request(uint8_t link, bool member)
{
	bool any = links[link].session && !member; /* that of a batch was begun as it was received */
	for (size_t i = 0; i < sim.record_count; i++)
		any = any || (!member && sim.records[i].link == link && sim.records[i].stage == RUNNING);
	const bool batches = sim.setup.dialect[link] == JSONRPC; /* one that came to nothing may have begun a session */
	const bool claimed = !member && (any || batches) && claims_new_session(link);
	if (any && !claimed)
		fail("session", "no new session is begun");
	any = any || claimed;
	if (any)
		oracle_new_session(link);
	links[link].session = true;
}

/* --- Handlers */

void oracle_parked(struct record *r)
{
	const struct method *const method = oracle_method(r);
	r->stage = PARKED;
	if (method == NULL)
		return;
	r->timed = method->deadline != 0 && method->deadline != NO_LIMIT;
	r->deadline = r->slot_at + method->deadline;
	r->lease = method->lease;
}

/* One without a hook lets go somewhere in this step. */
static bool group_lets_go(uint8_t group)
{
	for (size_t i = 0; i < sim.record_count; i++) {
		if (sim.records[i].group == group && sim.records[i].end_soon)
			return true;
	}
	return false;
}

/* The peers share their groups. */
void oracle_holds(struct record *r, uint8_t group, bool given)
{
	const struct record *holder = NULL;
	if (r->group != 0 && r->group != group) {
		if (given)
			fail("group", "group %u is given to %.*s, which holds %u", group, (int)r->id_length, r->id, r->group);
		links[r->link].totals.misuses++;
		return;
	}
	for (size_t i = 0; i < sim.record_count; i++) {
		const struct record *const other = &sim.records[i];
		if (other != r && other->group == group && other->started && !other->end_done)
			holder = other;
	}
	if (given && holder != NULL && !holder->end_soon)
		fail("group", "group %u is held by %.*s, and given to %.*s", group, (int)holder->id_length, holder->id,
			(int)r->id_length, r->id);
	if (!given && holder == NULL && !group_lets_go(group))
		fail("group", "group %u is free, and refused to %.*s", group, (int)r->id_length, r->id);
	if (given)
		r->group = group;
}

static bool has_asked(const struct record *r)
{
	for (size_t i = 0; i < sim.ask_count; i++) {
		if (sim.asks[i].parent == r)
			return true;
	}
	return false;
}

static void begin_handler(struct record *r, enum cause cause)
{
	const struct method *const method = oracle_method(r);
	if (r->stage != PARKED)
		fail("handler", "%.*s is called, and does not wait for it", (int)r->id_length, r->id);
	if (cause != NO_CAUSE && (oracle_marks(r) & IS_PARTIAL) == 0 && !r->asynchronous)
		fail("cancel", "%s is called though it was cancelled while it was parked", method->name);
	if (!time_may_begin(r))
		fail("lease", "%s begins behind the end of input", method->name);
	r->stage = RUNNING;
	r->started = true;
	if (method->group != 0)
		oracle_holds(r, method->group, true);
}

void oracle_called(struct record *r, enum cause cause)
{
	const char *const name = oracle_method(r) != NULL ? oracle_method(r)->name : "?";
	const enum cause expected = r->cause != NO_CAUSE ? r->cause : r->asynchronous ? BY_LOCAL_CODE : NO_CAUSE;
	if (r->inside)
		fail("handler", "a handler is called while it is inside");
	if (r->stage == ENDED || r->stage == DEAD)
		fail("handler", "%s (%.*s) is called after its end", name, (int)r->id_length, r->id);
	if (!r->started)
		begin_handler(r, cause);
	if (cause != expected)
		fail("cancel", "%s (%.*s) is cancelled by %d, not %d", name, (int)r->id_length, r->id, cause, expected);
	if (r->sleeps && cause == NO_CAUSE && r->due_in == 0 && !has_asked(r) && (int32_t)(sim.ticked[r->link] - r->sleeps_until) < 0)
		fail("time", "%s is called before its time", name);
	show("  %s (%.*s) is called%s\n", name, (int)r->id_length, r->id, cause != NO_CAUSE ? ", cancelled" : "");
	r->inside = r->ran = true;
	r->pending = r->sleeps = false;
	r->due_in = 0;
}

void oracle_acted(struct record *r)
{
	if (++r->acts > 1)
		fail("acts", "%.*s acts twice", (int)r->id_length, r->id);
}

bool oracle_replied(struct record *r, enum content content, int32_t code)
{
	const bool cancelled = r->cause != NO_CAUSE || r->asynchronous;
	if (r->replied || r->stage != RUNNING) {
		links[r->link].totals.misuses++;
		return false;
	}
	if (r->notification || r->answer != UNANSWERED)
		return false;
	if (cancelled && (oracle_marks(r) & IS_PARTIAL) == 0)
		return false;
	r->replied = true;
	record_answer(r, content, code);
	return true;
}

static void answer_outcome(struct record *r, int32_t outcome)
{
	const bool partial = (oracle_marks(r) & IS_PARTIAL) != 0;
	if (r->notification || r->answer != UNANSWERED)
		return;
	if (r->cause != NO_CAUSE && (!partial || outcome == -32800)) {
		record_cancelled(r);
	} else if (outcome < 0 && outcome >= -65535) {
		record_answer(r, ERROR_WORDS, outcome);
	} else {
		links[r->link].totals.misuses++;
		record_answer(r, ERROR_WORDS, -32603);
	}
}

static void note_cause(struct record *r, int32_t outcome)
{
	if (r->cause != NO_CAUSE || r->replied)
		return;
	if (r->asynchronous)
		set_cause(r, BY_LOCAL_CODE);
	else if (outcome == -32800)
		set_cause(r, BY_HANDLER);
}

void oracle_returned(struct record *r, int32_t outcome, bool again)
{
	const bool dropped = (oracle_marks(r) & IS_DROPPED) != 0 && r->cause != NO_CAUSE;
	show("  it returns %s%d\n", again ? "for now " : "", (int)outcome);
	if (again && !r->replied && !dropped) {
		r->inside = false;
		r->pending = true;
		return;
	}
	if (r->replied && outcome != 0)
		links[r->link].totals.misuses++;
	note_cause(r, outcome);
	r->stage = ENDED;
	r->sleeps = false;
	answer_outcome(r, outcome);
	r->inside = false;
	r->asynchronous = false;
	r->ready_at = ++sim.events;
	r->ended_in = sim.steps[r->link] + 1;
	if ((oracle_marks(r) & HAS_END) == 0)
		r->end_done = true;
	children_must_be_cancelled(r);
}

void oracle_sleeps(struct record *r, uint32_t ms)
{
	r->sleeps = true;
	r->sleeps_until = sim.ticked[r->link] + ms;
}

void oracle_woken(struct record *r)
{
	if (r->due_in == 0)
		r->due_in = next_whole_step(r);
}

void oracle_has_deadline(struct record *r, uint32_t ms)
{
	if (r->stage != RUNNING || r->cause != NO_CAUSE)
		return;
	r->timed = true;
	r->deadline = sim.ticked[r->link] + ms;
}

/* --- Hooks and put functions */

void oracle_end_called(struct record *r)
{
	show("  end hook of %.*s\n", (int)r->id_length, r->id);
	if (!r->started)
		fail("hook", "an end hook runs of what was never called");
	if (r->stage != ENDED || r->inside)
		fail("hook", "an end hook runs before the handler has ended");
	if (r->end_done)
		fail("hook", "the end hook of %.*s runs again", (int)r->id_length, r->id);
	if (!r->end_called && sim.steps[r->link] + 1 > r->ended_in)
		fail("hook", "the end hook of %.*s runs in step %u, not %u", (int)r->id_length, r->id, sim.steps[r->link] + 1,
			r->ended_in);
	if (r->sleeps && r->due_in == 0 && !has_asked(r) && (int32_t)(sim.ticked[r->link] - r->sleeps_until) < 0)
		fail("time", "an end hook is called before its time");
	if (sim.feeding[r->link])
		fail("hook", "an end hook runs while bytes are received");
	r->end_called = r->ran = true;
	r->pending = r->sleeps = false;
	r->due_in = 0;
	r->inside = true;
}

void oracle_end_returned(struct record *r, bool again)
{
	r->inside = false;
	r->pending = again;
	r->end_done = !again;
	if (!again)
		r->sleeps = false;
	children_must_be_cancelled(r);
}

void oracle_released(struct record *r)
{
	if (r->is_released)
		fail("hook", "the released hook of %.*s runs twice", (int)r->id_length, r->id);
	if (!r->started)
		fail("hook", "a released hook runs of what was never called");
	if (!oracle_is_over(r))
		fail("hook", "the released hook of %.*s runs too early", (int)r->id_length, r->id);
	r->is_released = true;
}

void oracle_puts(struct record *r)
{
	if (sim.feeding[r->link])
		fail("put", "a put function runs while bytes are received");
	if (r->claim.freed || r->stage == DEAD || r->is_released)
		fail("put", "a put function runs behind its request's end");
	if (r->stage != ENDED || r->answer != RECORDED || r->claim.written)
		fail("put", "a put function runs, and its answer is not to be written");
	if (r->inside && !r->end_called)
		fail("put", "a put function runs while its handler is inside");
	if (!links[r->link].linked)
		fail("put", "a put function runs though the link is gone");
	r->puts++;
	if (r->begun_at == 0)
		r->begun_at = ++sim.events;
}

/* --- What our peers ask */

/* A call or cancel that is half written is finished, though it was answered or its session has ended meanwhile. */
static bool is_open(const struct ask *ask)
{
	const bool half = !ask->drained && (!ask->written || ask->must_cancel);
	return !ask->cancel_seen && (ask->answers == 0 || half);
}

bool oracle_has_open_asks(const struct record *r)
{
	for (size_t i = 0; i < sim.ask_count; i++) {
		if (sim.asks[i].parent == r && is_open(&sim.asks[i]))
			return true;
	}
	return false;
}

bool oracle_link_is_asking(uint8_t link)
{
	for (size_t i = 0; i < sim.ask_count; i++) {
		if (sim.asks[i].link == link && is_open(&sim.asks[i]))
			return true;
	}
	return false;
}

bool oracle_is_asking(const struct record *r)
{
	for (size_t i = 0; i < sim.ask_count; i++) {
		if (sim.asks[i].parent == r && sim.asks[i].answers == 0)
			return true;
	}
	return false;
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
	ask->deadline = sim.ticked[link] + deadline;
}
