/* SPDX-License-Identifier: MIT
 * Memory that follows need, for programs with a heap: a peer begins with a small arena and a small TX, gets larger ones
 * before a long message, and smaller ones when that is over. A file of its own, which the linker drops where nobody
 * calls it. */
#ifndef QUASH_GROW_H
#define QUASH_GROW_H

#include "peer.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How many bytes of its arena are in use: by params of what is live, by answers that were not released, and by what is
 * being received. Call it on the peer's thread, outside of its handlers and hooks. Cost: what the arena holds, at
 * most. */
size_t quash_arena_used(quash_peer *peer);

/** Exchanges the arena. What it holds is copied to `arena`; the old one is the program's again. Values of params and
 * answers point into the arena: read them anew. Call it on the peer's thread, outside of its handlers and hooks. Cost:
 * what the arena holds.
 *
 * @param config  the peer's, in memory that may be written: it names the new arena then
 * @param arena   `size` bytes that do not overlap the old arena; they stand as long as the peer uses them
 * @return false: nothing was exchanged, since `size` is less than QUASH_ARENA_MIN, or what the arena holds needs more,
 *     or the config is not the peer's */
bool quash_move_arena(quash_peer *peer, quash_config *config, uint8_t *arena, quash_size size);

/** Exchanges TX, when nothing of it waits to leave. The same holds for its arguments and its caller. Cost: constant.
 *
 * @return false: nothing was exchanged, since something waits in TX, or is being written, or `size` is less than
 *     QUASH_TX_MIN, or the config is not the peer's */
bool quash_move_tx(quash_peer *peer, quash_config *config, uint8_t *tx, quash_size size);

#ifdef __cplusplus
}
#endif
#endif
