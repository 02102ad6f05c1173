/* SPDX-License-Identifier: MIT
 * The other direction: requests that we make of the other side, and the cancels that run down to them.
 *
 * A call is an object of the caller's, linked into its peer while it is in use. There is no table, and no limit but the
 * caller's memory. Everything here belongs to the peer's thread. A call may be made on one peer for a request of
 * another. Such peers run on one thread. The config of each names `.calls = &quash_calls`. A firmware that makes no
 * call links nothing of this.
 *
 *     struct ask { quash_call call; }; // the handler's state
 *
 *     static void put_answer(quash_writer *w, const quash_request *request)
 *     {
 *         quash_put_value(w, quash_call_answer(&QUASH_CONST_STATE(struct ask, request)->call));
 *     }
 *
 *     static int32_t handler(quash_request *request)
 *     {
 *         struct ask *s = QUASH_STATE(struct ask, request);
 *         if (s->call.method == NULL) {
 *             s->call.method = "ping";
 *             quash_call_start_for(request, quash_peer_of(request), &s->call);
 *         }
 *         if (quash_cancelled(request))
 *             return QUASH_CANCELLED; // the call is cancelled with it
 *         if (!quash_call_has_ended(&s->call))
 *             return QUASH_PENDING;
 *         return quash_reply(request, put_answer);
 *     } */
#ifndef QUASH_CALL_H
#define QUASH_CALL_H

#include "peer.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How a call has ended. */
typedef enum quash_outcome {
	QUASH_CALL_OPEN,      /**< it has not: it waits for room in TX or for its answer */
	QUASH_CALL_RESULT,    /**< answered with a result */
	QUASH_CALL_ERROR,     /**< answered with an error, -32800 included */
	QUASH_CALL_CANCELLED, /**< cancelled, and no answer is to be expected or wanted */
	QUASH_CALL_OVERDUE,   /**< its deadline has passed; it was cancelled */
	QUASH_CALL_LINK,      /**< the link is gone, the other side has finished transmitting, or a new session has begun */
	QUASH_CALL_TOO_LARGE, /**< its answer found no room in the arena */
	QUASH_CALL_MALFORMED, /**< what came as its answer is none (JSON-RPC 2.0 section 5) */
	QUASH_CALL_UNWRITTEN  /**< its `put` wrote no JSON, or something else the second time: it was given up */
} quash_outcome;

/** Puts the params of a call, an array or an object. As a quash_put it runs from `quash_step`, `quash_out` and
 * `quash_notify`, once for each window, and puts the same each time. It only reads: constants, the call, and the state
 * and params of the request that the call is made for. It also reads memory of its caller that does not change until
 * the call is written. */
typedef void quash_call_put(quash_writer *w, const quash_call *call);

/** What a quash_call_done may return beside QUASH_DONE and QUASH_PENDING. */
enum { QUASH_CALL_KEEP = 2 };

/** Called when a call has ended, in `quash_step` of the call's peer, after the handlers of that step. The answer is at
 * hand with `quash_call_answer`. It may start calls, also the same one again, cancel, and notify, but not answer
 * requests.
 *
 * @return QUASH_DONE: the call is the caller's again, its answer is dropped; QUASH_PENDING: again in the next step,
 *         with the same answer, as when what is to be done with it finds no room; QUASH_CALL_KEEP: not again, but the
 *         answer stays as if there were no `done` */
typedef int32_t quash_call_done(quash_call *call);

/** Marks of a call. */
enum {
	/** Once cancelled it ends as soon as the cancel is written. What the other side answers is dropped and counted.
	 * Without this mark its answer is the end of the call. A dialect that answers a cancelled request with silence
	 * (MCP) is an exception. */
	QUASH_CALL_ENDS_AT_ONCE = 1 << 0
};

/** A call. The caller owns it and zeroes it before its first use. It must stay where it is from `quash_call_start`
 * until `done` has returned QUASH_DONE, or `quash_call_release` true. In a handler's state it does so by itself: the
 * request's slot stays taken until its calls have left. */
struct quash_call {
	/* The caller's, constant while the call is in use. */
	const char *method;    /**< its name, NUL-terminated */
	quash_call_put *put;   /**< its params, or NULL for none */
	/** called at the end; NULL: the caller looks (`quash_call_has_ended`) and the answer is kept */
	quash_call_done *done;
	void *context;         /**< the caller's own */
	/** milliseconds from `quash_call_start` until it is cancelled and ends; 0: none; at most 2^31 - 1 */
	uint32_t deadline;
	uint8_t marks;         /**< QUASH_CALL_ENDS_AT_ONCE, or 0 */
	/* The library's. */
	uint8_t state;
	uint8_t flags;
	uint8_t outcome;
	quash_peer *peer;      /**< may be read: whose other side is asked */
	quash_request *parent; /**< may be read: the request that it is made for, or NULL */
	quash_call *next;      /* younger one on the same peer */
	quash_call *sibling;   /* younger one made for a request of the same peer */
	uint32_t id;           /**< may be read: on the wire */
	uint32_t due;
	quash_size tape;
	quash_size tape_size;
};

