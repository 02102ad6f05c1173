/* SPDX-License-Identifier: MIT */
#include "accept.h"

#include "../json/c_text.h"
#include "../json/rom.h"
#include "../json/tape.h"
#include "call_hooks.h"
#include "answer.h"
#include "decide.h"
#include "fault_hooks.h"
#include "due.h"
#include "reason_hooks.h"
#include "session.h"

/* --- What is received later */

QUASH_NOINLINE bool quash_may_wait(const quash_peer *peer)
{
	return peer->running == NO_INDEX && !peer->envelope.waited && peer->link.state != LINK_GONE;
}

void quash_pause(quash_peer *peer, enum quash_kept kept)
{
	peer->in.pause = PAUSE_STEP;
	peer->in.kept = (uint8_t)kept;
	quash_count_up(peer, offsetof(quash_counters, kept));
	/* What has not come whole has no request: a name may stand in its place. */
	quash_trace_event(peer, QUASH_KEPT, kept < KEPT_BRACKET ? quash_received(peer) : NULL, 0, QUASH_WHY_NONE);
}

/* A cancel that is known to be one takes effect whether its params find room or not. */
static bool is_cancel(const quash_peer *peer)
{
	return quash_seen(peer, SEEN_NAME) && peer->envelope.cancel != NO_INDEX;
}

/* Params, or an answer, that fill an arena in which something else stands wait for it to go. */
static bool wants_room(const quash_peer *peer)
{
	const quash_size most = (quash_size)(quash_config_of(peer)->arena_size - BYTE_ON_TAPE);
	return peer->tape.start > 0 && !is_cancel(peer) && !quash_has_tape_room(peer) && peer->tape.length <= most &&
		peer->lex.length <= most - peer->tape.length && quash_may_wait(peer);
}

bool quash_waits_for_room(quash_peer *peer)
{
	if (!wants_room(peer))
		return false;
	quash_arena_pack(peer);
	if (!wants_room(peer))
		return false;
	quash_pause(peer, KEPT_BYTE);
	return true;
}

/* --- What is not accepted */

/* How it is answered, by why. `named`: with its id, if that can be used. */
struct refusal {
	int16_t code;
	uint8_t counter;
	bool named;
};

QUASH_NOINLINE static const QUASH_FLASH struct refusal *refusal_of(quash_why why)
{
	enum { FIRST = QUASH_WHY_NO_JSON };
	static const QUASH_FLASH struct refusal refusals[] = {
		[QUASH_WHY_NO_JSON - FIRST] = { QUASH_PARSE_ERROR, offsetof(quash_counters, parse_errors), false },
		[QUASH_WHY_ENVELOPE - FIRST] = { QUASH_INVALID_REQUEST, offsetof(quash_counters, invalid), true },
		[QUASH_WHY_ID - FIRST] = { QUASH_INVALID_REQUEST, offsetof(quash_counters, invalid), false },
		[QUASH_WHY_DUPLICATE_ID - FIRST] = { QUASH_INVALID_REQUEST, offsetof(quash_counters, duplicate_ids), false },
		[QUASH_WHY_METHOD - FIRST] = { QUASH_METHOD_NOT_FOUND, offsetof(quash_counters, unknown_methods), true },
		[QUASH_WHY_DEEP - FIRST] = { QUASH_TOO_LARGE, offsetof(quash_counters, too_large), true },
		[QUASH_WHY_ARENA_SIZE - FIRST] = { QUASH_TOO_LARGE, offsetof(quash_counters, too_large), true },
		[QUASH_WHY_ARENA_FULL - FIRST] = { QUASH_BUSY, offsetof(quash_counters, busy), true },
		[QUASH_WHY_SLOTS_FULL - FIRST] = { QUASH_BUSY, offsetof(quash_counters, busy), true },
		[QUASH_WHY_BATCH - FIRST] = { QUASH_BUSY, offsetof(quash_counters, busy), false },
	};
	const unsigned i = (unsigned)why - FIRST;
	return &refusals[i < sizeof refusals / sizeof *refusals ? i : 0];
}

enum { MARK_OF_NONE = 1 << 7 };

static void note_era(quash_request *slot)
{
	slot->effects = (uint8_t)((slot->peer->envelope.seen & SEEN_ERA) / (SEEN_ERA / EFFECT_ERA));
}

/* With code 0 it is answered with `{}`. */
quash_request *quash_refuse_with(quash_peer *peer, int32_t code, quash_why why)
{
	quash_trace_event(peer, QUASH_REFUSED, quash_received(peer), code, why);
	quash_request *claimed = quash_slot_claim(peer);
	quash_request *slot = claimed != NULL ? claimed : quash_received(peer);
	if (claimed == NULL)
		peer->in.pause = PAUSE_REFUSAL;
	slot->life = LIFE_ENDED;
	note_era(slot);
	if (code == 0) {
		quash_record_constant(slot, "{}");
		return claimed;
	}
	quash_record_error(slot, code, QUASH_WHY_NONE);
	quash_keep_reason(slot, why, peer->tape.length + peer->tape.missing);
	return claimed;
}

