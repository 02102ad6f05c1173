/* SPDX-License-Identifier: MIT
 * A peer's counters with their names, as `stats` of every program has them. */
#ifndef COUNTERS_H
#define COUNTERS_H

#include "quash/peer.h"

/* Puts one member for each counter into the open object. */
void put_counters(quash_writer *w, const quash_counters *counters);

#endif
