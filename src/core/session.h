/* SPDX-License-Identifier: MIT
 * A client that begins anew. */
#ifndef QUASH_SRC_SESSION_H
#define QUASH_SRC_SESSION_H

#include "state.h"

/* True if some handler has been called and has not ended. */
bool quash_is_running(const quash_peer *peer);

#endif
