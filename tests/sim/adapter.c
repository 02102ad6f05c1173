/* SPDX-License-Identifier: MIT
 * The library's contract, as it stands: what the peers are made of, how handlers answer, wait and ask. */
#include "adapter.h"

#include "call/call_inner.h"
#include "oracle.h"
#include "quash.h"
#include "quash/forward.h"
#include "core/ring.h"
#include "toolbox.h"
#include "agent.h"
#include "langserver.h"

#include <stdio.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#endif
#ifdef WITH_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(at, n)   __asan_poison_memory_region(at, n)
#define UNPOISON(at, n) __asan_unpoison_memory_region(at, n)
#else
#define POISON(at, n)   ((void)0)
#define UNPOISON(at, n) ((void)0)
#endif

enum { SLOTS = 9, IDS = 64, STATE = 1200, ARENA = 2048, TX = 1024, CHILDREN = 3, FREE_CALLS = 2, TOKEN = 12 };

enum end_of_task { END_RESULT, END_ERROR, END_CODE, END_NOTHING, ENDS };

/* What a request's state holds: how its handler will behave, chosen when it is first called. */
struct task {
	struct record *record;
	bool forever, looks, waits_for_answers, news, sleeps, aborts;
	uint8_t slices, turns, asks, end, canary;
	unsigned pad;
	int32_t code;
	long told;
	quash_call calls[CHILDREN];
};

static struct device {
	quash_peer peer;
	quash_config config;
	quash_request slots[SLOTS];
	uint8_t ids[SLOTS * IDS];
	union {
		uint64_t aligned;
		uint8_t bytes[SLOTS * STATE];
	} states;
	uint8_t arena[ARENA], tx[TX];
	char reason[8];
	quash_call calls[FREE_CALLS];
	quash_handle handles[4]; /* as an interrupt may still hold them */
	struct record *held[4];
	bool linked;
	quash_method methods[METHODS + 3];
} devices[LINKS];

static long next_serial;

static uint8_t link_of(const quash_peer *peer)
{
	return peer == &devices[0].peer ? 0 : 1;
}

/* --- Memory that was given back */

static uint8_t *state_of(struct device *d, uint8_t index)
{
	return &d->states.bytes[(size_t)index * d->config.state_size];
}

static void give_back(struct device *d, const quash_request *slot)
{
	uint8_t *const state = state_of(d, slot->index);
	memset(state, 0xDD, d->config.state_size);
	POISON(state, d->config.state_size);
	for (unsigned i = 0; i < 4; i++) {
		if (d->held[i] != NULL && d->handles[i].request == slot)
			d->held[i] = NULL;
	}
}

static void trace(quash_peer *peer, quash_event event, const quash_request *request, int32_t detail)
{
	struct device *const d = &devices[link_of(peer)];
	(void)detail;
	if (event == QUASH_FREED)
		give_back(d, request);
	else if (event == QUASH_HEARD || event == QUASH_REFUSED)
		UNPOISON(state_of(d, request->index), d->config.state_size);
}

/* A cancel that is half heard is compared with the id of what may have ended meanwhile: it is given back behind that. */
static void fill_ids(struct device *d)
{
	for (uint8_t i = 0; i < d->config.slot_count && d->peer.envelope.ended; i++) {
		if (d->slots[i].state == SLOT_FREE && i != d->peer.landing)
			memset(&d->ids[(size_t)i * d->config.id_size], 0xDD, d->config.id_size);
	}
}

/* What stands in the arena behind the tapes belongs to nobody. */
static void fill_arena(struct device *d)
{
	const size_t used = (size_t)d->peer.tape.start + d->peer.tape.length;
	if (used < d->config.arena_size)
		memset(&d->arena[used], 0xDD, d->config.arena_size - used);
}

/* --- Handlers */

static const quash_live *look_up(const quash_request *request)
{
	static quash_live live;
	static const quash_live begin;
	live = begin;
	while (quash_next_live(quash_peer_of(request), &live)) {
		if (live.request == request)
			return &live;
	}
	fail("live", "a request is called that is not live");
}

