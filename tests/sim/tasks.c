/* SPDX-License-Identifier: MIT
 * What handlers, hooks and put functions do, chosen when a handler is first called. */
#include "tasks.h"

#include "adapter.h"
#include "oracle.h"

#include <string.h>

enum ending { END_REPLY, END_CODE, END_NOTHING };
/* SETTLES: it puts something else the first time, which does no harm as long as nothing of it has left. */
enum misuse { MISUSE_NONE, FICKLE, BROKEN, SETTLES };

/* What a request's state holds. */
struct task {
	struct record *record;
	bool forever, looks, waits_for_answers, news, insists, sleeps, aborts, stays, twice;
	uint8_t slices, turns, asks, ending, content, misuse, end_slices, canary;
	bool end_sleeps;
	unsigned pad;
	int32_t code;
	long reported;
	quash_call calls[CHILDREN];
};

static long next_serial;

void tasks_begin(void)
{
	next_serial = 0;
}

quash_size task_state_size(void)
{
	return (quash_size)sizeof(struct task);
}

static struct task *task_of(quash_request *request)
{
	struct task *const t = QUASH_STATE(struct task, request);
	if (t == NULL || t->record == NULL || t->canary != (uint8_t)(t->record - sim.records))
		fail("memory", "a request's state has changed");
	return t;
}

static int32_t serial_of(const quash_request *request)
{
	int32_t serial = -1;
	(void)quash_int32(quash_get(quash_params_of(request), "n"), &serial);
	return serial;
}

/* --- Calls */

static void put_call(quash_writer *w, const quash_call *call)
{
	quash_put_object(w);
	quash_put_key(w, "n");
	quash_put_uint(w, call->id);
	quash_put_key(w, "pad");
	quash_put_string_open(w);
	for (uint32_t i = 0; i < call->id * 7 % 90; i++)
		quash_put_string_part(w, "y", 1);
	quash_put_string_close(w);
	quash_put_end(w);
}

static int32_t call_done(quash_call *call)
{
	if (quash_call_outcome(call) == QUASH_CALL_OPEN)
		fail("calls", "told of a call that is open");
	if (choose(4) == 1 && call->parent != NULL && quash_call_code(call) == QUASH_CANCELLED) {
		struct task *const t = task_of(call->parent);
		quash_call_cancel_parent(call);
		(void)oracle_cancelled(t->record, BY_LOCAL_CODE);
	}
	return choose(5) == 1 ? QUASH_PENDING : call->parent != NULL && choose(5) == 1 ? QUASH_CALL_KEEP : QUASH_DONE;
}

void task_prepare_call(quash_call *call, bool child)
{
	call->method = "ask";
	call->put = choose(2) ? put_call : NULL;
	call->done = child && choose(2) ? NULL : call_done;
	call->deadline = choose(4) == 1 ? 1 + choose(50) : 0;
	call->marks = choose(3) == 1 ? QUASH_CALL_ENDS_AT_ONCE : 0;
}

static uint8_t asked_link(uint8_t link)
{
	return sim.setup.topology == TWO_PEERS && choose(2) ? (uint8_t)(1 - link) : link;
}

static void ask(quash_request *request, struct task *t)
{
	for (uint8_t i = 0; i < t->asks; i++) {
		const uint8_t link = asked_link(t->record->link);
		quash_call *const call = &t->calls[i];
		task_prepare_call(call, true);
		if (!quash_call_start_for(request, &devices[link].peer, call))
			fail("calls", "a new call is in use");
		oracle_asked(link, call->id, t->record, call->deadline);
	}
}

static bool all_answered(const struct task *t)
{
	bool all = true;
	for (uint8_t i = 0; i < t->asks; i++)
		all = quash_call_has_ended(&t->calls[i]) && all;
	return all;
}

/* --- Notifications */

static void note_sent(quash_peer *peer, bool taken)
{
	const uint8_t link = link_of(peer);
	if (taken)
		sim.taken[link] = sim.steps[link] + 1;
	if (taken && !devices[link].linked)
		fail("link", "a notification is taken though the link is gone");
	if (taken)
		claims_notified(link);
	else
		oracle_totals(link)->dropped++;
}

static bool put_news(quash_peer *peer)
{
	quash_writer *const w = quash_notify(peer, "news");
	const long serial = ++next_serial;
	quash_put_object(w);
	quash_put_key(w, "n");
	quash_put_int(w, (int32_t)serial);
	quash_put_end(w);
	const bool taken = quash_notify_send(peer);
	note_sent(peer, taken);
	if (taken)
		sent_news(link_of(peer), serial);
	return taken;
}

void task_news(quash_peer *peer)
{
	(void)put_news(peer);
}

