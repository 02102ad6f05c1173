/* SPDX-License-Identifier: MIT
 * The library's contract, as it stands: what the peers are made of, and what happens to them. */
#include "adapter.h"

#include "agent.h"
#include "../common/legal.h"
#include "langserver.h"
#include "oracle.h"
#include "quash/acp.h"
#include "received.h"
#include "tasks.h"
#include "toolbox.h"

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

struct device devices[LINKS];

uint8_t link_of(const quash_peer *peer)
{
	return peer == &devices[0].peer ? 0 : 1;
}

unsigned adapter_slot(const quash_request *request)
{
	return request->index;
}

struct record *adapter_record(const quash_request *request)
{
	struct record *const r = oracle_tenant(link_of(quash_peer_of(request)), request->index);
	if (r == NULL)
		fail("handler", "a handler is called for nobody");
	return r;
}

/* --- Memory that was given back */

static uint8_t *state_of(struct device *d, unsigned index)
{
	return &d->states.bytes[(size_t)index * d->config.state_size];
}

static bool is_free(struct device *d, unsigned index)
{
	return oracle_tenant((uint8_t)(d - devices), index) == NULL;
}

/* A slot may be given away. */
static void open_free_slots(struct device *d)
{
	for (unsigned i = 0; i < d->config.slot_count; i++)
		UNPOISON(state_of(d, i), d->config.state_size);
}

static void close_free_slots(struct device *d)
{
	for (unsigned i = 0; i < d->config.slot_count; i++) {
		if (is_free(d, i)) {
			UNPOISON(state_of(d, i), d->config.state_size);
			memset(state_of(d, i), 0xDD, d->config.state_size);
			POISON(state_of(d, i), d->config.state_size);
		}
	}
}

static void give_back(struct device *d, const quash_request *slot)
{
	for (unsigned i = 0; i < 4; i++) {
		if (d->held[i] != NULL && d->handles[i].request == slot)
			d->held[i] = NULL;
	}
}

/* A cancel of which a part was received is compared with the id of what may have ended meanwhile: it is given back
 * after that. What stands in the arena after the tapes, and after text of the one that is being received, belongs to nobody. */
static void fill_memory(struct device *d)
{
	const size_t text = d->peer.lex.text != d->word.text ? d->peer.lex.length : 0;
	const size_t used = (size_t)d->peer.tape.start + d->peer.tape.length + text;
	for (unsigned i = 0; i < d->config.slot_count && d->peer.envelope.ended && d->peer.in.kept == 0; i++) {
		if (is_free(d, i))
			memset(&d->ids[(size_t)d->slots[i].row * d->config.id_size], 0xDD, d->config.id_size);
	}
	if (used < d->config.arena_size)
		memset(&d->arena[used], 0xDD, d->config.arena_size - used);
}

/* --- The trace */

static enum reason reason_of(quash_why why)
{
	switch (why) {
	case QUASH_WHY_NONE: return REASON_NONE;
	case QUASH_WHY_NO_JSON:
	case QUASH_WHY_ENVELOPE:
	case QUASH_WHY_ID: return REASON_MESSAGE;
	case QUASH_WHY_DUPLICATE_ID: return REASON_TWICE;
	case QUASH_WHY_METHOD: return REASON_METHOD;
	case QUASH_WHY_DEEP:
	case QUASH_WHY_ARENA_SIZE: return REASON_LARGE;
	case QUASH_WHY_ARENA_FULL: return REASON_ARENA;
	case QUASH_WHY_SLOTS_FULL: return REASON_SLOTS;
	case QUASH_WHY_BATCH: return REASON_BATCH;
	case QUASH_WHY_GROUP: return REASON_GROUP;
	case QUASH_WHY_CANCELLED:
	case QUASH_WHY_OWN_CANCEL: return REASON_CANCEL;
	case QUASH_WHY_LINK: return REASON_LINK;
	case QUASH_WHY_SESSION: return REASON_SESSION;
	case QUASH_WHY_CHANGED: return REASON_CHANGED;
	case QUASH_WHY_UNBALANCED:
	case QUASH_WHY_PUT_DEEP: return REASON_UNBALANCED;
	case QUASH_WHY_TX_FULL:
	case QUASH_WHY_ANSWER_WAITS: return REASON_TX;
	default: return REASON_PROGRAM;
	}
}

