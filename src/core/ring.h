/* SPDX-License-Identifier: MIT
 * The request slots: land, claim, find, free. Every access to the caller's arrays goes through here. */
#ifndef QUASH_SRC_RING_H
#define QUASH_SRC_RING_H

#include "../../include/quash/peer.h"

enum { NOBODY = 0xFF, NOTIFICATION_OWNER = 0xFE, BATCH_OWNER = 0xFD, CALL_OWNER = 0xFC };

enum slot_state {
	SLOT_FREE,    /* also the landing slot, unless it owes a refusal */
	SLOT_PARKED,  /* its handler was never called */
	SLOT_RUNNING,
	SLOT_OWING,   /* the library owes its answer; the code stands in `deadline` */
	SLOT_CLOSING  /* answered or silent; waits for its handler to return or for its end hook */
};

enum slot_flag {
	SLOT_NOTIFICATION = 1 << 0,
	SLOT_SILENT = 1 << 1,    /* has given up its id and never answers */
	SLOT_COMMITTED = 1 << 2, /* its answer, or a window of it, is in TX */
	SLOT_ANSWERED = 1 << 3,  /* all of it is */
	SLOT_HOOK = 1 << 4,      /* the end hook is due once its handler is done with */
	SLOT_TIMED = 1 << 5,     /* `deadline` is one */
	SLOT_WAITING = 1 << 6,   /* `wake` is when to call the handler again */
	SLOT_MEASURED = 1 << 7   /* `wake` is the length of the long reply */
};

enum slot_more {
	MORE_DUE = 1 << 0,      /* to be looked at in this step */
	MORE_BATCH = 1 << 1,    /* a member of the batch */
	MORE_READY = 1 << 2,    /* a member whose answer is ready */
	MORE_RESULT = 1 << 3,   /* what is owed is the method's cancelled result */
	MORE_DOOMED = 1 << 4,   /* named by a cancel in a batch that is not heard to its end */
	MORE_BESIDE = 1 << 5,   /* a notification in such a batch, beside one that is under way */
	MORE_CHANGED = 1 << 6,  /* its long reply was measured twice */
	MORE_NEEDED = 1 << 7    /* its params are, to the end of a call that is half written: it may be made of them */
};

enum batch_state {
	BATCH_HEARING = 1 << 0,  /* its members are being heard */
	BATCH_MEMBERS = 1 << 1,  /* it has any */
	BATCH_REFUSED = 1 << 2,  /* it is too much */
	BATCH_RUNNING = 1 << 3,  /* some member is not ready */
	BATCH_SAYING = 1 << 4    /* its answer is being written */
};

enum link_state { LINK_UP, LINK_ENDED, LINK_GONE };

enum id_kind { ID_NONE, ID_STRING, ID_NUMBER, ID_MINUS /* a cancel's number, of which only the sign was heard */ };

/* The slot with that index; for an index out of range the first one. */
quash_request *quash_slot(const quash_peer *peer, uint8_t index);

/* The slot kept back for the next message. */
quash_request *quash_landing(const quash_peer *peer);

/* Its method, or NULL in a slot without one. */
const quash_method *quash_slot_method(const quash_request *slot);

/* Says whether its method is marked so. */
bool quash_slot_marked(const quash_request *slot, uint8_t mark);

static inline bool quash_slot_is(const quash_request *slot, uint8_t flags)
{
	return (slot->flags & flags) != 0;
}

void quash_ring_init(quash_peer *peer);

/* Makes the landing slot ready for the next message. */
void quash_ring_land(quash_peer *peer);

/* Says whether the landing slot may be claimed, that is, whether another one is free to take its place. */
bool quash_ring_has_room(const quash_peer *peer);

/* The landing slot becomes a live request, the youngest. There must be room. */
void quash_ring_claim(quash_peer *peer);

/* Takes a live request out of the ring. */
void quash_ring_free(quash_request *slot);

/* Ids and tags, byte by byte; what is out of range reads as 0 and is not written. */
uint8_t quash_id_byte(const quash_request *slot, uint8_t place);
bool quash_id_append(quash_request *slot, uint8_t byte);
void quash_tag_append(quash_request *slot, uint8_t byte);

/* Turns a number that was heard as id into the one text it is compared by. False when it is not an integer
 * within +-2^53. */
bool quash_id_normalize(quash_request *slot);

/* Says whether the slot is a live request that its id still names. */
bool quash_slot_named(const quash_request *slot);

/* Says whether a live request has the landing slot's id. */
bool quash_ring_has_twin(const quash_peer *peer);

/* Says whether two slots carry the same tag. */
bool quash_tag_same(const quash_request *a, const quash_request *b);

/* Moves a tape towards the arena's beginning. */
void quash_arena_move(const quash_config *config, quash_size from, quash_size to, quash_size length);

/* Closes the gaps between the tapes. Not while a handler is on the stack. */
void quash_ring_pack(quash_peer *peer);

/* Counts up, but not over. */
void quash_add(quash_count *counter, uint32_t n);

void quash_tell(quash_peer *peer, quash_event event, const quash_request *slot, int32_t detail);

#endif
