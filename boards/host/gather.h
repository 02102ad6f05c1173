/* SPDX-License-Identifier: MIT
 * Between a peer and its stdio: gathers what the peer writes while input waits, so that many answers leave in one write. */
#ifndef HOST_GATHER_H
#define HOST_GATHER_H

#include "posix/posix_stdio.h"

enum { GATHERED = 4096 };

/** What is gathered. Opaque. */
struct gather {
	struct posix_stdio *stdio;
	size_t from, to; /* what of `bytes` has not left yet */
	uint8_t bytes[GATHERED];
};

/** Begins with nothing; `stdio` is open and stands as long. */
void gather_open(struct gather *g, struct posix_stdio *stdio);

/** The port for the peer; valid as long as `g`. It writes when it is full and before it reads. */
quash_port gather_port(struct gather *g);

/** Writes what stdout takes. The program calls it before it sleeps, and when a handler stays busy. */
void gather_flush(struct gather *g);

/** True if all has left. */
bool gather_is_empty(const struct gather *g);

#endif