static struct record *record_of(quash_request *request, quash_value params)
{
	const uint8_t link = link_of(quash_peer_of(request));
	const quash_live *const live = look_up(request);
	int32_t serial = -1;
	(void)quash_int32(quash_get(params, "n"), &serial);
	struct record *const r = oracle_find(
		link, live->method, live->id, live->id_length, live->id_is_number, serial);
	if (r == NULL)
		fail("handler", "%s is called for what nobody has asked", live->method);
	return r;
}

static void hold(struct device *d, quash_request *request, struct record *r)
{
	const unsigned i = choose(4);
	d->handles[i] = quash_handle_of(request);
	d->held[i] = r;
}

static void plan(struct task *t)
{
	static const int32_t codes[] = { -32602, -32000, -32603, -1, -32800, -65535, -70000, 7 };
	t->slices = (uint8_t)(choose(3) ? 0 : choose(6));
	t->end = (uint8_t)(choose(3) ? 0 : choose(ENDS));
	t->pad = choose(4) ? choose(40) : choose(400);
	t->asks = (uint8_t)(choose(3) == 1 ? 1 + choose(CHILDREN) : 0);
	t->turns = (uint8_t)(choose(4) == 1 ? 1 + choose(5) : 0);
	t->waits_for_answers = choose(3) != 1;
	t->looks = choose(4) != 1;
	t->forever = t->looks && choose(6) == 1;
	t->news = choose(3) == 1;
	t->sleeps = choose(3) == 1;
	t->aborts = choose(12) == 1;
	t->code = codes[choose(sizeof codes / sizeof *codes)];
}

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

static int32_t call_done(quash_call *call, quash_value answer)
{
	(void)answer;
	if (quash_call_outcome(call) == QUASH_CALL_OPEN)
		fail("calls", "told of a call that is open");
	if (choose(4) == 1 && call->parent != NULL && quash_call_code(call) == QUASH_CANCELLED) {
		struct task *const t = quash_state(call->parent);
		quash_cancel_parent(call);
		oracle_cancelled(t->record, OUR_SIDE);
	}
	return choose(5) == 1 ? QUASH_RETRY : choose(5) == 1 ? QUASH_PENDING : QUASH_DONE;
}

static void prepare(quash_call *call, bool child)
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
		prepare(call, true);
		if (!quash_ask_for(request, &devices[link].peer, call))
			fail("calls", "a new call is in use");
		oracle_asked(link, call->id, t->record, call->deadline);
	}
}

static bool all_answered(struct task *t)
{
	bool all = true;
	for (uint8_t i = 0; i < t->asks; i++)
		all = quash_answered(&t->calls[i]) && all;
	return all;
}

static void say_news(quash_peer *peer)
{
	quash_writer *const w = quash_notify(peer, "news");
	const long serial = ++next_serial;
	quash_put_object(w);
	quash_put_key(w, "n");
	quash_put_int(w, (int32_t)serial);
	quash_put_end(w);
	const int32_t outcome = quash_notify_send(peer);
	if (outcome != QUASH_DONE)
		sim.dropped[link_of(peer)]++;
	else if (devices[link_of(peer)].linked)
		oracle_notified(link_of(peer), serial);
}

static void say_progress(quash_request *request, struct task *t)
{
	/* Progress in every step would keep a long answer waiting for an empty TX. */
	if (t->record->token < 0 || t->record->ready || sim.calm || !quash_may_report(request))
		return;
	quash_peer *const peer = quash_peer_of(request);
	quash_writer *const w = quash_notify(peer, "notifications/progress");
	quash_put_object(w);
	quash_put_key(w, "progressToken");
	quash_put_int(w, (int32_t)t->record->token);
	quash_put_key(w, "k");
	quash_put_int(w, (int32_t)++t->told);
	quash_put_end(w);
	if (quash_notify_send(peer) != QUASH_DONE)
		sim.dropped[t->record->link]++;
}

