/* SPDX-License-Identifier: MIT
 * The peer: hears requests, runs their handlers, says their answers, and cancels every one of them.
 *
 * Calling context. *Peer's thread* means the one thread (or main loop) that calls feed, tick, out, sent and
 * step for a peer; handlers and hooks run on it, from quash_step only. Functions marked *anywhere* may be
 * called from an interrupt or another thread as well. Nothing here blocks or allocates. */
#ifndef QUASH_PEER_H
#define QUASH_PEER_H

#include "dialect.h"
#include "frame.h"
#include "method.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- The objects ------------------------------------------------------------------------------------- */

/** An event in the life of a request, for the trace hook. */
typedef enum quash_event {
	QUASH_HEARD,     /**< a request's or handled notification's message has ended, before it is judged */
	QUASH_PARKED,    /**< it waits for the next step */
	QUASH_STARTED,   /**< its handler is called for the first time */
	QUASH_FLAGGED,   /**< it is cancelled; `detail` is the quash_cause */
	QUASH_COMMITTED, /**< its answer, or the first window of it, is in TX; `detail` is 0 or the error code */
	QUASH_SILENCED,  /**< it will never be answered */
	QUASH_REFUSED,   /**< it was not accepted; `detail` is the error code */
	QUASH_FREED,     /**< its slot is free again */
	QUASH_LATE_CANCEL/**< a cancel that names no live request, or one that is answered; `request` is NULL */
} quash_event;

/** Told of every event. May look at the request with the functions below that only read, but not call back
 * into the peer in any other way. Runs while bytes are heard as well as in `quash_step`. */
typedef void quash_trace(quash_peer *peer, quash_event event, const quash_request *request, int32_t detail);

/** A request slot. The caller lends an array of them; opaque. */
struct quash_request {
	uint8_t state;
	uint8_t flags;
	uint8_t more;
	uint8_t method;
	uint8_t index; /* in the array */
	uint8_t next; /* younger one in the list of live requests */
	uint8_t id_kind;
	uint8_t id_length;
	uint8_t tag_length;
	volatile uint8_t cause;
	volatile uint8_t woken;
	volatile quash_generation async; /* equals generation: cancelled by local code */
	quash_generation generation;
	quash_size tape;
	quash_size tape_size;
	uint32_t born;
	uint32_t deadline; /* then when it was flagged, then the code that is owed */
	uint32_t wake;     /* then the length of the long reply */
	quash_peer *peer;
};

struct quash_call_hooks;

/** A request of ours to the other side, see call.h. */
typedef struct quash_call quash_call;

/** What a counter holds. Counters stop at the largest value. */
#if UINT_MAX > 0xFFFFu
typedef uint32_t quash_count;
#else
typedef uint16_t quash_count;
#endif

/** Everything that is counted, by cause. The caller may read it at any time on the peer's thread. */
typedef struct quash_counters {
	quash_count requests;        /**< requests accepted */
	quash_count notifications;   /**< notifications accepted for a handler */
	quash_count ignored;         /**< notifications that nobody handles */
	quash_count results;         /**< results said */
	quash_count errors;          /**< errors said */
	quash_count silenced;        /**< requests that ended without an answer (MCP) */
	quash_count parse_errors;    /**< -32700 */
	quash_count invalid;         /**< -32600, and malformed notifications */
	quash_count duplicate_ids;   /**< requests with an id that is live */
	quash_count unknown_methods; /**< -32601 */
	quash_count too_large;       /**< larger than the arena or nested too deep */
	quash_count busy;            /**< refused or dropped because ring or arena were full */
	quash_count stray_responses; /**< responses that belong to nothing */
	quash_count calls;           /**< requests that we made */
	quash_count call_cancels;    /**< cancels of them that we sent */
	quash_count late_responses;  /**< responses to calls that had ended: dropped */
	quash_count bad_headers;     /**< Content-Length framing */
	quash_count lost;            /**< bytes that the port said it lost */
	quash_count cancelled[QUASH_CAUSES]; /**< cancelled requests by cause; the first entry stays 0 */
	quash_count late_cancels;    /**< cancels of requests that are unknown, ended, committed or cancelled already */
	quash_count bad_cancels;     /**< malformed cancels */
	quash_count retries;         /**< sends of replies that were told to wait */
	quash_count dropped;         /**< notifications and progress that found no room in TX */
	quash_count too_long;        /**< replies longer than TX from methods without QUASH_LONG: answered -32603 */
	quash_count changed;         /**< long replies that were not the same again: the link was declared gone */
	quash_count discarded;       /**< answers that were discarded because the link is gone */
	uint32_t last_cancel_ms;     /**< from flag to end, of the last cancelled request */
	uint32_t slowest_cancel_ms;  /**< the longest of these */
} quash_counters;

