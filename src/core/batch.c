/* SPDX-License-Identifier: MIT
 * JSON-RPC 2.0 section 6. A member's answer is kept back by telling its send to wait: the ring holds the batch. */
#include "batch_hooks.h"

#include "../wire/tx.h"
#include "hear.h"
#include "judge.h"
#include "law.h"

static bool is_batch_member(const quash_request *slot)
{
	return slot->state != SLOT_FREE && (slot->more & MORE_BATCH) != 0 &&
	       !quash_slot_is(slot, SLOT_SILENT | SLOT_ANSWERED);
}

static bool is_heard(const quash_peer *peer, uint8_t what)
{
	return (peer->batch & what) != 0;
}

/* Members of the batch being heard: none of them has run or is answered. */
static void drop_members(quash_peer *peer)
{
	for (uint8_t i = 0; i < peer->config->slot_count; i++) {
		if (i != peer->landing && is_batch_member(quash_slot(peer, i)))
			quash_ring_free(quash_slot(peer, i));
	}
}

static void refuse_whole(quash_peer *peer)
{
	drop_members(peer);
	peer->batch |= BATCH_REFUSED;
}

/* A member that is answered with an error keeps a slot until then, like any other. */
static void keep_refusal(quash_peer *peer)
{
	const bool busy = (int32_t)quash_landing(peer)->deadline == QUASH_BUSY;
	if (busy || !quash_ring_has_room(peer)) {
		refuse_whole(peer);
		quash_ring_land(peer);
		return;
	}
	quash_request *slot = quash_landing(peer);
	quash_ring_claim(peer);
	slot->state = SLOT_OWING;
	slot->more |= MORE_BATCH;
}

static void judge_object(quash_peer *peer, bool object)
{
	if (object)
		quash_judge_object(peer);
	else
		quash_refuse(peer, QUASH_INVALID_REQUEST, false, &peer->counters.invalid);
}

/* One batch at a time: beside another one only what wants no answer is heard. */
static void judge_member(quash_peer *peer, bool object)
{
	const bool alone = !is_heard(peer, BATCH_RUNNING | BATCH_SAYING);
	quash_request *slot = quash_landing(peer);
	peer->batch |= BATCH_MEMBERS;
	if (!alone && (!object || quash_wants_answer(peer)))
		peer->batch |= BATCH_REFUSED;
	if (is_heard(peer, BATCH_REFUSED) && !(object && quash_heard_response(peer)))
		return;
	judge_object(peer, object);
	if (slot != quash_landing(peer))
		slot->more = (uint8_t)(slot->more | (alone ? MORE_BATCH : MORE_BESIDE));
	else if (slot->state == SLOT_OWING)
		keep_refusal(peer);
}

static void begin_member(quash_peer *peer)
{
	quash_hear_begin(peer, 2);
	peer->envelope.seen |= SEEN_OBJECT;
}

static void event(quash_peer *peer, quash_lex_event what)
{
	const uint32_t depth = peer->lex.depth;
	if (what == QUASH_LEX_ARRAY && depth == 1)
		peer->batch |= BATCH_HEARING;
	if (!is_heard(peer, BATCH_HEARING))
		return;
	if (what == QUASH_LEX_OBJECT && depth == 2)
		begin_member(peer);
	else if (what == QUASH_LEX_OBJECT_END && depth == 1)
		judge_member(peer, true);
	else if (depth == 1 && (what == QUASH_LEX_ARRAY_END || what == QUASH_LEX_END || what == QUASH_LEX_TRUE ||
				what == QUASH_LEX_FALSE || what == QUASH_LEX_NULL))
		judge_member(peer, false);
}

/* The closing bracket was heard: requests may run, notifications are like any other from here on. */
static void release_members(quash_peer *peer)
{
	for (uint8_t i = 0; i < peer->config->slot_count; i++) {
		quash_request *slot = quash_slot(peer, i);
		if (!is_batch_member(slot))
			continue;
		if (quash_slot_is(slot, SLOT_NOTIFICATION))
			slot->more &= (uint8_t)~MORE_BATCH;
		else
			peer->batch |= BATCH_RUNNING;
	}
}