static void trace(quash_peer *peer, quash_event event, const quash_request *request, int32_t detail, quash_why why)
{
	static const enum claim claims[] = { CLAIM_RECEIVED, CLAIM_KEPT, CLAIM_PARKED, CLAIM_STARTED, CLAIM_FLAGGED,
		CLAIM_RECORDED, CLAIM_WRITTEN, CLAIM_SILENCED, CLAIM_REFUSED, CLAIM_FREED, CLAIM_LATE_CANCEL, CLAIM_DROPPED,
		CLAIM_MISUSED, CLAIM_NEW_SESSION };
	struct device *const d = &devices[link_of(peer)];
	if (why >= QUASH_WHYS || (why != QUASH_WHY_NONE && quash_why_text(why)[0] == '\0'))
		fail("reason", "reason %d has no words", (int)why);
	if (event == QUASH_FREED)
		give_back(d, request);
	oracle_claim(link_of(peer), claims[event], request != NULL ? request->index : -1, detail, reason_of(why));
}

/* --- Peers */

static const quash_route there = {
	.to = &devices[1].peer, .progress = &quash_mcp_progress_form, .token_size = TOKEN
};
static const quash_route back = {
	.to = &devices[0].peer, .progress = &quash_mcp_progress_form, .token_size = TOKEN
};

static quash_group groups[4];

quash_group *adapter_group(uint8_t group)
{
	return &groups[group % (sizeof groups / sizeof groups[0])];
}

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
		(marks & IS_PARTIAL ? QUASH_PARTIAL : 0) | (marks & IS_SESSION ? QUASH_SESSION : 0));
}

static int32_t no_end(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static bool moves(const struct method *method)
{
	return (method->marks & (HAS_END | IS_DROPPED)) != 0 || method->deadline != 0 || method->lease != 0 || method->group != 0;
}

static void make_method(quash_method *to, const struct method *from, bool bridge)
{
	const bool hands_on = bridge && (from->marks & IS_FORWARDED) != 0;
	to->name = from->name;
	to->handler = hands_on ? bridged_handler : task_handler;
	to->released = (from->marks & HAS_RELEASED) == 0 ? NULL : hands_on ? bridged_released : task_released;
	to->cancelled = (from->marks & HAS_RESULT) != 0 ? CANCELLED_RESULT : NULL;
	to->data = &there;
	to->state_size = hands_on ? QUASH_FORWARD_STATE(TOKEN) : task_state_size();
	to->marks = marks_of(from->marks);
	if (!moves(from))
		return;
	to->motion.end = (from->marks & HAS_END) == 0 ? no_end : hands_on ? bridged_end : task_end;
	to->motion.longest = from->deadline != 0 ? from->deadline : QUASH_NO_LIMIT;
	to->motion.lease = from->lease;
	to->motion.group = from->group != 0 ? adapter_group(from->group) : NULL;
	if ((from->marks & IS_DROPPED) == 0)
		to->marks |= QUASH_FINISHES;
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
		((const quash_acp_agent *)agent_config.methods[0].data)->connection->minted = 0; /* as after a reset of the device */
		break;
	default:
		d->config = langserver_config;
		langserver_reset();
		break;
	}
}

static void use_memory(struct device *d, uint8_t link)
{
	const struct setup *const s = &sim.setup;
	d->config.dialect = dialect_of(s->dialect[link]);
	d->config.slots = d->slots;
	d->config.word = &d->word;
	d->config.word_size = sizeof d->word.text;
	d->config.counters = &d->counters;
	d->config.ids = d->ids;
	d->config.states = d->states.bytes;
	d->config.arena = d->arena;
	d->config.tx = d->tx;
	d->config.slot_count = (uint8_t)s->slots[link];
	d->config.id_size = (uint8_t)s->id_size[link];
	d->config.arena_size = (quash_size)s->arena[link];
	d->config.tx_size = (quash_size)s->tx[link];
	d->config.trace = trace;
	if (d->config.tag_size > IDS)
		fail("init", "IDS of the adapter");
	if (d->config.tag_size > 0)
		d->config.tags = d->tags;
}

