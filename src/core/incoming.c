/* SPDX-License-Identifier: MIT */
#include "../../include/quash/carrier.h"

#include "../json/tape.h"
#include "../json/value.h"
#include "envelope.h"

/* An object stands there whole, and its line has not ended. */
static bool has_come(const quash_peer *peer)
{
	return peer->in.pause == PAUSE_NONE && !peer->envelope.ended && !peer->in.skips && quash_seen(peer, SEEN_OBJECT) &&
		quash_lex_complete(&peer->lex);
}

static bool has_id(const quash_peer *peer)
{
	return (peer->envelope.seen & (SEEN_ID | SEEN_TWICE)) == SEEN_ID && peer->in.id_kind != ID_NONE;
}

bool quash_incoming_of(const quash_peer *peer, quash_incoming *incoming)
{
	static const quash_incoming nothing = { .method = NULL };
	const quash_config *const c = quash_config_of(peer);
	const uint8_t method = peer->envelope.method;
	*incoming = nothing;
	if (peer->link.state != LINK_UP || !has_come(peer))
		return false;
	if (method < c->method_count)
		incoming->method = &c->methods[method];
	if (quash_tape_whole(&peer->tape))
		incoming->params = quash_value_of(c->arena, c->arena_size, peer->tape.start, peer->tape.length);
	if (!has_id(peer))
		return true;
	incoming->id = (const char *)&c->ids[(size_t)peer->in.row * c->id_size];
	incoming->id_length = peer->in.id_length;
	incoming->id_is_number = peer->in.id_kind == ID_NUMBER;
	return true;
}
