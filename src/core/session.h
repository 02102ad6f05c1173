/* SPDX-License-Identifier: MIT
 * A client that begins anew. */
#ifndef QUASH_SRC_SESSION_H
#define QUASH_SRC_SESSION_H

#include "state.h"

/* True if some handler has been called and has not ended. */
bool quash_is_running(const quash_peer *peer);

/* So many empty lines behind a broken one arm no lease: random bytes hold one more every three years at 115,200 baud. */
enum { NOISE_LINES = 3 };

/* An empty line was received: a promise to go on. */
void quash_note_life_sign(quash_peer *peer);

#endif