/* What the batch has said takes effect, or is forgotten with it: its cancels, and notifications beside another batch. */
static void end_effects(quash_peer *peer, bool good)
{
	for (uint8_t i = 0; i < peer->config->slot_count; i++) {
		quash_request *slot = quash_slot(peer, i);
		const uint8_t was = slot->more;
		slot->more &= (uint8_t)~(MORE_DOOMED | MORE_BESIDE);
		if ((was & MORE_DOOMED) != 0 && good && !quash_flag(slot, QUASH_BY_OTHER_SIDE))
			quash_add(&peer->counters.late_cancels, 1);
		if ((was & MORE_BESIDE) != 0 && !good)
			quash_ring_free(slot);
	}
}

static void abandon(quash_peer *peer)
{
	const uint8_t under_way = BATCH_RUNNING | BATCH_SAYING;
	if (is_heard(peer, BATCH_HEARING)) {
		end_effects(peer, false);
		if (!is_heard(peer, under_way))
			drop_members(peer);
	}
	peer->batch &= under_way;
}

static void accept_batch(quash_peer *peer)
{
	const uint8_t under_way = peer->batch & (BATCH_RUNNING | BATCH_SAYING);
	peer->batch = under_way;
	if (under_way == 0)
		release_members(peer);
	end_effects(peer, true);
}

static bool judge_batch(quash_peer *peer)
{
	const uint8_t heard = peer->batch;
	if ((heard & BATCH_HEARING) == 0)
		return false;
	if (quash_seen(peer, SEEN_BROKEN) || !quash_lex_complete(&peer->lex)) {
		abandon(peer);
		quash_refuse(peer, QUASH_PARSE_ERROR, false, &peer->counters.parse_errors);
	} else if ((heard & BATCH_MEMBERS) == 0) {
		abandon(peer);
		quash_refuse(peer, QUASH_INVALID_REQUEST, false, &peer->counters.invalid);
	} else if ((heard & BATCH_REFUSED) != 0) {
		abandon(peer);
		quash_refuse(peer, QUASH_BUSY, false, &peer->counters.busy);
	} else {
		accept_batch(peer);
	}
	return true;
}

static bool is_ready(const quash_request *slot)
{
	return slot->state == SLOT_OWING || (slot->more & MORE_READY) != 0;
}

static void settle_batch(quash_peer *peer)
{
	if (!is_heard(peer, BATCH_RUNNING) || is_heard(peer, BATCH_SAYING) || peer->owner != NOBODY)
		return;
	bool any = false;
	for (uint8_t i = 0; i < peer->config->slot_count; i++) {
		const quash_request *slot = quash_slot(peer, i);
		if (is_batch_member(slot) && !is_ready(slot))
			return;
		any = any || is_batch_member(slot);
	}
	if (!any) { /* all of them were silenced */
		peer->batch &= (uint8_t)~BATCH_RUNNING;
		return;
	}
	peer->batch |= BATCH_SAYING;
	peer->said = false;
	quash_release(peer);
}

/* The first member that is not answered. */
static bool is_next(const quash_request *slot)
{
	const quash_peer *peer = slot->peer;
	uint8_t i = peer->owner == BATCH_OWNER ? peer->first : NOBODY;
	for (uint8_t tries = 0; tries < peer->config->slot_count && i != NOBODY; tries++) {
		const quash_request *other = quash_slot(peer, i);
		if (is_batch_member(other))
			return other == slot;
		i = other->next;
	}
	return false;
}

static bool is_last(const quash_request *slot)
{
	const quash_peer *peer = slot->peer;
	for (uint8_t i = 0; i < peer->config->slot_count; i++) {
		const quash_request *other = quash_slot(peer, i);
		if (other != slot && is_batch_member(other))
			return false;
	}
	return true;
}

/* A member has neither header nor line end of its own. */
static const struct quash_framing_code bare_member = { NULL, NULL, NULL, NULL };

const struct quash_batch_code quash_batch = { event, judge_batch, abandon, settle_batch, is_next, is_last, &bare_member };
