/* SPDX-License-Identifier: MIT
 * JSON-RPC 2.0 section 6. A batch's answer is one message, which puts its members' answers between brackets once all of
 * them are recorded: the slots hold the batch. */
#include "batch_hooks.h"

#include "accept.h"
#include "decide.h"
#include "due.h"
#include "transmit.h"

static bool is_batch(const quash_peer *peer, uint8_t what)
{
	return (peer->batch & what) != 0;
}

/* Its answer is still to be written. A notification is a member only until the closing bracket. */
static bool is_batch_member(const quash_request *slot)
{
	return slot->life != LIFE_FREE && quash_slot_is(slot, MARK_MEMBER);
}

static bool is_under_way(const quash_peer *peer)
{
	const quash_request *slot = NULL;
	while (is_batch(peer, BATCH_RUNNING) && (slot = quash_next_slot(peer, slot)) != NULL) {
		if (is_batch_member(slot))
			return true;
	}
	return false;
}

/* Members of the batch being received: none of them has run or is answered. */
static void drop_members(quash_peer *peer)
{
	quash_request *slot = NULL;
	while ((slot = quash_next_slot(peer, slot)) != NULL) {
		if (is_batch_member(slot))
			quash_slot_free(slot);
	}
}

static void refuse_whole(quash_peer *peer)
{
	drop_members(peer);
	peer->batch |= BATCH_REFUSED;
}

/* A member that is answered with an error keeps a slot until then, like any other; one that found none refuses all. */
static void keep_member(quash_peer *peer, quash_request *slot, bool alone)
{
	if (peer->in.pause == PAUSE_REFUSAL) {
		peer->in.pause = PAUSE_NONE;
		refuse_whole(peer);
	}
	if (slot == NULL)
		return;
	if (alone)
		quash_slot_mark(slot, MARK_MEMBER);
	else
		slot->effects |= EFFECT_BEGINS;
	if (slot->code == QUASH_BUSY)
		refuse_whole(peer);
}

/* An answer takes a slot, be it a refusal. */
static bool waits_for_slot(const quash_peer *peer, bool object)
{
	return (!object || quash_wants_answer(peer)) && !quash_slots_have_room(peer) && quash_may_wait(peer);
}

/* One batch at a time: beside another one only what wants no answer is received. */
static void accept_member(quash_peer *peer, bool object)
{
	if (object && !is_batch(peer, BATCH_REFUSED))
		quash_accept_session(peer);
	const bool alone = !is_under_way(peer);
	if (alone)
		peer->batch &= (uint8_t)~BATCH_RUNNING; /* of one that is answered: its members are gone */
	peer->batch |= BATCH_MEMBERS;
	if (!alone && (!object || quash_wants_answer(peer)))
		peer->batch |= BATCH_REFUSED;
	if (is_batch(peer, BATCH_REFUSED) && !(object && quash_is_response(peer)))
		return;
	if (waits_for_slot(peer, object)) {
		peer->batch = (uint8_t)(peer->batch | (object ? 0 : BATCH_SCALAR));
		quash_pause(peer, KEPT_MEMBER);
		return;
	}
	if (!object)
		peer->envelope.seen = 0;
	quash_request *slot = object ? quash_accept_object(peer) : quash_refuse(peer, QUASH_WHY_ENVELOPE);
	if (peer->in.pause == PAUSE_STEP)
		peer->in.kept = KEPT_MEMBER;
	else
		keep_member(peer, slot, alone);
}

/* What was waited for before was room in the arena, or for another member. */
static void member_ended(quash_peer *peer, bool object)
{
	peer->envelope.waited = false;
	quash_slots_receive(peer);
	accept_member(peer, object);
}

/* Or an array, which is no message either. */
static bool ends_scalar(quash_lex_event what)
{
	return what == QUASH_LEX_ARRAY_END || what == QUASH_LEX_END || what == QUASH_LEX_TRUE || what == QUASH_LEX_FALSE ||
		what == QUASH_LEX_NULL;
}

static void event(quash_peer *peer, quash_lex_event what)
{
	const uint32_t depth = peer->lex.depth;
	if (what == QUASH_LEX_ARRAY && depth == 1) {
		peer->batch |= BATCH_RECEIVING;
		if (is_under_way(peer) && quash_may_wait(peer))
			quash_pause(peer, KEPT_BRACKET);
	}
	if (!is_batch(peer, BATCH_RECEIVING))
		return;
	if (what == QUASH_LEX_OBJECT && depth == 2) {
		quash_envelope_begin(peer, 2);
		peer->envelope.seen |= SEEN_OBJECT;
	} else if (what == QUASH_LEX_OBJECT_END && depth == 1) {
		member_ended(peer, true);
	} else if (depth == 1 && ends_scalar(what)) {
		member_ended(peer, false);
	}
}

static void resume_member(quash_peer *peer)
{
	const bool object = !is_batch(peer, BATCH_SCALAR);
	peer->batch &= (uint8_t)~BATCH_SCALAR;
	accept_member(peer, object);
}

