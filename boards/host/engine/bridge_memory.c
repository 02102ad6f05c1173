/* SPDX-License-Identifier: MIT */
#include "bridge_memory.h"

#include "bridge_inner.h"
#include "quash/carrier.h"

enum { ARENA_FIRST = 1 << 14, ARENA_MOST = CUT_MOST / 2, LARGE_MS = 500 };

_Static_assert((quash_size)WIRE_TX_MOST == WIRE_TX_MOST && (quash_size)ARENA_MOST == ARENA_MOST,
	"a message may have more than 64 KiB: build with QUASH_SIZE_BITS=32");

bool memory_open(struct wire *wire)
{
	const struct heap *const heap = &wire->bridge->heap;
	quash_config *const c = &wire->config;
	wire->tx_most = c->tx_size != 0 ? c->tx_size : WIRE_TX_MOST;
	const bool lines = wire->bridge->options.protocol->dialect->framing == QUASH_LINES; /* else there is one client, and progress is long */
	wire->tx_first = wire->queues && lines && wire->tx_most > WIRE_TX_FIRST ? WIRE_TX_FIRST : wire->tx_most;
	c->arena = heap_resize(heap, NULL, ARENA_FIRST);
	c->tx = heap_resize(heap, NULL, wire->tx_first);
	c->arena_size = ARENA_FIRST;
	c->tx_size = wire->tx_first;
	return c->arena != NULL && c->tx != NULL;
}

void memory_free(struct wire *wire)
{
	const struct heap *const heap = &wire->bridge->heap;
	heap_free(heap, wire->config.arena);
	heap_free(heap, wire->config.tx);
	wire->config.arena = wire->config.tx = NULL;
}

/* --- The arena */

/* What the peer keeps of a message of `n` bytes: numbers of one digit take three times as much as they stand there. */
static size_t kept_of(size_t n)
{
	enum { TIMES = 3, AROUND = 64 };
	return TIMES * n + AROUND;
}

/* Without memory for it the message is too large for the peer, which refuses it. */
static void change_arena(struct wire *wire, size_t size)
{
	const struct heap *const heap = &wire->bridge->heap;
	uint8_t *const old = wire->config.arena, *const arena = heap_resize(heap, NULL, size);
	if (arena == NULL)
		return;
	heap_free(heap, quash_move_arena(&wire->peer, &wire->config, arena, (quash_size)size) ? old : arena);
	wire->changed = wire->bridge->now;
}

/* What has gone is noticed when there seems to be no room. */
void memory_make_arena_room(struct wire *wire, size_t n)
{
	const size_t size = wire->config.arena_size;
	wire->arena_most += kept_of(n);
	if (wire->arena_most <= size)
		return;
	wire->arena_most = quash_arena_used(&wire->peer) + kept_of(n);
	if (wire->arena_most <= size || size == ARENA_MOST)
		return;
	const size_t twice = 2 * size, need = wire->arena_most > twice ? wire->arena_most : twice;
	change_arena(wire, need < ARENA_MOST ? need : ARENA_MOST);
}

/* Else it would be refused as Busy. What is larger than all of it is refused at once: nothing that ends makes room for it. */
bool memory_arena_fits(struct wire *wire, size_t n)
{
	if (n > ARENA_MOST || wire->arena_most + n <= ARENA_MOST || quash_live_count(&wire->peer) == 0)
		return true;
	wire->arena_most = quash_arena_used(&wire->peer);
	return wire->arena_most + n <= ARENA_MOST;
}

/* --- TX */

static bool change_tx(struct wire *wire, quash_size size)
{
	const struct heap *const heap = &wire->bridge->heap;
	uint8_t *const old = wire->config.tx, *const tx = heap_resize(heap, NULL, size);
	const bool moved = tx != NULL && quash_move_tx(&wire->peer, &wire->config, tx, size);
	wire->starved = tx == NULL;
	wire->changed = wire->bridge->now;
	heap_free(heap, moved ? old : tx);
	return moved;
}

bool memory_double_tx(struct wire *wire)
{
	const size_t twice = 2 * (size_t)wire->config.tx_size;
	return change_tx(wire, twice < wire->tx_most ? (quash_size)twice : wire->tx_most);
}

bool memory_may_grow_tx(const struct wire *wire)
{
	return !wire->starved && wire->config.tx_size < wire->tx_most;
}

bool memory_wants_tx(struct wire *wire, size_t bytes)
{
	enum { AROUND = 1024 };
	const size_t need = bytes + AROUND;
	if (!memory_may_grow_tx(wire) || need <= wire->config.tx_size)
		return false;
	wire->tx_wanted = need < wire->tx_most ? (quash_size)need : wire->tx_most;
	return true;
}

/* Something may wait in TX: then it is tried again in the next turn. */
void memory_grow_tx(struct wire *wire)
{
	if (wire->tx_wanted <= wire->config.tx_size || change_tx(wire, wire->tx_wanted) || wire->starved)
		wire->tx_wanted = 0;
}

/* --- Both are given back */

bool memory_is_large(const struct wire *wire)
{
	return wire->config.arena_size > ARENA_FIRST || wire->config.tx_size > wire->tx_first;
}

/* What a burst has taken is given back once it is over, and not between two messages of it. */
void memory_shrink(struct wire *wire)
{
	if (memory_shrink_left(wire) > 0)
		return;
	wire->changed = wire->bridge->now;
	if (quash_arena_used(&wire->peer) > ARENA_FIRST)
		return;
	wire->starved = false;
	wire->tx_wanted = 0;
	if (wire->config.arena_size > ARENA_FIRST)
		change_arena(wire, ARENA_FIRST);
	if (wire->config.tx_size > wire->tx_first)
		(void)change_tx(wire, wire->tx_first);
	wire->arena_most = quash_arena_used(&wire->peer);
}

uint32_t memory_shrink_left(const struct wire *wire)
{
	const uint32_t passed = wire->bridge->now - wire->changed;
	return !memory_is_large(wire) || !quash_is_at_rest(&wire->peer) ? UINT32_MAX : passed < LARGE_MS ? LARGE_MS - passed : 0;
}
