/* SPDX-License-Identifier: MIT */
#include "judge.h"

#include "../json/rom.h"
#include "../json/tape.h"
#include "call_hooks.h"
#include "hear.h"
#include "law.h"
#include "match.h"

void quash_refuse(quash_peer *peer, int32_t code, bool named, quash_count *counter)
{
	quash_request *slot = quash_landing(peer);
	if (!named || quash_ring_has_twin(peer))
		slot->id_kind = ID_NONE;
	quash_add(counter, 1);
	quash_tell(peer, QUASH_REFUSED, slot, code);
	quash_owe(slot, code);
}

static void accept_message(quash_peer *peer, uint8_t flags, quash_count *counter)
{
	quash_request *slot = quash_landing(peer);
	quash_tape *tape = &peer->tape;
	slot->method = peer->envelope.method.candidate;
	slot->flags = flags;
	slot->tape_size = quash_tape_take(tape, &slot->tape);
	quash_ring_claim(peer);
	const quash_method *method = quash_slot_method(slot);
	if (method != NULL && method->deadline != 0) {
		slot->flags |= SLOT_TIMED;
		slot->deadline = peer->now + method->deadline;
	}
	quash_add(counter, 1);
	quash_tell(peer, QUASH_PARKED, slot, 0);
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

static bool too_large(const quash_peer *peer)
{
	return quash_seen(peer, SEEN_DEEP) || peer->tape.need > peer->config->arena_size;
}

static bool room(const quash_peer *peer)
{
	return quash_tape_whole(&peer->tape) && quash_ring_has_room(peer);
}

static void judge_request(quash_peer *peer)
{
	quash_counters *count = &peer->counters;
	quash_tell(peer, QUASH_HEARD, quash_landing(peer), 0);
	if (quash_ring_has_twin(peer))
		quash_refuse(peer, QUASH_INVALID_REQUEST, false, &count->duplicate_ids);
	else if (peer->envelope.special.candidate != NOBODY || !callable(peer, 0))
		quash_refuse(peer, QUASH_METHOD_NOT_FOUND, true, &count->unknown_methods);
	else if (too_large(peer))
		quash_refuse(peer, QUASH_TOO_LARGE, true, &count->too_large);
	else if (!room(peer))
		quash_refuse(peer, QUASH_BUSY, true, &count->busy);
	else
		accept_message(peer, 0, &count->requests);
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

static void late(quash_peer *peer)
{
	quash_add(&peer->counters.late_cancels, 1);
	quash_tell(peer, QUASH_LATE_CANCEL, NULL, 0);
}

static uint8_t reason_byte_at(const quash_config *c, uint8_t i)
{
	return i < c->reason_size ? (uint8_t)c->reason[i] : 0;
}

/* How many of the reason's `n` bytes are left without a character at their end that was cut. */
static uint8_t whole_characters(const quash_config *c, uint8_t n)
{
	uint8_t end = n;
	while (end > 0 && (reason_byte_at(c, (uint8_t)(end - 1)) & 0xC0) == 0x80)
		end--;
	if (end == 0)
		return 0;
	const uint8_t lead = reason_byte_at(c, (uint8_t)(end - 1));
	const uint8_t wanted = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
	return n - end < wanted ? (uint8_t)(end - 1) : n;
}

static void end_reason(quash_peer *peer, const quash_request *target)
{
	const quash_config *c = peer->config;
	const uint8_t heard = peer->envelope.reason;
	if (heard >= c->reason_size)
		return;
	const uint8_t end = whole_characters(c, heard);
	if (end < c->reason_size)
		c->reason[end] = '\0';
	peer->reason_of = target->index;
}

/* A cancel in a batch takes effect when the batch is known to be one. */
static bool cancel_target(quash_request *target)
{
	if ((target->peer->batch & BATCH_HEARING) == 0)
		return quash_flag(target, QUASH_BY_OTHER_SIDE);
	target->more |= MORE_DOOMED;
	return true;
}

static void judge_cancel(quash_peer *peer)
{
	quash_request *target = quash_heard_target(peer);
	if (!quash_seen(peer, SEEN_TARGET) || quash_seen(peer, SEEN_BAD_TARGET)) {
		quash_add(&peer->counters.bad_cancels, 1);
		return;
	}
	if (target == NULL || runs(target, peer->config->dialect->never_cancelled)) {
		late(peer);
		return;
	}
	end_reason(peer, target);
	if (!cancel_target(target))
		late(peer);
}

static void judge_tag_cancel(quash_peer *peer, const char *target)
{
	bool any = false;
	for (uint8_t i = 0; i < peer->config->slot_count; i++) {
		quash_request *slot = quash_slot(peer, i);
		if (quash_slot_named(slot) && runs(slot, target) && quash_tag_same(slot, quash_landing(peer)))
			any = cancel_target(slot) || any;
	}
	if (!any)
		late(peer);
}

static void judge_notification(quash_peer *peer)
{
	quash_counters *count = &peer->counters;
	const uint8_t special = peer->envelope.special.candidate;
	if (special <= SPECIAL_ALIAS)
		judge_cancel(peer);
	else if (special != NOBODY)
		judge_tag_cancel(peer, peer->config->dialect->tag_cancels[special - SPECIAL_TAGS].target);
	if (!callable(peer, QUASH_NOTIFICATION)) {
		if (special == NOBODY)
			quash_add(&count->ignored, 1);
		return;
	}
	quash_tell(peer, QUASH_HEARD, quash_landing(peer), 0);
	if (too_large(peer))
		quash_add(&count->too_large, 1);
	else if (!room(peer))
		quash_add(&count->busy, 1);
	else
		accept_message(peer, SLOT_NOTIFICATION, &count->notifications);
}

/* --- The envelope */

static bool well_formed(const quash_peer *peer)
{
	return quash_seen(peer, SEEN_VERSION) && quash_seen(peer, SEEN_NAME) &&
	       !quash_seen(peer, SEEN_RESULT | SEEN_ERROR) &&
	       (!quash_seen(peer, SEEN_PARAMS) || quash_seen(peer, SEEN_STRUCTURE));
}

bool quash_heard_response(const quash_peer *peer)
{
	return !quash_seen(peer, SEEN_METHOD) && quash_seen(peer, SEEN_RESULT | SEEN_ERROR);
}

bool quash_wants_answer(const quash_peer *peer)
{
	if (quash_heard_response(peer))
		return false;
	return quash_seen(peer, SEEN_ID | SEEN_TWICE) || !quash_seen(peer, SEEN_NAME);
}

static void judge_response(quash_peer *peer)
{
	if (peer->call_hooks != NULL)
		peer->call_hooks->response(peer);
	else
		quash_add(&peer->counters.stray_responses, 1);
}

void quash_judge_object(quash_peer *peer)
{
	quash_count *const invalid = &peer->counters.invalid;
	if (quash_heard_response(peer))
		judge_response(peer);
	else if (quash_seen(peer, SEEN_TWICE))
		quash_refuse(peer, QUASH_INVALID_REQUEST, false, invalid);
	else if (!well_formed(peer) && (quash_seen(peer, SEEN_ID) || !quash_seen(peer, SEEN_NAME)))
		quash_refuse(peer, QUASH_INVALID_REQUEST, true, invalid);
	else if (!well_formed(peer))
		quash_add(invalid, 1);
	else if (!quash_seen(peer, SEEN_ID))
		judge_notification(peer);
	else if (quash_landing(peer)->id_kind == ID_NONE)
		quash_refuse(peer, QUASH_INVALID_REQUEST, false, invalid);
	else
		judge_request(peer);
}

void quash_judge(quash_peer *peer)
{
	if (quash_seen(peer, SEEN_BROKEN) || !quash_lex_complete(&peer->lex))
		quash_refuse(peer, QUASH_PARSE_ERROR, false, &peer->counters.parse_errors);
	else if (!quash_seen(peer, SEEN_OBJECT))
		quash_refuse(peer, QUASH_INVALID_REQUEST, false, &peer->counters.invalid);
	else
		quash_judge_object(peer);
}