static const char *open_peer(uint8_t link)
{
	static char wrong[100];
	struct device *const d = &devices[link];
	const struct setup *const s = &sim.setup;
	const quash_size task = task_state_size(), forward = QUASH_FORWARD_STATE(TOKEN);
	static const quash_config fresh;
	quash_fault fault;
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
		d->config.state_size = (quash_size)(((task > forward ? task : forward) + 7u) / 8u * 8u);
		d->config.reason = d->reason;
		d->config.reason_size = sizeof d->reason;
		d->config.lease_always = s->always[link];
		d->config.calls = &quash_calls;
	}
	use_memory(d, link);
	d->linked = true;
	if (d->config.state_size > STATE)
		return "STATE of the adapter";
	if (quash_init(&d->peer, &d->config, &fault))
		return NULL;
	snprintf(wrong, sizeof wrong, "%s %s: %s: %u, not %u", fault.table, fault.name != NULL ? fault.name : "", fault.member,
		(unsigned)fault.is, (unsigned)fault.needs);
	return wrong;
}

const char *adapter_open(void)
{
	tasks_begin();
	memset(groups, 0, sizeof groups);
	const char *const wrong = open_peer(0);
	if (wrong != NULL || sim.setup.topology == ONE_PEER)
		return wrong;
	return open_peer(1);
}

/* --- What happens to them */

static void must_agree(uint8_t link)
{
	adapter_must_be_legal(link);
	oracle_compare(link);
}

size_t adapter_feed(uint8_t link, const uint8_t *bytes, size_t n)
{
	struct device *const d = &devices[link];
	open_free_slots(d);
	sim.feeding[link] = true;
	const size_t taken = quash_feed(&d->peer, bytes, n);
	sim.feeding[link] = false;
	if (taken > n)
		fail("feed", "more is taken than was there");
	oracle_received(link, bytes, taken);
	received_sessions(link);
	close_free_slots(d);
	fill_memory(d);
	must_agree(link);
	return taken;
}

const uint8_t *adapter_out(uint8_t link, size_t *n)
{
	const uint8_t *const bytes = quash_out(&devices[link].peer, n);
	adapter_must_be_legal(link);
	return bytes;
}

void adapter_sent(uint8_t link, size_t n)
{
	quash_sent(&devices[link].peer, n);
	adapter_must_be_legal(link);
}

void adapter_tick(uint8_t link)
{
	sim.ticked[link] = sim.now;
	quash_tick(&devices[link].peer, sim.now);
	oracle_time(link);
	must_agree(link);
}

bool adapter_is_inside(void)
{
	return sim.stepping[0] || sim.stepping[1];
}

bool adapter_step(uint8_t link)
{
	struct device *const d = &devices[link];
	if (adapter_is_inside())
		return false;
	oracle_time(link);
	oracle_step_begins(link);
	if (d->peer.in.kept != 0)
		open_free_slots(d);
	sim.stepping[link] = true;
	sim.step_began = sim.ticked[link];
	const bool any = quash_step(&d->peer);
	received_sessions(link);
	sim.stepping[link] = false;
	oracle_stepped(link);
	close_free_slots(d);
	fill_memory(d);
	must_agree(link);
	return any;
}

uint32_t adapter_idle(uint8_t link)
{
	return quash_idle_ms(&devices[link].peer);
}

bool adapter_takes_all(uint8_t link)
{
	return devices[link].peer.in.pause == 0 && !devices[link].peer.in.untaken;
}

void adapter_end(uint8_t link)
{
	open_free_slots(&devices[link]);
	sim.feeding[link] = true;
	quash_input_end(&devices[link].peer);
	sim.feeding[link] = false;
	oracle_input_ended(link);
	must_agree(link);
}

void adapter_gone(uint8_t link)
{
	devices[link].linked = false;
	sim.feeding[link] = true;
	quash_gone(&devices[link].peer);
	sim.feeding[link] = false;
	oracle_gone(link);
	must_agree(link);
}

void adapter_reopen(uint8_t link)
{
	adapter_gone(link);
	devices[link].linked = true;
	quash_reopen(&devices[link].peer);
	oracle_reopened(link);
	must_agree(link);
}

void adapter_lost(uint8_t link)
{
	sim.feeding[link] = true;
	quash_lost(&devices[link].peer);
	sim.feeding[link] = false;
	oracle_lost(link);
	must_agree(link);
}