/* A handler that must not lose what it reports tries again in the next step. */
static bool must_try_again(quash_request *request, struct task *t)
{
	quash_peer *const peer = quash_peer_of(request);
	if (!t->news || put_news(peer) || !t->insists || !quash_notify_fits(peer) || quash_is_gone(peer)) {
		t->news = false;
		t->record->untaken_since = 0;
		return false;
	}
	oracle_not_taken(t->record);
	return true;
}

static void report_progress(quash_request *request, struct task *t)
{
	if (t->record->token < 0 || sim.calm || !quash_may_report(request))
		return;
	quash_peer *const peer = quash_peer_of(request);
	quash_writer *const w = quash_notify(peer, "notifications/progress");
	const long k = ++t->reported;
	quash_put_object(w);
	quash_put_key(w, "progressToken");
	quash_put_int(w, (int32_t)t->record->token);
	quash_put_key(w, "k");
	quash_put_int(w, (int32_t)k);
	quash_put_end(w);
	const bool taken = quash_notify_send(peer);
	note_sent(peer, taken);
	if (taken)
		sent_progress(t->record, k);
}

/* --- Put functions */

/* What they read is what it was. */
static const struct task *read_task(const quash_request *request)
{
	const struct task *const t = QUASH_CONST_STATE(struct task, request);
	if (t == NULL || t->record == NULL || t->canary != (uint8_t)(t->record - sim.records))
		fail("memory", "the state that a put function reads has changed");
	oracle_puts(t->record);
	if (serial_of(request) != t->record->serial)
		fail("memory", "the params that a put function reads have changed");
	return t;
}

static void put_pad(quash_writer *w, char c, unsigned n)
{
	quash_put_string_open(w);
	for (unsigned i = 0; i < n; i++)
		quash_put_string_part(w, &c, 1);
	quash_put_string_close(w);
}

static void put_result(quash_writer *w, const quash_request *request)
{
	const struct task *const t = read_task(request);
	quash_put_object(w);
	quash_put_key(w, "serial");
	quash_put_int(w, serial_of(request));
	quash_put_key(w, "pad");
	put_pad(w, 'x', t->misuse == FICKLE ? t->pad + t->record->puts % 3 : t->pad + (t->record->settles && t->record->puts == 1));
	quash_put_end(w);
}

static void put_broken(quash_writer *w, const quash_request *request)
{
	const struct task *const t = read_task(request);
	switch (t->pad % 4) {
	case 0: quash_put_key(w, "a"); break;
	case 1:
		quash_put_object(w);
		quash_put_int(w, 1);
		break;
	case 2:
		quash_put_int(w, 1);
		quash_put_int(w, 2);
		break;
	default:
		quash_put_array(w);
		quash_put_key(w, "b");
		break;
	}
}

static bool put_item(quash_writer *w, const quash_request *request, uint16_t index)
{
	const struct task *const t = read_task(request);
	if (index > t->pad / 10)
		return false;
	if (index == 0)
		quash_put_array(w);
	quash_put_object(w);
	quash_put_key(w, "i");
	quash_put_uint(w, index);
	quash_put_key(w, "s");
	quash_put_int(w, serial_of(request));
	quash_put_key(w, "pad");
	put_pad(w, 'i', index * 7u % 23u);
	quash_put_end(w);
	return true;
}

static void put_message(quash_writer *w, const quash_request *request)
{
	put_pad(w, 'm', read_task(request)->pad);
}

static void put_whole_error(quash_writer *w, const quash_request *request)
{
	const struct task *const t = read_task(request);
	quash_put_object(w);
	quash_put_key(w, "code");
	quash_put_int(w, t->code);
	quash_put_key(w, "message");
	quash_put_text(w, "whole");
	quash_put_key(w, "data");
	quash_put_int(w, serial_of(request));
	quash_put_end(w);
}

/* --- How a handler ends */

static int32_t reply_with(quash_request *request, struct task *t)
{
	switch (t->content) {
	case RESULT_ITEMS: return quash_reply_items(request, put_item);
	case RESULT_INT: return quash_reply_int(request, (int32_t)t->record->serial);
	case RESULT_TRUE: return quash_reply_bool(request, true);
	case RESULT_NULL: return quash_reply_null(request);
	case RESULT_TEXT: return quash_reply_text(request, "a \"literal\" text");
	case RESULT_JSON: return quash_reply_json(request, "{\"constant\":[1,2,3]}");
	case ERROR_TEXT: return quash_fail(request, t->code, "made so");
	case ERROR_DATA: return quash_fail_data(request, t->code, "made so", put_result);
	case ERROR_PUT: return quash_fail_put(request, t->code, put_message);
	case ERROR_WHOLE: return quash_fail_as(request, t->code, put_whole_error);
	default: return quash_reply(request, t->misuse == BROKEN ? put_broken : put_result);
	}
}

