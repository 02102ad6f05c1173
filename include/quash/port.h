/* SPDX-License-Identifier: MIT
 * The transport contract: what a port offers, and the pump that joins it to a peer. */
#ifndef QUASH_PORT_H
#define QUASH_PORT_H

#include "peer.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What `read` and `write` may answer besides a number of bytes. */
enum {
	QUASH_END = -1, /**< the other side has finished speaking but still listens (end of stdin, half-closed socket) */
	QUASH_GONE = -2 /**< nothing works any more */
};

/** A port. The caller owns it and `device`, both as long as the peer is pumped with them.
 *
 * None of the functions may block. All are called on the peer's thread, from `quash_pump` only. */
typedef struct quash_port {
	/** Moves up to `n` (at least 1) bytes into `data`. Returns how many, 0 for none now, QUASH_END or QUASH_GONE. */
	int (*read)(void *device, uint8_t *data, size_t n);
	/** Takes up to `n` (at least 1) bytes. Returns how many, 0 for none now, or QUASH_GONE. */
	int (*write)(void *device, const uint8_t *data, size_t n);
	/** Milliseconds since any moment; wraps around at 2^32. */
	uint32_t (*now)(void *device);
	void *device;
} quash_port;

/** Moves bytes both ways: out first, then in until the port has nothing more; the clock before and behind.
 *
 * Never blocks; runs no handler. The program's loop calls it before each `quash_step`, and a handler that
 * stays busy calls it too and then looks at `quash_cancelled`. Not from an interrupt or another thread.
 * Cost: bounded for each byte that the port had. */
void quash_pump(quash_peer *peer, const quash_port *port);

#ifdef __cplusplus
}
#endif
#endif
