/* SPDX-License-Identifier: MIT */
#include "../../include/quash/carrier.h"

#include "slots.h"
#include "transmit.h"

/* The tape that is being received comes last, and the lexer may have written text behind it. */
static size_t held_text(const quash_peer *peer)
{
	return peer->lex.text != quash_config_of(peer)->word->text ? (size_t)peer->lex.length + QUASH_LEX_ROOM : 0;
}

size_t quash_arena_used(quash_peer *peer)
{
	quash_arena_pack(peer);
	return (size_t)peer->tape.start + peer->tape.length + held_text(peer);
}

bool quash_move_arena(quash_peer *peer, quash_config *config, uint8_t *arena, quash_size size)
{
	const size_t used = quash_arena_used(peer), end = used - held_text(peer);
	if (config != quash_config_of(peer) || size < QUASH_ARENA_MIN || used > size)
		return false;
	for (size_t i = 0; i < used && i < config->arena_size; i++)
		arena[i] = config->arena[i];
	if (held_text(peer) > 0) {
		peer->lex.text = &arena[end];
		peer->lex.size = peer->lex.size < size - end ? peer->lex.size : (quash_size)(size - end);
	}
	config->arena = arena;
	config->arena_size = size;
	return true;
}

bool quash_move_tx(quash_peer *peer, quash_config *config, uint8_t *tx, quash_size size)
{
	if (config != quash_config_of(peer) || size < QUASH_TX_MIN)
		return false;
	if (!quash_tx_empty(&peer->writer) || peer->out.message != NULL || peer->notify.open || peer->out.composing)
		return false;
	config->tx = tx;
	config->tx_size = size;
	quash_transmit_clear(peer);
	return true;
}