void adapter_cancel_all(uint8_t link)
{
	open_free_slots(&devices[link]);
	sim.feeding[link] = true;
	sim.stopping = true;
	quash_cancel_all(&devices[link].peer);
	sim.stopping = false;
	sim.feeding[link] = false;
	oracle_cancel_all(link);
	must_agree(link);
}

unsigned adapter_live(uint8_t link)
{
	return quash_live_count(&devices[link].peer);
}

/* A handle says what has become of its own request, and not of the next one in its slot. */
static void must_follow(quash_handle handle, const struct record *r)
{
	const bool stop = quash_handle_cancelled(handle);
	if (r == NULL && !stop)
		fail("cancel", "a handle says that its request goes on, which has left");
	if (r != NULL && r->stage == RUNNING && stop != (r->cause != NO_CAUSE || r->asynchronous))
		fail("cancel", "a handle says that %.*s is%s cancelled", (int)r->id_length, r->id, stop ? "" : " not");
}

void adapter_interrupt(void)
{
	struct device *const d = &devices[sim.setup.topology == ONE_PEER ? 0 : choose(LINKS)];
	const unsigned i = choose(4);
	if (d->handles[i].request == NULL)
		return;
	must_follow(d->handles[i], d->held[i]);
	if (choose(2)) {
		/* A wake has no generation: it wakes whoever has the slot now. */
		quash_wake(d->handles[i].request);
		struct record *const r = oracle_tenant((uint8_t)(d - devices), d->handles[i].request->index);
		if (r != NULL)
			oracle_woken(r);
		return;
	}
	quash_cancel_async(d->handles[i]);
	if (d->held[i] != NULL)
		oracle_cancelled_async(d->held[i]);
}

void adapter_new_session(uint8_t link)
{
	sim.feeding[link] = true;
	quash_new_session(&devices[link].peer);
	sim.feeding[link] = false;
	(void)claims_new_session(link);
	oracle_next_client(link);
	must_agree(link);
}

void adapter_notify(uint8_t link)
{
	task_news(&devices[link].peer);
	adapter_must_be_legal(link);
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
	task_prepare_call(call, false);
	if (!quash_call_start(&d->peer, call))
		fail("calls", "a call that is not in use cannot be asked");
	oracle_asked(link, call->id, NULL, call->deadline);
}

void adapter_drop_calls(uint8_t link)
{
	for (unsigned i = 0; i < FREE_CALLS; i++)
		(void)quash_call_release(&devices[link].calls[i]);
}

/* --- What must hold */

void adapter_must_be_legal(uint8_t link)
{
	const char *const fault = legal_fault(&devices[link].peer);
	if (fault != NULL)
		fail("peer", "%s", fault);
}

const char *adapter_check(uint8_t link)
{
	const struct device *const d = &devices[link];
	adapter_must_be_legal(link);
	if (d->linked == quash_is_gone(&d->peer))
		return "the library has given up the link by itself";
	if (quash_next_live(&d->peer, &(quash_live){ 0 }) && quash_is_at_rest(&d->peer))
		return "it is at rest, and something is live";
	return NULL;
}

const char *adapter_rest(uint8_t link)
{
	const struct device *const d = &devices[link];
	if (quash_live_count(&d->peer) != 0)
		return "a slot is still taken";
	if (quash_call_count(&d->peer) != 0)
		return "a call is still linked";
	if (d->linked && !quash_is_at_rest(&d->peer))
		return "something waits to be written";
	if (d->linked && d->peer.tape.start != 0)
		return "a tape is still in the arena";
	if (quash_idle_ms(&d->peer) != UINT32_MAX)
		return "it does not sleep";
	return NULL;
}

struct counted adapter_counted(uint8_t link)
{
	const quash_counters *const c = &devices[link].counters;
	struct counted counted = { c->requests, c->notifications, c->results, c->errors, c->silenced, c->parse_errors, c->calls,
		c->call_cancels, c->kept, c->held, c->late_cancels, c->dropped, c->changed, c->misuses, c->sessions, c->life_signs,
		c->lost, { 0 } };
	for (unsigned i = 0; i < CAUSES; i++)
		counted.cancelled[i] = c->cancelled[i];
	return counted;
}
