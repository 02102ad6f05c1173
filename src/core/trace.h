/* SPDX-License-Identifier: MIT
 * What is counted and told. */
#ifndef QUASH_SRC_TRACE_H
#define QUASH_SRC_TRACE_H

#include "state.h"

/* Counts up, but not over: the counter that stands at that offset in quash_counters. */
void quash_count_up(quash_peer *peer, uint8_t at);

/* Raises the mark that stands at that offset in quash_counters, unless it is as high. */
void quash_raise_mark(quash_peer *peer, uint8_t at, quash_count value);

/* Raises the mark of the arena to what it would hold with room for all: what is on the tape, and what was refused. Returns
 * the bytes of these two. What is refused counts as live until nothing is: how long it would have stayed is not known. With
 * counts of 16 bits the sum wraps at 64 KiB. */
quash_count quash_mark_arena(quash_peer *peer);

void quash_trace_event(
	quash_peer *peer, quash_event event, const quash_request *slot, int32_t detail, quash_why why);

/* Wrong use by the program: counted and traced. `slot` may be NULL. */
void quash_note_misuse(quash_peer *peer, const quash_request *slot, int32_t detail, quash_why why);

/* The same for an event in a slot's life, whose detail and reason stand in the slot. */
void quash_note(const quash_request *slot, quash_event event);

#endif