static void put_result(quash_writer *w, const struct record *r, unsigned pad)
{
	char text[500];
	const size_t n = oracle_result(text, sizeof text, r->serial, pad);
	text[n] = '\0';
	quash_put_raw(w, text);
}

static int32_t replied(quash_request *request, struct task *t, int32_t outcome, int32_t code)
{
	if (outcome == QUASH_RETRY)
		oracle_waits(t->record, quash_slot_is(request, SLOT_COMMITTED));
	else
		oracle_replied(t->record, t->record->serial, t->pad, code);
	return outcome;
}

static int32_t finish(quash_request *request, struct task *t)
{
	const int32_t code = t->code < 0 && t->code >= -65535 ? t->code : -32000;
	switch (t->end) {
	case END_RESULT:
		put_result(quash_reply(request), t->record, t->pad);
		return replied(request, t, quash_send(request), 0);
	case END_ERROR: return replied(request, t, quash_fail(request, code, oracle_words(code)), code);
	case END_CODE: return t->code;
	default: return QUASH_DONE;
	}
}

static void stay(quash_request *request, struct task *t)
{
	const uint8_t link = t->record->link;
	for (; t->turns > 0 && quash_cancelled(request) == QUASH_NOT_CANCELLED; t->turns--) {
		(void)all_answered(t);
		say_progress(request, t);
		run_turn(link);
	}
	t->turns = 0;
}