static int32_t reply(quash_request *request, struct task *t)
{
	struct record *const r = t->record;
	const bool error = t->content >= ERROR_TEXT;
	if (!r->replied)
		r->pad = t->pad;
	if (oracle_replied(r, (enum content)t->content, error ? t->code : 0)) {
		r->fickle = t->misuse == FICKLE && (t->content == RESULT_PUT || t->content == ERROR_DATA);
		r->broken = t->misuse == BROKEN && t->content == RESULT_PUT;
		r->settles = t->misuse == SETTLES && (t->content == RESULT_PUT || t->content == ERROR_DATA) && sim.setup.dialect[r->link] == LSP;
	}
	return reply_with(request, t);
}

/* Values of params stand as long as the handler is inside. */
static void stay(quash_request *request, struct task *t)
{
	const uint8_t link = t->record->link;
	const quash_value serial = quash_get(quash_params_of(request), "n");
	int32_t n = -1;
	for (; t->turns > 0 && (t->record->replied || quash_cancelled(request) == QUASH_NOT_CANCELLED); t->turns--) {
		(void)all_answered(t);
		report_progress(request, t);
		run_turn(link);
	}
	t->turns = 0;
	(void)quash_int32(serial, &n);
	if (n != t->record->serial)
		fail("params", "a value of params has changed while its handler was inside");
}

static int32_t finish(quash_request *request, struct task *t)
{
	static const int32_t returned[] = { 0, 1, -32000, 5 };
	int32_t outcome;
	oracle_acted(t->record);
	if (t->ending == END_NOTHING)
		return QUASH_DONE;
	if (t->ending == END_CODE)
		return t->code;
	outcome = reply(request, t);
	if (t->stays) {
		t->turns = 2;
		stay(request, t);
	}
	if (t->twice) {
		outcome = reply(request, t);
		outcome = t->pad % 2 && t->record->replied ? returned[t->pad / 2 % 4] : outcome;
	}
	return outcome;
}

/* --- What it does before */

static void plan_reply(struct task *t)
{
	static const int32_t codes[] = { -32602, -32000, -32603, -1, -65535, -32099, -32800, -70000, 7 };
	static const uint8_t contents[] = { RESULT_ITEMS, RESULT_INT, RESULT_TRUE, RESULT_NULL, RESULT_TEXT, RESULT_JSON,
		ERROR_TEXT, ERROR_DATA, ERROR_PUT, ERROR_WHOLE };
	t->content = (uint8_t)(choose(2) ? RESULT_PUT : contents[choose(sizeof contents)]);
	t->ending = (uint8_t)(choose(4) ? END_REPLY : choose(4) ? END_CODE : END_NOTHING);
	t->pad = choose(4) ? choose(40) : choose(400);
	t->code = codes[choose(t->ending == END_CODE ? 9 : 6)];
	t->misuse = (uint8_t)(choose(16) != 15 ? MISUSE_NONE : 1 + choose(3));
	t->stays = choose(12) == 11;
	t->twice = choose(16) == 15;
}

static void plan(struct task *t)
{
	plan_reply(t);
	t->slices = (uint8_t)(choose(3) ? 0 : choose(6));
	t->asks = (uint8_t)(choose(3) == 1 ? 1 + choose(CHILDREN) : 0);
	t->turns = (uint8_t)(choose(4) == 1 ? 1 + choose(5) : 0);
	t->waits_for_answers = choose(3) != 1;
	t->looks = choose(4) != 1;
	t->forever = t->looks && choose(6) == 1;
	t->news = choose(3) == 1;
	t->insists = choose(2) == 1;
	t->sleeps = choose(3) == 1;
	t->aborts = choose(12) == 1;
	t->end_slices = (uint8_t)(choose(3) == 1 ? 1 + choose(4) : 0);
	t->end_sleeps = choose(2) == 1;
}

static void claim_things(quash_request *request, struct task *t)
{
	if (chance(8)) {
		const uint32_t ms = choose(60);
		oracle_has_deadline(t->record, ms);
		quash_deadline(request, ms);
	}
	if (chance(8)) {
		const uint32_t ms = choose(40);
		oracle_has_lease(t->record, ms);
		quash_lease(request, ms);
	}
	if (chance(8)) {
		const uint8_t group = (uint8_t)(1 + choose(3));
		oracle_holds(t->record, group, quash_hold(request, adapter_group(group)));
	}
}

static bool is_cancelled(const quash_request *request)
{
	return quash_cancelled(request) != QUASH_NOT_CANCELLED;
}

