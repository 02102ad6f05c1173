/* SPDX-License-Identifier: MIT */
#include "ring.h"

#include "../json/tape.h"
#include "atomic.h"
#include "call_hooks.h"

void quash_add(quash_count *counter, uint32_t n)
{
	const quash_count most = (quash_count)-1;
	*counter = n > (uint32_t)(most - *counter) ? most : (quash_count)(*counter + n);
}

void quash_tell(quash_peer *peer, quash_event event, const quash_request *slot, int32_t detail)
{
	if (peer->config->trace != NULL)
		peer->config->trace(peer, event, slot, detail);
}

quash_request *quash_slot(const quash_peer *peer, uint8_t index)
{
	return &peer->config->slots[index < peer->config->slot_count ? index : 0];
}

quash_request *quash_landing(const quash_peer *peer)
{
	return quash_slot(peer, peer->landing);
}

const quash_method *quash_slot_method(const quash_request *slot)
{
	const quash_config *c = slot->peer->config;
	const uint8_t method = slot->method;
	return method < c->method_count ? &c->methods[method] : NULL;
}

bool quash_slot_marked(const quash_request *slot, uint8_t mark)
{
	const quash_method *method = quash_slot_method(slot);
	return method != NULL && (method->marks & mark) != 0;
}

void quash_ring_land(quash_peer *peer)
{
	quash_request *slot = quash_landing(peer);
	slot->state = SLOT_FREE;
	slot->cause = QUASH_NOT_CANCELLED;
	slot->flags = 0;
	slot->more = 0;
	slot->id_kind = ID_NONE;
	slot->id_length = 0;
	slot->tag_length = 0;
	slot->method = NOBODY;
	slot->next = NOBODY;
	slot->tape_size = 0;
	QUASH_STORE(slot->woken, 0);
}

void quash_ring_init(quash_peer *peer)
{
	static const quash_request fresh = { 0 };
	/*@ loop unroll 254; */
	for (uint8_t i = 0; i < peer->config->slot_count; i++) {
		quash_request *slot = quash_slot(peer, i);
		*slot = fresh;
		slot->index = i;
		slot->peer = peer;
		slot->generation = 1; /* 0 is nobody's */
	}
	peer->first = NOBODY;
	peer->last = NOBODY;
	peer->landing = 0;
	quash_ring_land(peer);
}

/* The next free slot behind the landing one, in turn; NOBODY if there is none. */
static uint8_t spare(const quash_peer *peer)
{
	const uint8_t count = peer->config->slot_count;
	uint8_t i = peer->landing;
	for (uint8_t tries = 1; tries < count; tries++) {
		i = (uint8_t)(i + 1 < count ? i + 1 : 0);
		if (quash_slot(peer, i)->state == SLOT_FREE)
			return i;
	}
	return NOBODY;
}

bool quash_ring_has_room(const quash_peer *peer)
{
	return spare(peer) != NOBODY;
}

static void clear_state(const quash_request *slot)
{
	const quash_config *c = slot->peer->config;
	uint8_t *states = (uint8_t *)c->states;
	const size_t size = c->state_size;
	const uint8_t index = slot->index;
	if (index >= c->slot_count)
		return;
	for (size_t i = 0; i < size; i++)
		states[index * size + i] = 0;
}

void quash_ring_claim(quash_peer *peer)
{
	quash_request *slot = quash_landing(peer);
	QUASH_STORE(slot->async, 0);
	slot->state = SLOT_PARKED;
	slot->born = peer->now;
	clear_state(slot);
	if (peer->last == NOBODY)
		peer->first = slot->index;
	else
		quash_slot(peer, peer->last)->next = slot->index;
	peer->last = slot->index;
	peer->landing = spare(peer);
	quash_ring_land(peer);
}

void quash_ring_free(quash_request *slot)
{
	quash_peer *peer = slot->peer;
	const quash_generation next = (quash_generation)(slot->generation + 1);
	const uint8_t index = slot->index;
	uint8_t before = NOBODY;
	uint8_t i = peer->first;
	for (uint8_t tries = 0; tries < peer->config->slot_count && i != index && i != NOBODY; tries++) {
		before = i;
		i = quash_slot(peer, i)->next;
	}
	if (i != index)
		return;
	if (before == NOBODY)
		peer->first = slot->next;
	else
		quash_slot(peer, before)->next = slot->next;
	if (peer->last == index)
		peer->last = before;
	slot->state = SLOT_FREE;
	slot->tape_size = 0;
	QUASH_STORE(slot->generation, next != 0 ? next : 1);
	QUASH_STORE(slot->async, 0);
	if (peer->reason_of == index)
		peer->reason_of = NOBODY;
	quash_tell(peer, QUASH_FREED, slot, 0);
}

/* --- Ids and tags */

uint8_t quash_id_byte(const quash_request *slot, uint8_t place)
{
	const quash_config *c = slot->peer->config;
	const uint8_t index = slot->index;
	return index < c->slot_count && place < c->id_size ? c->ids[(size_t)index * c->id_size + place] : 0;
}