/* The closing bracket has come: requests may run, notifications are like any other from here on. */
static void release_members(quash_peer *peer)
{
	quash_request *slot = NULL;
	while ((slot = quash_next_slot(peer, slot)) != NULL) {
		if (!is_batch_member(slot))
			continue;
		if (slot->answer == ANSWER_SILENT)
			quash_slot_unmark(slot, MARK_MEMBER);
		else
			peer->batch |= BATCH_RUNNING;
	}
}

/* What the batch has asked takes effect, or is forgotten with it: its cancels, and notifications beside another
 * batch. */
static void end_effects(quash_peer *peer, bool good)
{
	quash_request *slot = NULL;
	while ((slot = quash_next_slot(peer, slot)) != NULL) {
		const uint8_t was = slot->effects;
		slot->effects = 0;
		if ((was & EFFECT_BEGINS) != 0 && !good)
			quash_slot_free(slot);
		else if ((was & EFFECT_CANCELS) != 0 && good && !quash_flag(slot, QUASH_BY_OTHER_SIDE))
			quash_cancel_is_late(peer);
	}
}

static void abandon(quash_peer *peer)
{
	if (is_batch(peer, BATCH_RECEIVING)) {
		end_effects(peer, false);
		if (!is_under_way(peer))
			drop_members(peer);
	}
	peer->batch &= BATCH_RUNNING;
}

static void accept_members(quash_peer *peer)
{
	const bool other = is_under_way(peer);
	peer->batch = other ? BATCH_RUNNING : 0;
	if (!other)
		release_members(peer);
	end_effects(peer, true);
}

static bool accept_batch(quash_peer *peer)
{
	const uint8_t received = peer->batch;
	if ((received & BATCH_RECEIVING) == 0)
		return false;
	const quash_why why = !quash_lex_complete(&peer->lex) ? QUASH_WHY_NO_JSON
		: (received & BATCH_MEMBERS) == 0 ? QUASH_WHY_ENVELOPE
		: (received & BATCH_REFUSED) != 0 ? QUASH_WHY_BATCH : QUASH_WHY_NONE;
	if (why != QUASH_WHY_NONE) {
		abandon(peer);
		(void)quash_refuse(peer, why);
	} else {
		accept_members(peer);
	}
	if (why != QUASH_WHY_NO_JSON)
		quash_note_message_end(peer);
	return true;
}

static bool is_member_ready(const quash_request *slot)
{
	return slot->life == LIFE_ENDED && !quash_slot_is(slot, MARK_CROWDED);
}

static bool are_ready(const quash_peer *peer)
{
	const quash_request *slot = NULL;
	while ((slot = quash_next_slot(peer, slot)) != NULL) {
		if (is_batch_member(slot) && !is_member_ready(slot))
			return false;
	}
	return is_batch(peer, BATCH_RUNNING);
}

static quash_request *next_member(const quash_peer *peer, const quash_request *after)
{
	quash_request *slot = NULL;
	if (after == NULL && !are_ready(peer))
		return NULL;
	slot = quash_next_younger(peer, after);
	while (slot != NULL && !is_batch_member(slot))
		slot = quash_next_younger(peer, slot);
	return slot;
}

/* --- Their answers */

/* The member to blame is the first that puts no JSON. */
static bool put_member(quash_peer *peer, quash_request *slot, bool resumed)
{
	quash_writer *w = &peer->writer;
	if (!resumed) {
		if (quash_tx_piece(w)) {
			peer->out.slot = slot->index;
			peer->out.item = 0;
		} else if (w->full) {
			return false;
		}
		quash_put_byte(w, next_member(peer, NULL) == slot ? '[' : ',');
	}
	const bool whole = quash_put_answer(peer, slot, resumed);
	if (w->why != 0)
		peer->out.slot = slot->index;
	return whole && w->why == 0;
}

static bool put_members(quash_peer *peer, quash_request *first, bool resumed)
{
	bool begun = resumed;
	for (quash_request *slot = first; slot != NULL; slot = next_member(peer, slot)) {
		if (!put_member(peer, slot, begun))
			return false;
		begun = false;
	}
	quash_put_byte(&peer->writer, ']');
	return true;
}

static void for_each_member(quash_peer *peer, void (*change)(quash_peer *, quash_request *))
{
	quash_request *slot = next_member(peer, NULL);
	while (slot != NULL) {
		quash_request *const next = next_member(peer, slot);
		change(peer, slot);
		slot = next;
	}
}

static void members_begun(quash_peer *peer, quash_request *slot)
{
	(void)slot;
	for_each_member(peer, quash_answer_begun);
}

static void members_written(quash_peer *peer, quash_request *slot)
{
	(void)slot;
	for_each_member(peer, quash_answer_written);
}

static void put_back(quash_peer *peer, quash_request *slot)
{
	(void)peer;
	slot->answer = ANSWER_RECORDED;
}

static void members_given_up(quash_peer *peer, quash_request *slot, quash_why why)
{
	for_each_member(peer, put_back);
	quash_answer_given_up(peer, slot, why);
}

static const struct quash_message_code members_message = {
	put_members, members_begun, members_written, members_given_up
};

const struct quash_batch_code quash_batch = {
	event, accept_batch, resume_member, is_under_way, abandon, next_member, &members_message
};