static int32_t act(quash_request *request, struct task *t)
{
	if (t->record->committed)
		return finish(request, t);
	if (t->aborts) {
		t->aborts = false;
		quash_cancel(request);
		oracle_cancelled(t->record, OUR_SIDE);
	}
	if (t->turns > 0)
		stay(request, t);
	if (t->looks && quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	if (t->news)
		say_news(quash_peer_of(request));
	t->news = false;
	say_progress(request, t);
	const bool answered = all_answered(t);
	if (t->slices == 0 && (!t->waits_for_answers || answered) &&
		(!t->forever || quash_cancelled(request) != QUASH_NOT_CANCELLED))
		return finish(request, t);
	t->slices = (uint8_t)(t->slices > 0 ? t->slices - 1 : 0);
	const bool waits = sim.calm && t->slices == 0; /* for an answer, which wakes it, or for its cancel */
	if (!t->sleeps && !waits)
		return QUASH_PENDING;
	const uint32_t ms = waits ? 5000 : choose(8) == 1 ? 1000 + choose(3000) : choose(40);
	oracle_sleeps(t->record, ms);
	return quash_wait(request, ms);
}

static void first_call(quash_request *request, struct task *t, quash_value params)
{
	static const struct task fresh;
	int32_t serial = -1;
	if (memcmp(t, &fresh, sizeof fresh) != 0)
		fail("memory", "a new request's state is not zero");
	t->record = record_of(request, params);
	t->canary = (uint8_t)(t->record - sim.records);
	(void)quash_int32(quash_get(params, "n"), &serial);
	if (serial != t->record->serial)
		fail("params", "a handler is given %d instead of %ld", (int)serial, t->record->serial);
}

static bool is_again(int32_t outcome)
{
	return outcome == QUASH_PENDING || outcome == QUASH_RETRY;
}

static int32_t work(quash_request *request, quash_value params)
{
	struct task *const t = quash_state(request);
	struct device *const d = &devices[link_of(quash_peer_of(request))];
	const bool first = t->record == NULL;
	if (first)
		first_call(request, t, params);
	struct record *const r = t->record;
	if (t->canary != (uint8_t)(r - sim.records))
		fail("memory", "a request's state has changed");
	oracle_called(r, quash_cancelled(request) != QUASH_NOT_CANCELLED);
	if (first) {
		plan(t);
		r->for_ever = t->forever;
		hold(d, request, r);
		ask(request, t);
	}
	const int32_t outcome = act(request, t);
	oracle_returned(r, is_again(outcome) ? outcome : outcome < 0 ? outcome : 0, is_again(outcome));
	return outcome;
}

static void end_work(quash_request *request)
{
	const struct task *const t = quash_state(request);
	if (t->canary != (uint8_t)(t->record - sim.records))
		fail("memory", "the state that an end hook sees has changed");
	oracle_hook(t->record);
}

/* --- Forwarding: the library's handler, watched */

static struct record *forwarded[SLOTS]; /* by slot */

static void forwarded_asks(quash_request *request, struct record *r)
{
	const quash_forwarded *const f = quash_state(request);
	if (f->call.method != NULL && f->call.state != 0 && !f->told)
		oracle_asked(1, f->call.id, r, 0);
}

static int32_t forward(quash_request *request, quash_value params)
{
	const quash_forwarded *const f = quash_state(request);
	const bool first = f->call.method == NULL;
	if (first)
		forwarded[request->index] = record_of(request, params);
	struct record *const r = forwarded[request->index];
	oracle_called(r, quash_cancelled(request) != QUASH_NOT_CANCELLED);
	const int32_t outcome = quash_forward(request, params);
	if (first)
		forwarded_asks(request, r);
	const struct ask *const ask = oracle_ask(1, f->call.id);
	if (outcome == QUASH_RETRY)
		oracle_waits(r, quash_slot_is(request, SLOT_COMMITTED));
	else if (outcome == QUASH_DONE && ask != NULL)
		oracle_replied(r, ask->failed ? 0 : (long)ask->serial, ask->pad, ask->failed ? ask->code : 0);
	oracle_returned(r, is_again(outcome) ? outcome : outcome < 0 ? outcome : 0, is_again(outcome));
	return outcome;
}

static void end_forward(quash_request *request)
{
	oracle_hook(forwarded[request->index]);
}

static const quash_route there = {
	.to = &devices[1].peer, .progress = &quash_mcp_progress_form, .token_size = TOKEN
};
static const quash_route back = {
	.to = &devices[0].peer, .progress = &quash_mcp_progress_form, .token_size = TOKEN
};

/* --- Peers */

static const quash_dialect *dialect_of(enum dialect d)
{
	switch (d) {
	case ACP: return &quash_acp;
	case LSP: return &quash_lsp;
	case MCP: return &quash_mcp;
	default: return &quash_jsonrpc;
	}
}

static uint8_t marks_of(unsigned marks)
{
	return (uint8_t)((marks & IS_NOTIFICATION ? QUASH_NOTIFICATION : 0) |
		(marks & IS_DROPPED ? QUASH_DROPS : 0) | (marks & IS_PARTIAL ? QUASH_PARTIAL : 0) |
		(marks & IS_LONG ? QUASH_LONG : 0));
}

static void make_method(quash_method *to, const struct method *from, bool bridge)
{
	const bool hands_on = bridge && (from->marks & IS_FORWARDED) != 0;
	to->name = from->name;
	to->handler = hands_on ? forward : work;
	to->end = (from->marks & HAS_HOOK) == 0 ? NULL : hands_on ? end_forward : end_work;
	to->cancelled = (from->marks & HAS_RESULT) != 0 ? CANCELLED_RESULT : NULL;
	to->data = &there;
	to->deadline = from->deadline;
	to->marks = marks_of(from->marks);
}

static void make_methods(uint8_t link)
{
	struct device *const d = &devices[link];
	const bool bridge = sim.setup.topology == BRIDGE;
	static const quash_method fresh;
	for (unsigned i = 0; i < METHODS + 3; i++)
		d->methods[i] = fresh;
	for (unsigned i = 0; i < METHODS; i++)
		make_method(&d->methods[i], &methods[i], bridge && link == 0);
	d->config.methods = d->methods;
	d->config.method_count = METHODS;
	if (!bridge || link == 0)
		return;
	quash_method *const progress = &d->methods[METHODS], *const relay = &d->methods[METHODS + 1];
	progress->name = "notifications/progress";
	progress->handler = quash_forward_progress;
	relay->name = "relayed";
	relay->handler = quash_relay;
	progress->data = relay->data = &back;
	progress->marks = relay->marks = QUASH_NOTIFICATION;
	d->config.method_count = METHODS + 2;
}

static void use_profile(struct device *d, enum profile profile)
{
	switch (profile) {
	case TOOLS:
		d->config = toolbox_config;
		toolbox_reset();
		break;
	case AGENT:
		d->config = agent_config;
		agent_reset();
		break;
	default:
		d->config = langserver_config;
		langserver_reset();
		break;
	}
}

static const char *open_peer(uint8_t link)
{
	struct device *const d = &devices[link];
	const struct setup *const s = &sim.setup;
	static const quash_config fresh;
	UNPOISON(d->states.bytes, sizeof d->states.bytes);
	memset(d->states.bytes, 0, sizeof d->states.bytes);
	memset(d->calls, 0, sizeof d->calls);
	memset(d->held, 0, sizeof d->held);
	memset(d->handles, 0, sizeof d->handles);
	d->config = fresh;
	if (s->profile != NO_PROFILE && link == 0) {
		use_profile(d, s->profile);
	} else {
		make_methods(link);
		d->config.state_size = sizeof(struct task) > QUASH_FORWARD_STATE(TOKEN)
			? sizeof(struct task)
			: QUASH_FORWARD_STATE(TOKEN);
		d->config.state_size = (quash_size)((d->config.state_size + 7u) / 8u * 8u);
		d->config.reason = d->reason;
		d->config.reason_size = sizeof d->reason;
	}
	d->config.dialect = dialect_of(s->dialect[link]);
	d->config.slots = d->slots;
	d->config.ids = d->ids;
	d->config.states = d->states.bytes;
	d->config.arena = d->arena;
	d->config.tx = d->tx;
	d->config.slot_count = (uint8_t)s->slots[link];
	d->config.id_size = (uint8_t)s->id_size[link];
	d->config.arena_size = (quash_size)s->arena[link];
	d->config.tx_size = (quash_size)s->tx[link];
	d->config.trace = trace;
	d->linked = true;
	if (d->config.state_size > STATE)
		return "STATE of the adapter";
	return quash_init(&d->peer, &d->config);
}

const char *adapter_open(void)
{
	next_serial = 0;
	const char *const wrong = open_peer(0);
	if (wrong != NULL || sim.setup.topology == ONE_PEER)
		return wrong;
	return open_peer(1);
}

/* --- What happens to them */

size_t adapter_feed(uint8_t link, const uint8_t *bytes, size_t n)
{
	const size_t taken = quash_feed(&devices[link].peer, bytes, n);
	fill_ids(&devices[link]);
	return taken;
}

const uint8_t *adapter_out(uint8_t link, size_t *n)
{
	return quash_out(&devices[link].peer, n);
}

void adapter_sent(uint8_t link, size_t n)
{
	quash_sent(&devices[link].peer, n);
}

void adapter_tick(uint8_t link)
{
	sim.told[link] = sim.now;
	quash_tick(&devices[link].peer, sim.now);
	oracle_time(link);
}

bool adapter_is_inside(void)
{
	return devices[0].peer.running != NOBODY ||
		(sim.setup.topology != ONE_PEER && devices[1].peer.running != NOBODY);
}

bool adapter_step(uint8_t link)
{
	if (adapter_is_inside())
		return false;
	oracle_time(link);
	sim.stepping = true;
	sim.step_began = sim.told[link];
	(void)quash_step(&devices[link].peer);
	sim.stepping = false;
	oracle_stepped(link);
	fill_ids(&devices[link]);
	fill_arena(&devices[link]);
	return true;
}

uint32_t adapter_idle(uint8_t link)
{
	return quash_idle_ms(&devices[link].peer);
}

void adapter_end(uint8_t link)
{
	quash_end(&devices[link].peer);
	oracle_input_ended(link);
}

void adapter_gone(uint8_t link)
{
	devices[link].linked = false;
	oracle_gone(link);
	quash_gone(&devices[link].peer);
	said_begin(link);
	heard_begin(link);
}

void adapter_reopen(uint8_t link)
{
	adapter_gone(link);
	devices[link].linked = true;
	quash_reopen(&devices[link].peer);
	oracle_reopened(link);
}

void adapter_lost(uint8_t link, uint32_t n)
{
	oracle_lost(link);
	quash_lost(&devices[link].peer, n);
}

void adapter_cancel_all(uint8_t link)
{
	oracle_cancel_all(link);
	quash_cancel_all(&devices[link].peer);
}

unsigned adapter_live(uint8_t link)
{
	return quash_live_count(&devices[link].peer);
}

/* A wake has no generation: it wakes whoever has the slot now. */
static struct record *tenant_of(struct device *d, const quash_request *slot)
{
	const struct task *const t = (const void *)state_of(d, slot->index);
	const quash_method *const method = slot->state == SLOT_RUNNING ? quash_method_of(slot) : NULL;
	return method != NULL && method->handler == work ? t->record : NULL;
}

void adapter_interrupt(void)
{
	struct device *const d = &devices[sim.setup.topology == ONE_PEER ? 0 : choose(LINKS)];
	const unsigned i = choose(4);
	if (d->handles[i].request == NULL)
		return;
	if (choose(2)) {
		quash_wake(d->handles[i].request);
		struct record *const r = tenant_of(d, d->handles[i].request);
		if (r != NULL)
			oracle_woken(r);
		return;
	}
	quash_cancel_async(d->handles[i]);
	if (d->held[i] != NULL)
		oracle_cancelled_async(d->held[i]);
}

void adapter_notify(uint8_t link)
{
	say_news(&devices[link].peer);
}

void adapter_call(uint8_t link)
{
	struct device *const d = &devices[link];
	quash_call *const call = &d->calls[choose(FREE_CALLS)];
	if (quash_call_in_use(call)) {
		if (choose(2))
			(void)quash_call_release(call);
		else
			quash_call_cancel(call);
		return;
	}
	prepare(call, false);
	if (!quash_ask(&d->peer, call))
		fail("calls", "a call that is not in use cannot be asked");
	oracle_asked(link, call->id, NULL, call->deadline);
}

void adapter_drop_calls(uint8_t link)
{
	for (unsigned i = 0; i < FREE_CALLS; i++)
		(void)quash_call_release(&devices[link].calls[i]);
}

/* --- What must hold */

const char *adapter_check(uint8_t link)
{
	const struct device *const d = &devices[link];
	unsigned n = 0;
	for (const quash_call *call = d->peer.calls; call != NULL; call = call->next) {
		if (++n > 1000 || call->peer != &d->peer)
			return "a call is linked that is none";
		if (call->parent != NULL && call->parent->state == SLOT_FREE)
			return "a call belongs to a request that has left";
	}
	if (d->linked && d->peer.link == LINK_GONE)
		return "the library has given up the link by itself";
	if (d->peer.counters.changed > 0)
		return "an answer was not the same again";
	return NULL;
}

const char *adapter_rest(uint8_t link)
{
	const struct device *const d = &devices[link];
	if (quash_live_count(&d->peer) != 0)
		return "a slot is still taken";
	if (d->peer.calls != NULL || d->peer.children != NULL)
		return "a call is still linked";
	if (d->peer.owner != NOBODY || d->peer.open || d->peer.batch != 0)
		return "TX still has an owner";
	if (d->linked && d->peer.tape.start != 0)
		return "a tape is still in the arena";
	if (quash_idle_ms(&d->peer) != UINT32_MAX)
		return "it does not sleep";
	return NULL;
}

struct counted adapter_counted(uint8_t link)
{
	const quash_counters *const c = &devices[link].peer.counters;
	const struct counted counted = { c->requests, c->results, c->errors, c->calls, c->call_cancels, c->parse_errors, c->dropped };
	return counted;
}