/* The marks of an entry, or one that no entry has. */
QUASH_NOINLINE static uint8_t marks_of(const quash_peer *peer, uint8_t i)
{
	const quash_config *const c = quash_config_of(peer);
	return i < c->method_count ? c->methods[i].marks : (uint8_t)MARK_OF_NONE;
}

static bool is_never_busy(const quash_peer *peer)
{
	return (marks_of(peer, peer->envelope.method) & QUASH_NEVER_BUSY) != 0 && !quash_seen(peer, SEEN_ERA);
}

quash_request *quash_refuse(quash_peer *peer, quash_why why)
{
	const QUASH_FLASH struct refusal *r = refusal_of(why);
	const int32_t code = r->code == QUASH_BUSY && is_never_busy(peer) ? 0 : r->code;
	quash_count_up(peer, code == 0 ? offsetof(quash_counters, requests) : r->counter);
	if (!r->named || (peer->envelope.seen & (SEEN_ID | SEEN_TWICE)) != SEEN_ID || quash_slot_of_id(peer) != NULL)
		quash_received(peer)->id_kind = ID_NONE;
	return quash_refuse_with(peer, code, why);
}

/* Answered if it wants an answer, else dropped. */
static quash_request *reject(quash_peer *peer, quash_why why)
{
	if (quash_wants_answer(peer))
		return quash_refuse(peer, why);
	quash_received(peer)->id_kind = ID_NONE; /* it may be that of a cancel's target */
	quash_count_up(peer, refusal_of(why)->counter);
	quash_trace_event(peer, QUASH_DROPPED, quash_received(peer), 0, why);
	return NULL;
}

/* --- What is */

static quash_request *accept_message(quash_peer *peer)
{
	quash_request *slot = quash_slot_claim(peer);
	if (slot == NULL)
		return NULL;
	const bool notification = !quash_seen(peer, SEEN_ID);
	slot->method = peer->envelope.method;
	note_era(slot);
	slot->answer = notification ? ANSWER_SILENT : ANSWER_NONE;
	slot->tape_size = quash_tape_take(&peer->tape, &slot->tape);
	const quash_method *method = quash_slot_method(slot);
	if (method != NULL && quash_is_limit(method->motion.longest)) {
		quash_slot_mark(slot, MARK_TIMED);
		slot->at.deadline = peer->now + method->motion.longest;
	}
	slot->lease = method != NULL ? method->motion.lease : 0;
	quash_count_up(peer, notification ? offsetof(quash_counters, notifications) : offsetof(quash_counters, requests));
	quash_note(slot, QUASH_PARKED);
	return slot;
}

/* Why it can never be held; QUASH_WHY_NONE if it can. */
static quash_why too_large(const quash_peer *peer)
{
	if (quash_seen(peer, SEEN_DEEP))
		return QUASH_WHY_DEEP;
	return quash_tape_fits(&peer->tape, quash_config_of(peer)->arena_size) ? QUASH_WHY_NONE : QUASH_WHY_ARENA_SIZE;
}

/* Why it cannot be held now. */
static quash_why no_room(const quash_peer *peer)
{
	if (!quash_tape_whole(&peer->tape))
		return QUASH_WHY_ARENA_FULL;
	return quash_slots_have_room(peer) ? QUASH_WHY_NONE : QUASH_WHY_SLOTS_FULL;
}

QUASH_NOINLINE static void mark_wants(quash_peer *peer, quash_why why)
{
	if (why == QUASH_WHY_DEEP)
		return;
	const quash_count params = quash_mark_arena(peer);
	const quash_count count = (quash_count)(peer->refused + 1u);
	quash_raise_mark(peer, offsetof(quash_counters, most_live), (quash_count)(peer->live + count));
	if (why == QUASH_WHY_NONE)
		return;
	peer->refused = count;
	peer->refused_arena = params;
}

/* Why it is not accepted now; QUASH_WHYS when it is kept: a slot may come free with the next step. What did not fit
 * into the arena has waited already. */
static quash_why judge_room(quash_peer *peer)
{
	const quash_why large = too_large(peer);
	const quash_why why = large != QUASH_WHY_NONE ? large : no_room(peer);
	if (why != QUASH_WHY_SLOTS_FULL || !quash_may_wait(peer)) {
		mark_wants(peer, why);
		return why;
	}
	quash_pause(peer, KEPT_MESSAGE);
	return QUASH_WHYS;
}

/* --- Requests */

