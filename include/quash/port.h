/* SPDX-License-Identifier: MIT
 * The transport contract: what a port offers, and the pump that joins it to a peer. */
#ifndef QUASH_PORT_H
#define QUASH_PORT_H

#include "peer.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What `peek` and `write` may answer besides a number of bytes. */
enum {
	QUASH_END = -1,  /**< the other side has finished transmitting but still reads (end of stdin, half-closed socket) */
	QUASH_GONE = -2, /**< nothing works any more */
	QUASH_LOST = -3  /**< bytes were lost just here; answered once, where the gap is */
};

/** A port. The caller owns it and `device`, both as long as the peer is pumped with them.
 *
 * None of the functions may block. All are called on the peer's thread, from `quash_pump` only. */
typedef struct quash_port {
	/** Shows the bytes that have been received and not taken: a contiguous part of a ring, or of a buffer that the
	 * port has read into. They stay where they are until `take`. A port over `read` owns a buffer and reads large,
	 * but only when it has no byte left to show.
	 *
	 * @return how many there are, 0 for none now, QUASH_END, QUASH_GONE or QUASH_LOST */
	int (*peek)(void *device, const uint8_t **bytes);
	/** The first `n` of the bytes that `peek` showed last are taken: 1 to as many as it showed. */
	void (*take)(void *device, size_t n);
	/** Takes up to `n` (at least 1) bytes. Returns how many, 0 for none now, or QUASH_GONE. */
	int (*write)(void *device, const uint8_t *bytes, size_t n);
	/** Milliseconds since any moment; wraps around at 2^32. */
	uint32_t (*now)(void *device);
	void *device;
} quash_port;

/** Moves bytes both ways: out first, then in until the port has no more or the peer takes no more for now, then out
 * again. The time is passed before and after.
 *
 * Never blocks; runs no handler, but put functions. The program's loop calls it before each `quash_step`, and a handler
 * that stays busy calls it too and then looks at `quash_cancelled`. Not from an interrupt or another thread.
 * Cost: bounded for each byte that the port had. */
void quash_pump(quash_peer *peer, const quash_port *port);

#ifdef __cplusplus
}
#endif
#endif
