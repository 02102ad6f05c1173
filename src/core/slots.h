/* SPDX-License-Identifier: MIT
 * The request slots: claim, find, free; and what is counted and traced of them. Every access to the caller's arrays
 * goes through here. */
#ifndef QUASH_SRC_SLOTS_H
#define QUASH_SRC_SLOTS_H

#include "state.h"

/* The slot with that index; after the last one what is being received. */
quash_request *quash_slot(quash_peer *peer, uint8_t index);

/* The slot after `slot` in the array, the first one after NULL; NULL at the end. */
quash_request *quash_next_slot(const quash_peer *peer, const quash_request *slot);

/* The live request that is next younger than `slot`, the oldest after NULL; NULL at the end. */
quash_request *quash_next_younger(const quash_peer *peer, const quash_request *slot);

/* Its method, or NULL in a slot without one. */
const quash_method *quash_slot_method(const quash_request *slot);

/* True if its method is marked so. */
bool quash_slot_marked(const quash_request *slot, uint8_t mark);

/* True if its handler is not called again once it is cancelled: `end` of its motion is. */
bool quash_slot_drops(const quash_request *slot);

static inline bool quash_slot_is(const quash_request *slot, uint8_t marks)
{
	return (slot->marks & marks) != 0;
}

static inline void quash_slot_mark(quash_request *slot, uint8_t marks)
{
	slot->marks = (uint8_t)(slot->marks | marks);
}

static inline void quash_slot_unmark(quash_request *slot, uint8_t marks)
{
	slot->marks = (uint8_t)(slot->marks & (uint8_t)~marks);
}

void quash_slots_init(quash_peer *peer);

/* What becomes of the message that has been received, or of its refusal. It stands where the next name is received. */
static inline quash_request *quash_received(const quash_peer *peer)
{
	return &quash_config_of(peer)->word->refusal;
}

/* A message has ended: `quash_received` has its id and tag, and nothing else yet. */
void quash_slots_receive(quash_peer *peer);

/* True if a slot is free. */
bool quash_slots_have_room(const quash_peer *peer);

/* No answer that was recorded lets a notification go first any more. */
void quash_slots_uncrowd(quash_peer *peer);

/* A free slot becomes a parked request, the youngest, with the id and tag that were received; NULL when none is
 * free. */
quash_request *quash_slot_claim(quash_peer *peer);

/* Takes a live request out of the list of live ones. */
void quash_slot_free(quash_request *slot);

/* A byte of its id; one that is out of range is 0. */
uint8_t quash_id_byte(const quash_request *slot, uint8_t place);

/* Another byte of the id and of the tag that are being received. One that is too long is none. */
void quash_id_append(quash_peer *peer, uint8_t byte);
void quash_tag_append(quash_peer *peer, uint8_t byte);

/* The id has ended. A number becomes the one text that it is compared by; one that is not an integer within +-2^53 is
 * none. */
void quash_id_end(quash_peer *peer);

/* True if the slot is a live request that its id still names. */
bool quash_slot_named(const quash_request *slot);

/* The live request that has the id that was received; NULL if there is none. */
quash_request *quash_slot_of_id(const quash_peer *peer);

/* True if two slots carry the same tag. */
bool quash_tag_same(const quash_request *a, const quash_request *b);

/* Moves a tape towards the arena's beginning. */
void quash_arena_move(const quash_config *config, quash_size from, quash_size to, quash_size length);

/* Something in the arena, or a slot, is given back: what receiving waits for may find room now. */
static inline void quash_room_comes(quash_peer *peer)
{
	if (peer->in.pause == PAUSE_ROOM)
		peer->in.pause = PAUSE_STEP;
}

/* Closes the gaps between the tapes. Not while a handler is on the stack. */
void quash_arena_pack(quash_peer *peer);

/* --- Counters and trace */

/* Counts up, but not over: the counter that stands at that offset in quash_counters. */
void quash_count_up(quash_peer *peer, uint8_t at);

/* Raises the mark that stands at that offset in quash_counters, unless it is as high. */
void quash_raise_mark(quash_peer *peer, uint8_t at, quash_count value);

/* Raises the mark of the arena to what it would hold with room for all: what is on the tape, and what was refused.
 * Returns the bytes of these two. What is refused counts as live until nothing is: how long it would have stayed is not
 * known. With counts of 16 bits the sum wraps at 64 KiB. */
quash_count quash_mark_arena(quash_peer *peer);

void quash_trace_event(
	quash_peer *peer, quash_event event, const quash_request *slot, int32_t detail, quash_why why);

/* Wrong use by the program: counted and traced. `slot` may be NULL. */
void quash_note_misuse(quash_peer *peer, const quash_request *slot, int32_t detail, quash_why why);

/* The same for an event in a slot's life, whose detail and `why` stand in the slot. */
void quash_note(const quash_request *slot, quash_event event);

#endif
