/* SPDX-License-Identifier: MIT
 * For carriers of messages, such as a server of HTTP or a bridge: what is received before it is registered, the kind of
 * what leaves, and an arena and a TX that follow need. The linker drops each of these where nobody calls it. */
#ifndef QUASH_CARRIER_H
#define QUASH_CARRIER_H

#include "peer.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* --- Memory that follows need, for programs with a heap: a peer begins with a small arena and a small TX, gets larger
 * ones before a long message, and smaller ones when that is over ------------------------------------------------ */

/** How many bytes of its arena are in use: by params of what is live, by answers that were not released, and by what is
 * being received. Call it on the peer's thread, outside of its handlers and hooks. Cost: what the arena holds, at
 * most. */
size_t quash_arena_used(quash_peer *peer);

/** Exchanges the arena. What it holds is copied to `arena`; the old one is the program's again. Values of params and
 * answers point into the arena: read them anew. Call it on the peer's thread, outside of its handlers and hooks. Cost:
 * what the arena holds.
 *
 * @param config  the peer's, in memory that may be written: it names the new arena then
 * @param arena   `size` bytes that do not overlap the old arena; they stand as long as the peer uses them
 * @return false: nothing was exchanged, since `size` is less than QUASH_ARENA_MIN, or what the arena holds needs more,
 *     or the config is not the peer's */
bool quash_move_arena(quash_peer *peer, quash_config *config, uint8_t *arena, quash_size size);

/** Exchanges TX, when nothing of it waits to leave. The same holds for its arguments and its caller. Cost: constant.
 *
 * @return false: nothing was exchanged, since something waits in TX, or is being written, or `size` is less than
 *     QUASH_TX_MIN, or the config is not the peer's */
bool quash_move_tx(quash_peer *peer, quash_config *config, uint8_t *tx, quash_size size);

#ifdef __cplusplus
}
#endif
#endif
