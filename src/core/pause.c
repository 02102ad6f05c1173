/* SPDX-License-Identifier: MIT */
#include "pause.h"

#include "../json/tape.h"

QUASH_NOINLINE bool quash_may_wait(const quash_peer *peer)
{
	return peer->running == NOBODY && !peer->envelope.waited && peer->link != LINK_GONE;
}

void quash_pause(quash_peer *peer, enum quash_kept kept)
{
	peer->pause = PAUSE_STEP;
	peer->kept = (uint8_t)kept;
	quash_count_up(peer, offsetof(quash_counters, kept));
	quash_note(&peer->received, QUASH_KEPT);
}

/* A cancel that is known to be one takes effect whether its params find room or not. */
static bool is_cancel(const quash_peer *peer)
{
	return quash_seen(peer, SEEN_NAME) && peer->envelope.cancel.candidate != NOBODY;
}

/* Params, or an answer, that fill an arena in which something else stands wait for it to go. */
static bool wants_room(const quash_peer *peer)
{
	return peer->tape.start > 0 && peer->envelope.taped && !is_cancel(peer) && !quash_has_tape_room(peer) &&
		quash_tape_whole(&peer->tape) && peer->tape.length <= peer->config->arena_size - BYTE_ON_TAPE &&
		quash_may_wait(peer);
}

bool quash_waits_for_room(quash_peer *peer)
{
	if (!wants_room(peer))
		return false;
	quash_ring_pack(peer);
	if (!wants_room(peer))
		return false;
	quash_pause(peer, KEPT_BYTE);
	return true;
}