/** For the config's `calls`: requests of our own may be made. */
extern const struct quash_call_hooks quash_calls;

/** Asks the other side of `peer`: the program's own call, no request's child. It is written by `quash_step`,
 * `quash_out` or `quash_notify`, as soon as there is room in TX. Calls leave in the order started, before answers that
 * wait. Its id is the next integer, from 1 or the number of `quash_call_ids_from` on. After 2^31 - 1 calls end with
 * QUASH_CALL_LINK until `quash_init`.
 *
 * @return false when the call is in use, when the config names no calls, or when `quash_init` has refused it and the
 * peer is
 *         silent: nothing was done. Without calls that is counted (`misuses`) and traced (QUASH_MISUSED,
 *         QUASH_WHY_NO_CALLS). Cost: linear in the open calls. */
bool quash_call_start(quash_peer *peer, quash_call *call);

/** The next call on `peer` has that id, 1 to 2^31 - 1, and later ones those after it. A smaller one than the next is
 * ignored: no id comes twice. A program may begin anew while the other side still answers the last one. Such a program
 * begins at a random number. */
void quash_call_ids_from(quash_peer *peer, uint32_t id);

/** As `quash_call_start`, for a request: the call is its child. When the request is cancelled, for whatever cause, so
 * is the call, on its own connection with its own id. When its handler ends, an open call is cancelled, and the slot
 * stays taken until that cancel is written. A call that has ended keeps its answer until the slot is given back. So the
 * answer of the request can be put from it. `done` does not run any more. For a request that is cancelled or has ended
 * already the call ends at once, unwritten. What must be tidied up then is asked with `quash_call_start`. `parent` may
 * belong to another peer than the one that is asked.
 *
 * @return as `quash_call_start`; also false when the config of the parent's peer names no calls */
bool quash_call_start_for(quash_request *parent, quash_peer *peer, quash_call *call);

/** True if the call is in use: started, and not the caller's again. */
bool quash_call_in_use(const quash_call *call);

/** True if the call has ended, answered or not, or is not in use. For handlers that wait, busy ones included: it turns
 * true as the answer is received. */
bool quash_call_has_ended(const quash_call *call);

/** How the call has ended. */
quash_outcome quash_call_outcome(const quash_call *call);

/** 0 for a result and while the call is open, or the code of an error. For what ended without an answer it is
 * QUASH_CANCELLED (also overdue), QUASH_LINK_LOST, QUASH_TOO_LARGE or QUASH_INTERNAL_ERROR (malformed, unwritten). An
 * error whose code is none counts as -32603. */
int32_t quash_call_code(const quash_call *call);

/** The result, or the error object; QUASH_NONE when there is none. The view lives until the handler, hook or put
 * function returns, or until that feeds or steps the call's peer. What it shows lives until the call is released or
 * started again, or the slot of its request is given back. So take the view anew each time. */
quash_value quash_call_answer(const quash_call *call);

/** Cancels a call. Never blocks. The cancel notification is written once, as soon as there is room in TX. Nothing is
 * written for a call that is answered. One that is not yet written leaves the queue. A call of the method that the
 * dialect never cancels ends without a notification. */
void quash_call_cancel(quash_call *call);

/** The same for those who have only the id.
 *
 * @return false when no open call has it. Cost: linear in the calls in use */
bool quash_call_cancel_id(quash_peer *peer, uint32_t id);

/** Cancels the request that the call was made for, cause QUASH_BY_LOCAL_CODE. For a call that came back cancelled. */
void quash_call_cancel_parent(const quash_call *call);

/** The call goes on by itself: it outlives the request that it was made for. It must not stand in its state. */
void quash_call_let_go(quash_call *call);

/** The answer is not needed any more: the call is the caller's again. One that has not ended is cancelled first, and
 * leaves once that is written. Then `done` does not run.
 *
 * @return true when it has left, or was not in use; false while its cancel, or the rest of it, is still to be
 * written */
bool quash_call_release(quash_call *call);

/** The number of calls in use on a peer, at most 65,535. Cost: linear in it. */
uint16_t quash_call_count(const quash_peer *peer);

#ifdef __cplusplus
}
#endif
#endif
