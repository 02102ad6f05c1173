/* SPDX-License-Identifier: MIT
 * The legal combinations of a peer's state. To be asked between two public calls: in unit tests, transcripts and storms. */
#ifndef QUASH_TESTS_LEGAL_H
#define QUASH_TESTS_LEGAL_H

#include "quash/peer.h"

/* What is wrong with the peer's state, in words; NULL when it is legal. */
const char *legal_fault(const quash_peer *peer);

#endif