QUASH_NOINLINE static bool is_kind(const quash_peer *peer, uint8_t i, uint8_t mark)
{
	const uint8_t marks = marks_of(peer, i);
	return (marks & QUASH_BOTH) != 0 || (marks & (QUASH_NOTIFICATION | MARK_OF_NONE)) == mark;
}

/* The entry of that kind by the name of the entry `named`, or for all other names; `method_count` if there is none. */
static uint8_t entry_of_kind(const quash_peer *peer, uint8_t mark, uint8_t named)
{
	const quash_config *c = quash_config_of(peer);
	uint8_t i = 0, others = c->method_count;
	const char *const name = named < c->method_count ? c->methods[named].name : NULL;
	/*@ loop unroll 254; */
	for (; i < c->method_count; i++) {
		if (!is_kind(peer, i, mark))
			continue;
		if (quash_rom(c->methods[i].name) == '\0')
			others = i;
		else if (name != NULL && quash_same_text(c->methods[i].name, name))
			return i;
	}
	return others;
}

/* Finds the entry of the method for messages of that kind, 0 or QUASH_NOTIFICATION, or else that for all others. False
 * when there is neither. */
static bool find_method(quash_peer *peer, uint8_t mark)
{
	const uint8_t named = peer->envelope.method;
	if (!is_kind(peer, named, mark))
		peer->envelope.method = entry_of_kind(peer, mark, named);
	return peer->envelope.method < quash_config_of(peer)->method_count;
}

/* Traced once, what is kept too. */
static void note_message(quash_peer *peer)
{
	if (!peer->envelope.known)
		quash_note(quash_received(peer), QUASH_RECEIVED);
	peer->envelope.known = true;
}

/* With a request of a method marked so its client begins anew. Before there was a session, only what runs is of
 * somebody who has gone. */
QUASH_INLINED_ static void begin_session(quash_peer *peer)
{
	const uint8_t method = peer->envelope.method;
	if ((marks_of(peer, method) & QUASH_SESSION) == 0 || peer->envelope.known)
		return;
	if (peer->link.session || quash_is_running(peer))
		quash_new_session(peer);
	peer->link.session = true;
	note_message(peer);
}

/* No method is served by the name of a cancel. */
QUASH_NOINLINE static bool is_method_served(quash_peer *peer)
{
	return peer->envelope.cancel == NO_INDEX && find_method(peer, 0);
}

static quash_why judge_request(quash_peer *peer)
{
	const bool served = is_method_served(peer);
	if (served)
		begin_session(peer);
	note_message(peer);
	if (quash_slot_of_id(peer) != NULL)
		return QUASH_WHY_DUPLICATE_ID;
	return served ? judge_room(peer) : QUASH_WHY_METHOD;
}

/* --- Cancels */

/* True if the live request's method has that name. */
static bool runs(const quash_request *slot, const char *name)
{
	const quash_config *c = quash_config_of(slot->peer);
	const uint8_t i = slot->method;
	if (name == NULL || i >= c->method_count)
		return false;
	/*@ split i; */
	return quash_same_text(c->methods[i].name, name);
}

void quash_cancel_is_late(quash_peer *peer)
{
	quash_count_up(peer, offsetof(quash_counters, late_cancels));
	quash_trace_event(peer, QUASH_LATE_CANCEL, NULL, 0, QUASH_WHY_NONE);
}

static void end_reason(quash_peer *peer, const quash_request *target)
{
	const quash_config *c = quash_config_of(peer);
	const uint8_t length = peer->envelope.reason;
	if (length >= c->reason_size)
		return;
	c->reason[length] = '\0';
	peer->reason_of = target->index;
}

/* A cancel in a batch takes effect when the batch is known to be one. */
static bool cancel_target(quash_request *target)
{
	if ((target->peer->batch & BATCH_RECEIVING) == 0)
		return quash_flag(target, QUASH_BY_OTHER_SIDE);
	target->effects |= EFFECT_CANCELS;
	return true;
}

static void accept_cancel(quash_peer *peer)
{
	quash_request *target = quash_slot_of_id(peer);
	if (!quash_seen(peer, SEEN_TARGET)) {
		quash_count_up(peer, offsetof(quash_counters, bad_cancels));
		return;
	}
	if (target == NULL || runs(target, quash_config_of(peer)->dialect->never_cancelled)) {
		quash_cancel_is_late(peer);
		return;
	}
	end_reason(peer, target);
	if (!cancel_target(target))
		quash_cancel_is_late(peer);
}

static void accept_tag_cancel(quash_peer *peer, const char *target)
{
	bool any = false;
	quash_request *slot = NULL;
	while ((slot = quash_next_slot(peer, slot)) != NULL) {
		if (quash_slot_named(slot) && runs(slot, target) && quash_tag_same(slot, quash_received(peer)))
			any = cancel_target(slot) || any;
	}
	if (!any)
		quash_cancel_is_late(peer);
}