static int32_t wait(quash_request *request, struct task *t)
{
	const bool waits = sim.calm && t->slices == 0; /* for an answer, which wakes it, or for its cancel */
	if (!t->sleeps && !waits)
		return QUASH_PENDING;
	const uint32_t ms = waits ? 5000 : choose(8) == 1 ? 1000 + choose(3000) : choose(40);
	oracle_sleeps(t->record, ms);
	return quash_wait(request, ms);
}

static int32_t act(quash_request *request, struct task *t)
{
	if (t->aborts) {
		t->aborts = false;
		quash_cancel(request);
		(void)oracle_cancelled(t->record, BY_LOCAL_CODE);
	}
	if (t->turns > 0)
		stay(request, t);
	if (t->looks && is_cancelled(request))
		return QUASH_CANCELLED;
	if (must_try_again(request, t))
		return QUASH_PENDING;
	report_progress(request, t);
	const bool answered = all_answered(t);
	if (t->slices == 0 && (!t->waits_for_answers || answered) && (!t->forever || is_cancelled(request)))
		return finish(request, t);
	t->slices = (uint8_t)(t->slices > 0 ? t->slices - 1 : 0);
	return wait(request, t);
}

/* --- Handlers and hooks */

static void keep_handle(quash_request *request, struct record *r)
{
	struct device *const d = &devices[link_of(quash_peer_of(request))];
	const unsigned i = choose(4);
	d->handles[i] = quash_handle_of(request);
	d->held[i] = r;
}

static void first_call(quash_request *request, struct task *t)
{
	static const struct task fresh;
	if (memcmp(t, &fresh, sizeof fresh) != 0)
		fail("memory", "a new request's state is not zero");
	t->record = adapter_record(request);
	t->canary = (uint8_t)(t->record - sim.records);
}

int32_t task_handler(quash_request *request)
{
	struct task *const t = QUASH_STATE(struct task, request);
	const bool first = t->record == NULL;
	if (first)
		first_call(request, t);
	struct record *const r = task_of(request)->record;
	oracle_called(r, (enum cause)quash_cancelled(request));
	if (serial_of(request) != r->serial)
		fail("params", "a handler is given %d instead of %ld", (int)serial_of(request), r->serial);
	if (first) {
		plan(t);
		r->for_ever = t->forever;
		r->looks = t->looks;
		keep_handle(request, r);
		claim_things(request, t);
		ask(request, t);
	}
	const int32_t outcome = act(request, t);
	adapter_must_be_legal(r->link);
	oracle_returned(r, outcome, outcome == QUASH_PENDING);
	return outcome;
}

int32_t task_end(quash_request *request)
{
	struct task *const t = task_of(request);
	oracle_end_called(t->record);
	if (serial_of(request) != t->record->serial)
		fail("params", "an end hook is given %d instead of %ld", (int)serial_of(request), t->record->serial);
	const bool again = t->end_slices > 0;
	t->end_slices = (uint8_t)(again ? t->end_slices - 1 : 0);
	const uint32_t ms = 3;
	if (again && t->end_sleeps)
		oracle_sleeps(t->record, ms);
	oracle_end_returned(t->record, again);
	return !again ? QUASH_DONE : t->end_sleeps ? quash_wait(request, ms) : QUASH_PENDING;
}

void task_released(quash_request *request)
{
	oracle_released(task_of(request)->record);
}

/* --- Forwarding: the library's handler, watched */

static struct record *bridged[SLOTS]; /* by slot */

static int32_t watch(quash_request *request)
{
	const quash_forwarded *const f = (const quash_forwarded *)quash_state(request, sizeof(quash_forwarded));
	const bool first = f->call.method == NULL;
	const unsigned slot = adapter_slot(request);
	if (first)
		bridged[slot] = adapter_record(request);
	struct record *const r = bridged[slot];
	oracle_called(r, (enum cause)quash_cancelled(request));
	const int32_t outcome = quash_forward(request);
	if (first && f->call.id != 0)
		oracle_asked(1, f->call.id, r, 0);
	const struct ask *const a = oracle_ask(1, f->call.id);
	if (outcome == QUASH_DONE && a != NULL) {
		r->forwarded_serial = a->serial;
		r->pad = a->pad;
		(void)oracle_replied(r, a->failed ? ERROR_FORWARDED : RESULT_FORWARDED, a->failed ? a->code : 0);
	}
	oracle_returned(r, outcome, outcome == QUASH_PENDING);
	return outcome;
}

int32_t bridged_handler(quash_request *request)
{
	return watch(request);
}

int32_t bridged_end(quash_request *request)
{
	struct record *const r = bridged[adapter_slot(request)];
	oracle_end_called(r);
	oracle_end_returned(r, false);
	return QUASH_DONE;
}

void bridged_released(quash_request *request)
{
	oracle_released(bridged[adapter_slot(request)]);
}
