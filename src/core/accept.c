/* SPDX-License-Identifier: MIT */
#include "accept.h"

#include "../json/rom.h"
#include "../json/tape.h"
#include "call_hooks.h"
#include "cancel.h"
#include "match.h"
#include "receive.h"
#include "session.h"

quash_request *quash_refuse(quash_peer *peer, int32_t code, bool named, quash_why why, uint8_t counter)
{
	if (!named || quash_ring_has_same_id(peer))
		peer->received.id_kind = ID_NONE;
	quash_count_up(peer, counter);
	peer->received.code = code;
	peer->received.why = (uint8_t)why;
	quash_note(&peer->received, QUASH_REFUSED);
	quash_request *claimed = quash_ring_claim(peer);
	quash_request *slot = claimed != NULL ? claimed : &peer->received;
	if (claimed == NULL)
		peer->pause = PAUSE_REFUSAL;
	slot->life = LIFE_ENDED;
	quash_record_error(slot, code, why);
	return claimed;
}

static quash_request *accept_message(quash_peer *peer, bool notification, uint8_t counter)
{
	quash_request *slot = quash_ring_claim(peer);
	if (slot == NULL)
		return NULL;
	slot->method = peer->envelope.method.candidate;
	slot->answer = notification ? ANSWER_SILENT : ANSWER_NONE;
	slot->tape_size = quash_tape_take(&peer->tape, &slot->tape);
	const quash_method *method = quash_slot_method(slot);
	if (method != NULL && method->deadline != 0) {
		quash_slot_mark(slot, MARK_TIMED);
		slot->at.deadline = peer->now + method->deadline;
	}
	slot->lease = method != NULL ? method->lease : 0;
	quash_count_up(peer, counter);
	quash_note(slot, QUASH_PARKED);
	return slot;
}

static bool is_kind(const quash_peer *peer, uint8_t i, uint8_t mark)
{
	return i < peer->config->method_count && (peer->config->methods[i].marks & QUASH_NOTIFICATION) == mark;
}

/* Says whether the method is in the table, with or without the mark QUASH_NOTIFICATION, or else the entry for all others. */
static bool callable(quash_peer *peer, uint8_t mark)
{
	const quash_config *c = peer->config;
	uint8_t i = peer->envelope.method.candidate;
	if (is_kind(peer, i, mark))
		return true;
	i = 0;
	/*@ loop unroll 254; */
	while (i < c->method_count && !(is_kind(peer, i, mark) && quash_rom(c->methods[i].name) == '\0'))
		i++;
	peer->envelope.method.candidate = i;
	return i < c->method_count;
}

/* Why it can never be held; QUASH_WHY_NONE if it can. */
static quash_why too_large(const quash_peer *peer)
{
	if (quash_seen(peer, SEEN_DEEP))
		return QUASH_WHY_DEEP;
	const quash_size need = peer->tape.need;
	return need > peer->config->arena_size || need == (quash_size)-1 ? QUASH_WHY_ARENA_SIZE : QUASH_WHY_NONE;
}

/* Why it cannot be held now. */
static quash_why no_room(const quash_peer *peer)
{
	if (!quash_tape_whole(&peer->tape))
		return QUASH_WHY_ARENA_FULL;
	return quash_ring_has_room(peer) ? QUASH_WHY_NONE : QUASH_WHY_SLOTS_FULL;
}

/* A slot may come free with the next step; what did not fit into the arena has waited already. */
static bool may_be_kept(const quash_peer *peer, quash_why why)
{
	return why == QUASH_WHY_SLOTS_FULL && quash_may_wait(peer);
}

static bool opens_session(const quash_peer *peer)
{
	const uint8_t method = peer->envelope.method.candidate;
	return method < peer->config->method_count && (peer->config->methods[method].marks & QUASH_SESSION) != 0;
}

/* A request of a method marked so says that its client begins anew. Before there was a session, only what runs is of
 * somebody who has gone. */
static void begin_session(quash_peer *peer)
{
	if (peer->session || quash_is_running(peer))
		quash_new_session(peer);
	peer->session = true;
}

/* Told once, also of what is kept. */
static void note_message(quash_peer *peer)
{
	if (!peer->envelope.known)
		quash_note(&peer->received, QUASH_RECEIVED);
	peer->envelope.known = true;
}

static quash_request *hold_request(quash_peer *peer)
{
	const quash_why why = no_room(peer);
	if (why == QUASH_WHY_NONE)
		return accept_message(peer, false, offsetof(quash_counters, requests));
	if (!may_be_kept(peer, why))
		return quash_refuse(peer, QUASH_BUSY, true, why, offsetof(quash_counters, busy));
	quash_pause(peer, KEPT_MESSAGE);
	return NULL;
}

static quash_request *accept_request(quash_peer *peer)
{
	const quash_why large = too_large(peer);
	const bool known = peer->envelope.special.candidate == NOBODY && callable(peer, 0);
	if (known && !peer->envelope.known && opens_session(peer))
		begin_session(peer);
	note_message(peer);
	if (quash_ring_has_same_id(peer))
		return quash_refuse(peer, QUASH_INVALID_REQUEST, false, QUASH_WHY_DUPLICATE_ID, offsetof(quash_counters, duplicate_ids));
	if (!known)
		return quash_refuse(peer, QUASH_METHOD_NOT_FOUND, true, QUASH_WHY_METHOD, offsetof(quash_counters, unknown_methods));
	if (large != QUASH_WHY_NONE)
		return quash_refuse(peer, QUASH_TOO_LARGE, true, large, offsetof(quash_counters, too_large));
	return hold_request(peer);
}