/** All that a peer is made of. Constant, may live in flash; it and what it points to must stand as long as
 * the peer is used. Arrays are the caller's; the peer alone writes to them. */
typedef struct quash_config {
	uint8_t slot_count;
	uint8_t id_size;         /**< longest id in bytes, decoded: 17 to 255 (17 holds every number) */
	quash_size arena_size;
	quash_size tx_size;
	quash_size state_size;   /**< a multiple of the alignment that the states need */
	quash_request *slots;    /**< `slot_count` of them, 2 to 252; one of them is always kept back for landing */
	uint8_t *ids;            /**< `slot_count * id_size` bytes */
	void *states;            /**< `slot_count * state_size` bytes, aligned for what handlers put there; or NULL */
	uint8_t *arena;          /**< for params while they wait, at least QUASH_ARENA_MIN bytes */
	uint8_t *tx;             /**< what waits to be written, at least QUASH_TX_MIN bytes */
	const quash_dialect *dialect;
	const quash_method *methods;
	uint8_t method_count;    /**< 0 to 250 */
	uint8_t tag_size;        /**< 0: no tags; at most 254 */
	uint8_t reason_size;     /**< of `reason`, with its NUL; longer reasons are cut at a character */
	uint8_t *tags;           /**< `slot_count * tag_size` bytes, or NULL; see quash_tag_cancel */
	char *reason;            /**< keeps the text of the last cancel, or NULL */
	quash_trace *trace;      /**< or NULL */
	void *context;           /**< the program's own, see `quash_context` */
} quash_config;

/** The smallest arena. */
#define QUASH_ARENA_MIN 16
/** The smallest TX buffer. */
#define QUASH_TX_MIN 64
/** The smallest `id_size`. */
#define QUASH_ID_MIN 17

/** A peer. The caller owns it; opaque but for `counters`, which may be read. */
struct quash_peer {
	const quash_config *config;
	uint8_t first, last;  /* oldest and youngest live request */
	uint8_t landing;      /* the slot kept back */
	uint8_t owner;        /* who may write to TX */
	uint8_t running;      /* whose handler is on the stack */
	uint8_t link;         /* what the link is still good for */
	uint8_t reason_of;    /* whose cancel's reason is kept */
	uint8_t batch;        /* state of the batch being heard or answered */
	bool open;            /* a message is being written */
	bool tight;           /* one found no room in TX though it might */
	bool said;            /* a member of the batch is answered */
	quash_envelope envelope;
	quash_frame frame;
	quash_tape tape;
	quash_lex lex;
	quash_writer writer;
	int32_t code;         /* of the open answer, 0 for a result */
	uint32_t now;
	uint32_t last_id;     /* of our calls */
	const struct quash_call_hooks *call_hooks; /* NULL until the first call */
	quash_call *calls;    /* on this connection, oldest first */
	quash_call *children; /* made for requests of this peer, oldest first */
	quash_counters counters;
};

/** Lays out static storage for a peer of the given sizes, and names it:
 *
 *     QUASH_STORAGE(store, 8, 40, sizeof(struct motor), 1024, 256);
 *     static const quash_config config = {
 *         QUASH_STORED(store), .dialect = &quash_mcp, .methods = methods, .method_count = 3 };
 *
 * `state` may be 0. Sizes are in bytes; the states are aligned for any type up to 8 bytes wide. */
