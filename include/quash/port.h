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

/* --- For a carrier that has a head of its own beside each message, as HTTP has ------------------------ */

/** The message that is being received. */
typedef struct quash_incoming {
	const quash_method *method; /**< the first entry of the table with its method's name; NULL: there is none */
	/** As the config's `keeps` keeps them; QUASH_NONE: there are none, or they found no room. Lives until the next call
	 * into the peer. */
	quash_value params;
	const char *id;             /**< decoded, without NUL; NULL: it has none that can be used */
	uint8_t id_length;
	bool id_is_number;
} quash_incoming;

/** Looks at a message before it is registered: when `quash_feed` has taken all of it but the end of its line. A carrier
 * compares it with its head then. It feeds the line's end, or answers by itself and gives the message up with
 * `quash_lost`. In MCP the name is `quash_get(in.params, "name")`, and the revision is the member `protocolVersion` of
 * `_meta`.
 *
 * Peer's thread, not from a handler. In a file of its own: a program that does not call it has none of this. Cost:
 * constant.
 *
 * @return false: no whole object stands there, its line has ended, or receiving waits for room */
bool quash_incoming_of(const quash_peer *peer, quash_incoming *incoming);

/** What kind of message leaves. */
typedef enum quash_outgoing {
	QUASH_OUT_UNKNOWN,      /**< its first bytes are not all there, or no message begins here */
	QUASH_OUT_RESULT,       /**< an answer with a result */
	QUASH_OUT_ERROR,        /**< an answer with an error */
	QUASH_OUT_NOTIFICATION,
	QUASH_OUT_CALL,         /**< a request of ours */
	QUASH_OUT_BATCH         /**< answers to a batch */
} quash_outgoing;

/** The kind of a message before its bytes leave. With QUASH_OUT_UNKNOWN nothing is passed to `quash_sent`, and it is
 * asked again when `quash_out` shows more: a TX that holds the id and 64 bytes more shows enough.
 *
 * Anywhere. In a file of its own, as `quash_incoming_of`. Cost: linear in the length of the id.
 *
 * @param bytes  what `quash_out` shows, at the beginning of a message (behind its header, if it has one)
 * @param n      their number
 * @param code   where to store the code of an error; 0 for another kind, and where `quash_fail_as` puts something else
 * first */
quash_outgoing quash_outgoing_of(const uint8_t *bytes, size_t n, int32_t *code);

#ifdef __cplusplus
}
#endif
#endif