/* Takes effect once, also when the notification itself is kept. */
QUASH_OUTLINED_ static void cancel_by(quash_peer *peer, uint8_t cancel)
{
	const quash_dialect *d = quash_config_of(peer)->dialect;
	if (peer->envelope.known || cancel >= d->cancel_count)
		return;
	const char *target = d->cancels[cancel].target;
	if (target == NULL)
		accept_cancel(peer);
	else
		accept_tag_cancel(peer, target);
}

/* Clients send many that nobody knows. By the name of a request one may have been meant. */
static void ignore(quash_peer *peer, uint8_t named)
{
	quash_count_up(peer, offsetof(quash_counters, ignored));
	if (named < quash_config_of(peer)->method_count)
		quash_trace_event(peer, QUASH_DROPPED, NULL, 0, QUASH_WHY_METHOD);
}

static quash_why judge_notification(quash_peer *peer)
{
	const uint8_t cancel = peer->envelope.cancel, named = peer->envelope.method;
	(void)find_method(peer, QUASH_NOTIFICATION);
	cancel_by(peer, cancel);
	quash_received(peer)->id_kind = ID_NONE; /* what was received as one is the target's */
	if (peer->envelope.method < quash_config_of(peer)->method_count) {
		note_message(peer);
		return judge_room(peer);
	}
	if (cancel == NO_INDEX)
		ignore(peer, named);
	return QUASH_WHYS;
}

/* --- The envelope */

static bool well_formed(const quash_peer *peer)
{
	const uint16_t seen = peer->envelope.seen;
	return (seen & (SEEN_VERSION | SEEN_NAME | SEEN_RESULT | SEEN_ERROR)) == (SEEN_VERSION | SEEN_NAME) &&
		(seen & (SEEN_PARAMS | SEEN_STRUCTURE)) != SEEN_PARAMS;
}

bool quash_is_response(const quash_peer *peer)
{
	return !quash_seen(peer, SEEN_METHOD) && quash_seen(peer, SEEN_RESULT | SEEN_ERROR);
}

bool quash_wants_answer(const quash_peer *peer)
{
	if (quash_is_response(peer))
		return false;
	return quash_seen(peer, SEEN_ID | SEEN_TWICE) || !quash_seen(peer, SEEN_NAME);
}

static void accept_response(quash_peer *peer)
{
	if (quash_calls_of(peer) != NULL)
		quash_calls_of(peer)->response(peer);
	else
		quash_count_up(peer, offsetof(quash_counters, stray_responses));
}

/* Why it is no request and no notification; QUASH_WHY_NONE if it is one. */
QUASH_INLINED_ static quash_why envelope_fault(const quash_peer *peer)
{
	if (quash_seen(peer, SEEN_TWICE) || !well_formed(peer))
		return QUASH_WHY_ENVELOPE;
	return quash_seen(peer, SEEN_ID) && quash_received(peer)->id_kind == ID_NONE ? QUASH_WHY_ID : QUASH_WHY_NONE;
}

/* Why it is not accepted; QUASH_WHYS when that needs no answer. */
static quash_why judge(quash_peer *peer)
{
	const quash_why why = envelope_fault(peer);
	if (why != QUASH_WHY_NONE)
		return why;
	if (quash_is_refused(peer))
		return quash_config_of(peer)->faults->refuse(peer);
	return quash_seen(peer, SEEN_ID) ? judge_request(peer) : judge_notification(peer);
}

quash_request *quash_accept_object(quash_peer *peer)
{
	if (quash_is_response(peer)) {
		accept_response(peer);
		return NULL;
	}
	const quash_why why = judge(peer);
	if (why == QUASH_WHYS)
		return NULL;
	return why == QUASH_WHY_NONE ? accept_message(peer) : reject(peer, why);
}

void quash_accept_session(quash_peer *peer)
{
	if (!quash_is_refused(peer) && quash_seen(peer, SEEN_ID) && envelope_fault(peer) == QUASH_WHY_NONE &&
		is_method_served(peer))
		begin_session(peer);
}

void quash_accept(quash_peer *peer)
{
	const quash_why why = !quash_lex_complete(&peer->lex) ? QUASH_WHY_NO_JSON
		: quash_seen(peer, SEEN_OBJECT) ? QUASH_WHY_NONE : QUASH_WHY_ENVELOPE;
	if (why != QUASH_WHY_NONE) {
		peer->link.noisy = NOISE_LINES;
		(void)quash_refuse(peer, why);
		return;
	}
	const bool again = peer->envelope.known; /* it was kept */
	(void)quash_accept_object(peer);
	if (!again) /* a session that it begins has it as its first message */
		quash_note_message_end(peer);
}