/* --- Cancels */

/* Says whether the live request's method has that name. */
static bool runs(const quash_request *slot, const char *name)
{
	const quash_config *c = slot->peer->config;
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
	const quash_config *c = peer->config;
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
	quash_request *target = quash_received_target(peer);
	if ((peer->envelope.seen & (SEEN_TARGET | SEEN_BAD_TARGET)) != SEEN_TARGET) {
		quash_count_up(peer, offsetof(quash_counters, bad_cancels));
		return;
	}
	if (target == NULL || runs(target, peer->config->dialect->never_cancelled)) {
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
		if (quash_slot_named(slot) && runs(slot, target) && quash_tag_same(slot, &peer->received))
			any = cancel_target(slot) || any;
	}
	if (!any)
		quash_cancel_is_late(peer);
}

/* Takes effect once, also when the notification itself is kept. */
static void cancel_by(quash_peer *peer, uint8_t special)
{
	if (peer->envelope.known)
		return;
	if (special <= SPECIAL_ALIAS)
		accept_cancel(peer);
	else if (special != NOBODY)
		accept_tag_cancel(peer, peer->config->dialect->tag_cancels[special - SPECIAL_TAGS].target);
}

static quash_request *drop_message(quash_peer *peer, quash_why why, uint8_t counter)
{
	quash_count_up(peer, counter);
	quash_trace_event(peer, QUASH_DROPPED, &peer->received, 0, why);
	return NULL;
}

static quash_request *hold_notification(quash_peer *peer)
{
	const quash_why why = no_room(peer);
	if (why == QUASH_WHY_NONE)
		return accept_message(peer, true, offsetof(quash_counters, notifications));
	if (!may_be_kept(peer, why))
		return drop_message(peer, why, offsetof(quash_counters, busy));
	quash_pause(peer, KEPT_MESSAGE);
	return NULL;
}

static quash_request *accept_notification(quash_peer *peer)
{
	const uint8_t special = peer->envelope.special.candidate;
	const quash_why large = too_large(peer);
	cancel_by(peer, special);
	if (!callable(peer, QUASH_NOTIFICATION)) {
		if (special == NOBODY)
			quash_count_up(peer, offsetof(quash_counters, ignored));
		return NULL;
	}
	note_message(peer);
	return large != QUASH_WHY_NONE ? drop_message(peer, large, offsetof(quash_counters, too_large)) : hold_notification(peer);
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

static quash_request *accept_response(quash_peer *peer)
{
	if (peer->call_hooks != NULL)
		peer->call_hooks->response(peer);
	else
		quash_count_up(peer, offsetof(quash_counters, stray_responses));
	return NULL;
}

static quash_request *refuse_invalid(quash_peer *peer, bool named, quash_why why)
{
	return quash_refuse(peer, QUASH_INVALID_REQUEST, named, why, offsetof(quash_counters, invalid));
}

quash_request *quash_accept_object(quash_peer *peer)
{
	if (quash_is_response(peer))
		return accept_response(peer);
	if (quash_seen(peer, SEEN_TWICE))
		return refuse_invalid(peer, false, QUASH_WHY_ENVELOPE);
	if (!well_formed(peer) && (quash_seen(peer, SEEN_ID) || !quash_seen(peer, SEEN_NAME)))
		return refuse_invalid(peer, true, QUASH_WHY_ENVELOPE);
	if (!well_formed(peer))
		return drop_message(peer, QUASH_WHY_ENVELOPE, offsetof(quash_counters, invalid));
	if (!quash_seen(peer, SEEN_ID))
		return accept_notification(peer);
	if (peer->received.id_kind == ID_NONE)
		return refuse_invalid(peer, false, QUASH_WHY_ID);
	return accept_request(peer);
}

static bool is_request(const quash_peer *peer)
{
	return quash_seen(peer, SEEN_ID) && !quash_seen(peer, SEEN_TWICE) && well_formed(peer) && peer->received.id_kind != ID_NONE;
}

void quash_accept_session(quash_peer *peer)
{
	const bool known = is_request(peer) && peer->envelope.special.candidate == NOBODY && callable(peer, 0);
	if (!known || peer->envelope.known || !opens_session(peer))
		return;
	begin_session(peer);
	note_message(peer);
}

void quash_accept(quash_peer *peer)
{
	if (quash_seen(peer, SEEN_BROKEN) || !quash_lex_complete(&peer->lex))
		(void)quash_refuse(peer, QUASH_PARSE_ERROR, false, QUASH_WHY_NO_JSON, offsetof(quash_counters, parse_errors));
	else if (!quash_seen(peer, SEEN_OBJECT))
		(void)refuse_invalid(peer, false, QUASH_WHY_ENVELOPE);
	else
		(void)quash_accept_object(peer);
}