#define QUASH_STORAGE(name, slot_n, id_n, state_n, arena_n, tx_n) \
	enum { name##_slot_count = (slot_n), name##_id_size = (id_n), \
	       name##_state_size = (((state_n) + 7) / 8) * 8 }; \
	static struct { \
		uint64_t states[(((state_n) + 7) / 8) * (slot_n) + 1]; \
		quash_request slots[slot_n]; \
		uint8_t ids[(slot_n) * (id_n)]; \
		uint8_t arena[arena_n]; \
		uint8_t tx[tx_n]; \
	} name

/** The members of a quash_config that QUASH_STORAGE provides for. They are its first ones: C++ wants designators in the
 * order of the declaration. */
#define QUASH_STORED(name) \
	.slot_count = name##_slot_count, .id_size = name##_id_size, .arena_size = sizeof (name).arena, \
	.tx_size = sizeof (name).tx, .state_size = name##_state_size, .slots = (name).slots, .ids = (name).ids, \
	.states = (name).states, .arena = (name).arena, .tx = (name).tx

/* --- Life of a peer (peer's thread) ------------------------------------------------------------------ */

/** Makes a peer ready. Clears everything; may be called again to start over, also while requests are live
 * (they are forgotten without their `end` hooks: `quash_reopen` is the gentle way).
 *
 * @return NULL, or the name of the config's wrong member (a constant); then the peer must not be used.
 * Cost: linear in the sizes of the slots. */
const char *quash_init(quash_peer *peer, const quash_config *config);

/** How many bytes `quash_feed` will surely take now, whatever they are. 0 only while an answer of the library
 * waits for room in TX, or when the link is gone. Cost: constant. */
size_t quash_room(const quash_peer *peer);

/** Hears bytes: frames, lexes, registers requests, applies cancels. Runs no handler.
 *
 * @param data  the bytes; borrowed for the call
 * @param n     their number
 * @return      how many were taken: all, or fewer when an answer of the library waits for room in TX; the
 *              caller keeps the rest and feeds it again after `quash_sent`
 *
 * May be called by a handler that stays busy. Cost: bounded for each byte (with the number of methods and
 * slots). */
size_t quash_feed(quash_peer *peer, const uint8_t *data, size_t n);

/** The other side has finished speaking but still listens: an open last line counts as ended. Running requests
 * go on and may answer. */
void quash_end(quash_peer *peer);

/** The link is gone: every live request is flagged with QUASH_BY_LINK, and whatever is sent from now on is
 * discarded and counted. */
void quash_gone(quash_peer *peer);

/** A new link after `quash_gone` or `quash_end`: hearing and saying begin anew. What is still live is flagged
 * with QUASH_BY_LINK and stays mute; its slots come back as the handlers end. */
void quash_reopen(quash_peer *peer);

/** The port lost `n` bytes just here (an overrun): the message they belong to is given up without an answer,
 * counted, and hearing goes on with the next line or header. */
void quash_lost(quash_peer *peer, uint32_t n);

/** Tells the time, in milliseconds since any moment, wrapping at 2^32; flags what is overdue and what was
 * cancelled asynchronously. To be called at least every 2^31 ms while requests are live. Cost: linear in the
 * live requests. */
void quash_tick(quash_peer *peer, uint32_t now);

/** The bytes that wait to be written. Composes first what the library itself owes, oldest first.
 *
 * @param n  where their number is stored
 * @return   the first of them; they stay where they are until the next `quash_out` */
const uint8_t *quash_out(quash_peer *peer, size_t *n);

/** `n` bytes, at most as many as `quash_out` showed, have left. */
void quash_sent(quash_peer *peer, size_t n);

/** Calls every runnable handler once, oldest request first, and the `end` hooks that are due. What arrives
 * meanwhile starts in the next step. While a long reply is under way no handler is called for the first time.
 * Not from a handler.
 *
 * @return whether any handler or hook was called */
bool quash_step(quash_peer *peer);

/** How long the program may sleep if nothing arrives, in milliseconds: 0 when a handler is runnable now,
 * UINT32_MAX when nothing is to come by itself. `quash_wake`, `quash_cancel_async` and room in TX end the sleep
 * early. */
uint32_t quash_idle_ms(const quash_peer *peer);

/** The number of live requests and accepted notifications, those that only wait for their `end` hook included. */
uint8_t quash_live_count(const quash_peer *peer);

/** The config's `context`. */
void *quash_context(const quash_peer *peer);

/* --- Answering (handlers) ---------------------------------------------------------------------------- */

/** Begins the answer: the next thing put is the value of `result`. Finish it with `quash_send`.
 * The writer swallows everything when the answer cannot be written now; `quash_send` tells. */
quash_writer *quash_reply(quash_request *request);

/** Begins an error with a code and a text of your own; the next thing put is the value of `data`. */
quash_writer *quash_error_reply(quash_request *request, int32_t code, const char *message);

/** Commits the open answer.
 *
 * @return QUASH_DONE: return it. Also when the request was cancelled and the law swallows the answer.
 *         QUASH_RETRY: there was no room; nothing was written (of a long reply: not the rest). Return it.
 *
 * A handler ends with `return quash_send(request);`. A notification's handler need not answer. */
int32_t quash_send(quash_request *request);

/** An error with a code and a text of your own, without data: `return quash_fail(...)`. As `quash_send`. */
int32_t quash_fail(quash_request *request, int32_t code, const char *message);

/** `quash_fail` with a text of `length` bytes, NULs included. */
int32_t quash_fail_string(quash_request *request, int32_t code, const char *message, size_t length);

/** Answers with an error that came from elsewhere, as it is. Returns as `quash_send`. */
int32_t quash_fail_as(quash_request *request, quash_value error);

/** Begins a notification to the other side: the next thing put is the value of `params`. Finish it with
 * `quash_notify_send`. Peer's thread, in a handler or outside. */
quash_writer *quash_notify(quash_peer *peer, const char *method);

/** Commits the open notification.
 *
 * @return QUASH_DONE (also when the link is gone); QUASH_RETRY when there was no room: it is dropped whole and
 *         counted, and may be written again later; QUASH_TOO_LARGE when it is longer than TX or
 *         nested deeper than QUASH_DEPTH: dropped and counted too. */
int32_t quash_notify_send(quash_peer *peer);

/* --- Looking at a request ---------------------------------------------------------------------------- */

/** Why the request is cancelled, QUASH_NOT_CANCELLED if it is not. Stays once it is set.
 * Anywhere, for a request that has not ended. Cost: two loads. */
quash_cause quash_cancelled(const quash_request *request);

/** The reason that the other side gave for its cancel, NUL-terminated, possibly cut; "" if none is kept.
 * Free text from outside: never a format, never a path. Lives until the next cancel is heard. */
const char *quash_reason(const quash_request *request);

/** Its params as its handler is given them: QUASH_NONE once they are gone. The view lives until the next `quash_step`. */
quash_value quash_params_of(const quash_request *request);

/** Puts its id, as it came; `null` in a notification. */
void quash_put_id(quash_writer *w, const quash_request *request);

/** The request's `state_size` bytes: zero when its handler is first called, kept until the request has ended. */
void *quash_state(quash_request *request);

quash_peer *quash_peer_of(const quash_request *request);   /**< whose request it is */
const quash_method *quash_method_of(const quash_request *request); /**< its entry in the method table */
const void *quash_data(const quash_request *request);      /**< its method's `data` */

/** Says whether notifications about this request (progress) are still in place: it is neither answered nor
 * silenced nor cancelled. */
bool quash_may_report(const quash_request *request);

/* --- Time (handlers) --------------------------------------------------------------------------------- */

/** The time of the last tick, in milliseconds. */
uint32_t quash_now(const quash_peer *peer);

/** Returned as QUASH_PENDING: call me again in `ms` milliseconds (at most 2^31 - 1), or when woken or
 * cancelled: `return quash_wait(request, 20);`. */
int32_t quash_wait(quash_request *request, uint32_t ms);

/** Ends the request's `quash_wait` early. Anywhere; a fence and a store. Harmless when it does not wait. What was stored
 * before it, on whichever core, the handler sees when it is called. */
void quash_wake(quash_request *request);

/** Gives the request a deadline `ms` from now (at most 2^31 - 1; more counts as that), in place of the one
 * that it had. */
void quash_deadline(quash_request *request, uint32_t ms);

/* --- Cancelling -------------------------------------------------------------------------------------- */

/** Cancels a request with cause QUASH_BY_LOCAL_CODE. Peer's thread. Does nothing when it is cancelled already
 * or committed. */
void quash_cancel(quash_request *request);

/** Cancels everything that is live with cause QUASH_BY_SHUTDOWN. Peer's thread. */
void quash_cancel_all(quash_peer *peer);

/** A request as an interrupt or another thread may hold it. Take it on the peer's thread while the request
 * lives; give it up before the request ends. A late use never hits the slot's next request. */
typedef struct quash_handle {
	quash_request *request;
	quash_generation generation;
} quash_handle;

quash_handle quash_handle_of(quash_request *request); /**< Peer's thread. */

/** Cancels with cause QUASH_BY_LOCAL_CODE. Anywhere; two loads and a store. Takes effect at the next tick or step,
 * `quash_cancelled` says so at once. */
void quash_cancel_async(quash_handle handle);

/** Says whether the request is cancelled, or has ended: true is to stop. Anywhere: for a worker that does a handler's work while
 * the handler returns QUASH_PENDING until the worker has let go. A few loads. */
bool quash_handle_cancelled(quash_handle handle);

/* --- Status displays --------------------------------------------------------------------------------- */

/** A live request, for display. Strings live until the next call into the peer. */
typedef struct quash_live {
	const quash_request *request;
	const char *method;
	const char *id;       /**< the id's bytes, decoded, not NUL-terminated; NULL in a notification */
	uint8_t id_length;
	bool id_is_number;
	bool started;         /**< its handler was called */
	uint32_t age;         /**< milliseconds since it was heard */
	quash_cause cause;
} quash_live;

/** Walks the live requests, oldest first. Begin with a zero quash_live; false at the end. Peer's thread; no
 * other call into the peer in between. */
bool quash_next_live(const quash_peer *peer, quash_live *live);

#ifdef __cplusplus
}
#endif
#endif