static void put_id_byte(quash_request *slot, uint8_t place, uint8_t byte)
{
	const quash_config *c = slot->peer->config;
	const uint8_t index = slot->index;
	if (index < c->slot_count && place < c->id_size)
		c->ids[(size_t)index * c->id_size + place] = byte;
}

bool quash_id_append(quash_request *slot, uint8_t byte)
{
	const uint8_t place = slot->id_length;
	if (place >= slot->peer->config->id_size)
		return false;
	put_id_byte(slot, place, byte);
	slot->id_length = (uint8_t)(place + 1);
	return true;
}

bool quash_id_normalize(quash_request *slot)
{
	static const char most[16] = { '9', '0', '0', '7', '1', '9', '9', '2', '5', '4', '7', '4', '0', '9', '9', '2' };
	const uint8_t sign = quash_id_byte(slot, 0) == '-' ? 1 : 0;
	const uint8_t digits = (uint8_t)(slot->id_length - sign);
	bool less = digits < sizeof most;
	if (digits > sizeof most)
		return false;
	for (uint8_t i = 0; i < digits && i < sizeof most; i++) {
		const uint8_t c = quash_id_byte(slot, (uint8_t)(sign + i));
		if (c < '0' || c > '9' || (!less && c > (uint8_t)most[i]))
			return false;
		less = less || c < (uint8_t)most[i];
	}
	if (sign == 1 && quash_id_byte(slot, 1) == '0') {
		put_id_byte(slot, 0, '0');
		slot->id_length = 1;
	}
	return true;
}

bool quash_slot_named(const quash_request *slot)
{
	return slot->id_kind != ID_NONE && slot->index != slot->peer->landing && slot->state != SLOT_FREE &&
	       slot->state != SLOT_CLOSING && !quash_slot_is(slot, SLOT_SILENT | SLOT_ANSWERED);
}

static bool same_id(const quash_request *a, const quash_request *b)
{
	bool same = a->id_kind == b->id_kind && a->id_length == b->id_length;
	for (uint8_t i = 0; same && i < a->id_length; i++)
		same = quash_id_byte(a, i) == quash_id_byte(b, i);
	return same;
}

bool quash_ring_has_twin(const quash_peer *peer)
{
	for (uint8_t i = 0; i < peer->config->slot_count; i++) {
		const quash_request *slot = quash_slot(peer, i);
		if (quash_slot_named(slot) && same_id(slot, quash_landing(peer)))
			return true;
	}
	return false;
}

static uint8_t tag_byte(const quash_request *slot, uint8_t place)
{
	const quash_config *c = slot->peer->config;
	const uint8_t index = slot->index;
	return index < c->slot_count && place < c->tag_size ? c->tags[(size_t)index * c->tag_size + place] : 0;
}

void quash_tag_append(quash_request *slot, uint8_t byte)
{
	const quash_config *c = slot->peer->config;
	const uint8_t index = slot->index;
	const uint8_t place = slot->tag_length;
	if (index < c->slot_count && place < c->tag_size)
		c->tags[(size_t)index * c->tag_size + place] = byte;
	if (place < NOBODY)
		slot->tag_length = (uint8_t)(place + 1);
}

bool quash_tag_same(const quash_request *a, const quash_request *b)
{
	const uint8_t length = a->tag_length;
	bool same = length == b->tag_length && length <= a->peer->config->tag_size && length > 0;
	for (uint8_t i = 0; same && i < length; i++)
		same = tag_byte(a, i) == tag_byte(b, i);
	return same;
}

/* --- The arena */

void quash_arena_move(const quash_config *c, quash_size from, quash_size to, quash_size length)
{
	for (quash_size i = 0; i < length; i++) {
		const size_t source = (size_t)from + i, target = (size_t)to + i;
		if (source < c->arena_size && target < c->arena_size)
			c->arena[target] = c->arena[source];
	}
}

/* The answers to our calls that stand before `limit` move first. */
static quash_size pack_answers(quash_peer *peer, quash_size to, quash_size limit)
{
	return peer->call_hooks != NULL ? peer->call_hooks->pack(peer, to, limit) : to;
}

void quash_ring_pack(quash_peer *peer)
{
	quash_size to = 0;
	uint8_t i = peer->first;
	for (uint8_t tries = 0; tries < peer->config->slot_count && i != NOBODY; tries++) {
		quash_request *slot = quash_slot(peer, i);
		i = slot->next;
		if (slot->tape_size == 0)
			continue;
		to = pack_answers(peer, to, slot->tape);
		if (slot->tape != to)
			quash_arena_move(peer->config, slot->tape, to, slot->tape_size);
		slot->tape = to;
		to = (quash_size)(to + slot->tape_size);
	}
	to = pack_answers(peer, to, peer->tape.start);
	if (peer->tape.start != to)
		quash_arena_move(peer->config, peer->tape.start, to, peer->tape.length);
	peer->tape.start = to;
}
