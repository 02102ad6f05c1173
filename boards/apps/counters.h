/* SPDX-License-Identifier: MIT
 * A peer's counters with their names, as `stats` of every program has them. */
#ifndef COUNTERS_H
#define COUNTERS_H

#include "quash/peer.h"

/* Puts one member for each counter into the open object. */
void put_counters(quash_writer *w, const quash_counters *counters);

/* Puts the marks among the counters and the config's sizes, each with the name that its struct gives it. They are the same
 * on every processor. `quash-inspect --advise` reads them. */
void put_sizes(quash_writer *w, const quash_config *config, const quash_counters *counters);

/* Puts the RAM of a slot with its state, id and tag: the price of one more, which each processor has its own of. */
void put_slot_bytes(quash_writer *w, const quash_config *config);

#endif
