/* SPDX-License-Identifier: MIT
 * The memory of a wire's peer, which follows need: its arena begins small and grows before a message that needs more, and so does TX where a
 * queue takes what is in it. What a burst has taken is given back once it is over. */
#ifndef BRIDGE_MEMORY_H
#define BRIDGE_MEMORY_H

#include "bridge_wire.h"

/** The first arena and TX, whose addresses and sizes the config gets. A `tx_size` in it is the most that TX gets; 0 is WIRE_TX_MOST. False:
 * there is no memory for one of both. */
bool memory_open(struct wire *wire);

/** Gives both back. */
void memory_free(struct wire *wire);

/** A message of `n` bytes is shown to the peer next. */
void memory_make_arena_room(struct wire *wire, size_t n);

/** True if it finds room in the largest arena, beside what is live: else it is to wait. */
bool memory_arena_fits(struct wire *wire, size_t n);

/** True if TX may become larger. */
bool memory_may_grow_tx(const struct wire *wire);

/** TX of twice the size, at once. False: something waits in it, or there is no memory. */
bool memory_double_tx(struct wire *wire);

/** Something of about so many bytes is to leave at once. True: TX is larger in the next turn, wait for that. */
bool memory_wants_tx(struct wire *wire, size_t bytes);

/** Makes TX as large as it was wanted. To be called once in a turn, when it is empty as a rule. */
void memory_grow_tx(struct wire *wire);

/** True if one of both is larger than at first. */
bool memory_is_large(const struct wire *wire);

/** Gives back what is not needed any more. To be called once in a turn. */
void memory_shrink(struct wire *wire);

/** Milliseconds until that is due; UINT32_MAX: nothing is to be given back. */
uint32_t memory_shrink_left(const struct wire *wire);

#endif
