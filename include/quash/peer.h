/* SPDX-License-Identifier: MIT
 * The peer: receives requests, runs their handlers, transmits their answers, and cancels every one of them.
 *
 * Calling context. *Peer's thread* means the one thread (or main loop) that calls feed, tick, out, sent and step for a
 * peer. Handlers and hooks run on it, from quash_step only. Put functions run on it too, from step, out and notify.
 * Functions marked *anywhere* may be called from an interrupt or another thread as well. Nothing here blocks or
 * allocates.
 *
 * What is deterministic: the same order of bytes, ticks, steps, outs and sents gives the same output, however the bytes
 * between two of them are cut. */
#ifndef QUASH_PEER_H
#define QUASH_PEER_H

#include "objects.h"
#include "version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Life of a peer (peer's thread) ------------------------------------------------------------------ */

/** Checks the config and makes a peer ready. Finds everything that can be known: sizes, pointers, names that stand
 * twice, states that are too small, and what the profile's `check` knows. Clears everything. May be called again to
 * start over, also while requests are live. They are dropped without their hooks: `quash_reopen` runs these. Their
 * groups stay held, see `quash_group_reset`. Cost: linear in the sizes of the slots, the square of the number of
 * methods.
 *
 * After false the peer is safe to use. Each request is answered with -32603 and what is wrong, in the words of
 * `quash_fault_line` but for the reason. Notifications are ignored. No handler or hook is called, and no group is held.
 * If storage or dialect is wrong it is silent instead: `quash_is_gone` is true, whatever is called, until another
 * `quash_init`. The config must stand as long as for any peer.
 *
 * @param config  not NULL
 * @param fault   where to store what is wrong, or NULL
 * @return        false when the config is wrong */
#define quash_init QUASH_LINKED_(quash_init)
bool quash_init(quash_peer *peer, const quash_config *config, quash_fault *fault);

/** `quash_init` without the checks, for firmware whose config was checked before: `quash_start(&peer, config)` with
 * the config's name. It compiles behind `#include "quash_checked_config.h"`, which the check of docs/checking.md writes
 * for that config. Where QUASH_THE_CONFIG names the config (objects.h) it takes no other one: `quash_start(&peer)`. Who
 * has checked the config otherwise writes `enum { quash_checked_config };`. A wrong config that was not checked may do
 * anything: write over other memory, or move something that nothing stops. */
#ifdef QUASH_THE_CONFIG
#define quash_start(peer) quash_start_with_((peer), QUASH_CHECKED_(QUASH_THE_CONFIG))
#define quash_start_with_ QUASH_LINKED_(quash_start_known)
#else
#define quash_start(peer, config) quash_start_with_((peer), QUASH_CHECKED_(config))
#define quash_start_with_ QUASH_LINKED_(quash_start_plain)
#endif
#define QUASH_CHECKED_(config) QUASH_CHECKED_AS_(config)
#define QUASH_CHECKED_AS_(config) (&(config) + 0 * quash_checked_##config)
void quash_start_with_(quash_peer *peer, const quash_config *config); /**< what `quash_start` stands for */

/** Receives bytes: frames, lexes, registers requests, applies cancels. Runs no handler, writes nothing.
 *
 * @param data  the bytes; borrowed for the call
 * @param n     their number
 * @return      how many were taken. Fewer than all when a message finds no free slot, no room in the arena, or a batch
 *              under way. Then the caller stores the rest, and feeds it again after the next `quash_step` or
 *              `quash_sent`. It may pause at any byte, also in the middle of a message
 *
 * May be called by a handler that stays busy: then nothing waits for a step, as none can run. Cost: bounded for each
 * byte (with the number of methods and slots). */
size_t quash_feed(quash_peer *peer, const uint8_t *data, size_t n);

/** The other side has finished transmitting but still reads: an open last line counts as ended. No sign of life can
 * come any more, so leases have run out, armed or not. What has one is flagged with QUASH_BY_LEASE at the next tick or
 * step. What has not begun then is never called. All other requests go on and may answer. To be called after the last
 * byte that `quash_feed` has taken. A message that is kept is received all the same. */
void quash_input_end(quash_peer *peer);

/** No sign of life can come for now, as when a USB bus is suspended: leases have run out, armed or not. Every live
 * request that has one is flagged with QUASH_BY_LEASE; a parked one is never called, unless marked QUASH_PARTIAL. All
 * else goes on, and the link stays. Leases of later requests are as ever. Peer's thread. Cost: linear in the live
 * requests. */
void quash_end_leases(quash_peer *peer);

/** The link is gone: every live request is flagged with QUASH_BY_LINK. Whatever is to be written from now on is
 * discarded and counted. */
void quash_gone(quash_peer *peer);

/** True if the link is gone: nothing is received or written until `quash_reopen`. */
bool quash_is_gone(const quash_peer *peer);

/** A new link after `quash_gone` or `quash_input_end`: receiving and transmitting begin anew. What is still live is
 * flagged with QUASH_BY_LINK and stays mute. Its slots come back as the handlers end. */
void quash_reopen(quash_peer *peer);

/** The port lost bytes just here (an overrun). The message that they belong to is given up without an answer. The gap
 * is counted, and receiving goes on with the next line or header. */
void quash_lost(quash_peer *peer);

/** A new client speaks from here on. What is live is flagged with QUASH_BY_SESSION and never answered. Calls of ours
 * end as with a lost link, leases are no longer armed, and the config's `new_session` is called. A message that is
 * being written is finished. The library does this by itself when a request of a method marked QUASH_SESSION is
 * received and a session was begun before, or a handler still runs. */
void quash_new_session(quash_peer *peer);

/** Passes the time, in milliseconds since any moment, wrapping at 2^32. Flags what is overdue and what was cancelled
 * asynchronously. To be called at least every 2^31 ms while requests are live. Cost: linear in the live requests. */
void quash_tick(quash_peer *peer, uint32_t now);

/** The bytes that wait to be written. Puts as much as finds room: the message under way, our calls and cancels, then
 * the recorded answers, oldest first.
 *
 * @param n  where their number is stored
 * @return   the first of them; they stay where they are until the next call into the peer */
const uint8_t *quash_out(quash_peer *peer, size_t *n);

/** `n` bytes, at most as many as `quash_out` showed, have left. */
void quash_sent(quash_peer *peer, size_t n);

/** Calls every runnable handler once, oldest request first, and the hooks that are due, then writes what finds room.
 * What arrives meanwhile starts in the next step. Not from a handler.
 *
 * @return whether it has done anything: called a handler or a hook, or gone on with a message that was kept. Then there
 *         may be something to write, and the program pumps before it sleeps */
bool quash_step(quash_peer *peer);

/** How long the program may sleep if nothing arrives, in milliseconds. 0 when a step would do something now, when
 * `quash_feed` has left bytes and would take some of them now, or when nothing waits to leave and `quash_out` would
 * show something. UINT32_MAX when nothing is to come by itself.
 * `quash_wake`, `quash_cancel_async` and room in TX end the sleep early. */
uint32_t quash_idle_ms(const quash_peer *peer);

/** The number of live requests and accepted notifications, and of the message that is kept until a step has run.
 * Requests and notifications that only wait for their hooks or for TX are included. */
uint8_t quash_live_count(const quash_peer *peer);

/** True if everything received is done: nothing is live, and nothing waits to be written. */
bool quash_is_at_rest(const quash_peer *peer);

/** The config's `context`. */
void *quash_context(const quash_peer *peer);

/* --- Answering (handlers) ----------------------------------------------------------------------------
 *
 * Each of these records the answer and returns QUASH_DONE: a handler ends with `return quash_reply(request, put);`.
 * From then on the request is finished, and a cancel that is received later is late. In MCP one by the other side still
 * silences it, until the first byte of the answer stands in TX. Once the request is cancelled nothing is recorded (but
 * for a method marked QUASH_PARTIAL). The answer is then the one that docs/cancellation.md names. Nothing is written
 * while the handler is still inside. State and params live until the answer has left. */

int32_t quash_reply(quash_request *request, quash_put *put);            /**< a result that `put` puts */
int32_t quash_reply_items(quash_request *request, quash_put_item *put); /**< a result that is put in pieces */
/* As quash_reply, with a constant that `put` finds with quash_table_of_. */
int32_t quash_reply_table_(quash_request *request, quash_put *put, const void *table); /**< one `put` for many tables */
int32_t quash_reply_int(quash_request *request, int32_t value);         /**< an integer */
int32_t quash_reply_bool(quash_request *request, bool value);           /**< `true` or `false` */
int32_t quash_reply_null(quash_request *request);                       /**< `null` */

/** A string. A literal only: a text on the stack would be gone when it is put. */
#define quash_reply_text(request, literal) quash_reply_text_((request), "" literal "")
/** A constant JSON value. A literal only. */
#define quash_reply_json(request, literal) quash_reply_json_((request), "" literal "")
/** An error with a code and a text of your own, without data. A literal only: `return quash_fail(...)`. */
#define quash_fail(request, code, literal) quash_fail_literal((request), (code), "" literal "")
/** `quash_fail` with data, which `put` puts. */
#define quash_fail_data(request, code, literal, put) quash_fail_data_((request), (code), "" literal "", (put))

/** What the macros above stand for. `text` and `json` must live until the answer has left: constants. */
int32_t quash_reply_text_(quash_request *request, const char *text);
int32_t quash_reply_json_(quash_request *request, const char *json);                      /**< see above */
int32_t quash_fail_literal(quash_request *request, int32_t code, const char *text);          /**< see above */
int32_t quash_fail_data_(quash_request *request, int32_t code, const char *text, quash_put *put); /**< see above */

/** A result of one string with values in it: `return quash_reply_textf(request, "%d steps, %s", n, name);`. The format
 * is that of quash_put_textf: a literal, and at least one value.
 *
 * Values are copied as the text that is put for them, texts too, and take one byte more than they show. All together
 * have the config's `text_size`. What finds no room reads `...`, also behind the beginning of a text that was cut. The
 * constant part of the text is always whole. It is counted (`misuses`) and traced (QUASH_WHY_TEXT_SIZE). */
#define quash_reply_textf(request, format, ...) quash_reply_textf_((request), "" format "", __VA_ARGS__)
/** The same as the message of an error with a code of your own. */
#define quash_failf(request, code, format, ...) quash_failf_((request), (code), "" format "", __VA_ARGS__)

/** What the macros above stand for. */
int32_t quash_reply_textf_(quash_request *request, const char *format, ...) QUASH_FORMAT_(2, 3);
int32_t quash_failf_(quash_request *request, int32_t code, const char *format, ...) QUASH_FORMAT_(3, 4);

/** An error whose message is put by `put`: one string. */
int32_t quash_fail_put(quash_request *request, int32_t code, quash_put *put);

/** An error that comes from elsewhere: `put` puts the whole error object. `code` is for counters and trace. */
int32_t quash_fail_as(quash_request *request, int32_t code, quash_put *put);

/** Begins a notification to the other side: the next thing put is the value of `params`. Finish it with
 * `quash_notify_send`. Peer's thread, in a handler or outside, not in a put function. Recorded answers are written
 * first. While one of them waits for room, the notification is not written, so it overtakes nothing. */
quash_writer *quash_notify(quash_peer *peer, const char *method);

/** Commits the open notification.
 *
 * @return whether it was taken. False: an answer waits, TX has no room, the link is gone, or it is no JSON. It is
 *         dropped whole and counted (`dropped`). A handler that must not lose it returns QUASH_PENDING and tries again
 *         when it is called next, as long as `quash_notify_fits` is true: one that can never fit into TX is never
 *         taken. Answers that were recorded meanwhile let it go first, unless another notification was taken before
 *         it */
bool quash_notify_send(quash_peer *peer);

/** True if the notification that was sent last could ever be taken: false when it is longer than TX or is no
 * JSON. */
bool quash_notify_fits(const quash_peer *peer);

/* --- Looking at a request ---------------------------------------------------------------------------- */

/** Why the request is cancelled, QUASH_NOT_CANCELLED if it is not. Stays once it is set.
 * Anywhere, for a request that has not ended. Cost: two loads. */
quash_cause quash_cancelled(const quash_request *request);

/** The reason that the other side gave for its cancel, NUL-terminated, possibly cut; "" if none is kept.
 * Free text from outside: never a format, never a path. Lives until the next cancel is received. */
const char *quash_reason(const quash_request *request);

/** Its params; QUASH_NONE when it came without, or once they are released. They stay until the answer has left. The
 * view, and pointers taken from it, live until the handler, hook or put function returns. Tapes are packed whenever no
 * handler is on the stack. So neither may stay in the state. */
quash_value quash_params_of(const quash_request *request);

/** Gives the room of its params back, before the answer has left: for a request that stays long. */
void quash_release_params(quash_request *request);

/** Puts its id, as it came; `null` in a notification. */
void quash_put_id(quash_writer *w, const quash_request *request);

/** The request's `state_size` bytes: zero when its handler is first called. They stay until the slot is given back.
 *
 * @param size  bytes that the caller will use
 * @return      NULL when the config has less for each request: counted (`misuses`) and traced */
void *quash_state(quash_request *request, size_t size);

/** The same for a put function. */
const void *quash_const_state(const quash_request *request, size_t size);

/** The request's state as a `T *`; in put functions as a `const T *`. Never NULL. Where the config has less than a `T`,
 * the request is answered -32603, which is counted (`misuses`) and traced. The address is one without memory then: an
 * AVR ignores what is written there, other processors stop. */
#define QUASH_STATE(T, request) ((T *)quash_state_((request), sizeof(T)))
#define QUASH_CONST_STATE(T, request) ((const T *)quash_const_state_((request), sizeof(T)))

/** What the macros above stand for. */
void *quash_state_(quash_request *request, size_t size);
const void *quash_const_state_(const quash_request *request, size_t size); /**< see above */

/** The constant of `quash_reply_table_`, for its put function. */
const void *quash_table_of_(const quash_request *request);

quash_peer *quash_peer_of(const quash_request *request);   /**< whose request it is */
const quash_method *quash_method_of(const quash_request *request); /**< its entry in the method table */
const void *quash_data(const quash_request *request);      /**< its method's `data` */

/** True if notifications about this request (progress) are still in place: it has no answer recorded, and it is
 * neither silenced nor cancelled. */
bool quash_may_report(const quash_request *request);

/* --- Time (handlers) --------------------------------------------------------------------------------- */

/** The time of the last tick, in milliseconds. */
uint32_t quash_now(const quash_peer *peer);

/** Returned as QUASH_PENDING: call me again in `ms` milliseconds (at most 2^31 - 1), or when woken or cancelled. Write
 * `return quash_wait(request, 20);`. For handlers, and for `end` hooks, which no cancel wakes. */
int32_t quash_wait(quash_request *request, uint32_t ms);

/** Ends the request's `quash_wait` early. Anywhere; a fence and a store. Harmless when it does not wait. What was
 * stored before it, on whichever core, the handler sees when it is called. */
void quash_wake(quash_request *request);

/** Gives the request a deadline `ms` from now (at most 2^31 - 1; more counts as that), in place of the one
 * that it had. So a handler that moves nothing gets its limit: it calls this once, as each call counts anew. Behind it
 * the request is cancelled with QUASH_BY_DEADLINE. A later one changes nothing of what has a lease and a longest
 * time. */
void quash_deadline(quash_request *request, uint32_t ms);

/** Holds a group for the request: one at a time, among all peers. It is held until the request has ended, and its
 * `motion.end` is done. A motion with a `group` holds it by itself, and is refused while it is held. A handler without
 * one writes `if (!quash_hold(request, &bus)) return QUASH_BUSY;`, a tool `return quash_mcp_failure(request, "the bus
 * is in use");`, or `quash_wait` to try again. Handlers and `end` hooks.
 *
 * A request holds one group, its method's or this one. It keeps it: a second, other group is refused, counted
 * (`misuses`) and traced (QUASH_MISUSED). To ask again for the same is fine.
 *
 * @return  whether it is held now; false when another request holds it, or when this one holds another group */
bool quash_hold(quash_request *request, quash_group *group);

/** Gives a group back whose holder `quash_init` or `quash_start` has dropped. Its `end` did not run, so the program
 * first brings to rest what it moved. Never for a group that a live request of a running peer holds. Does nothing to a
 * group that is free. */
void quash_group_reset(quash_group *group);

/** Gives the request a lease of `ms`, in place of its motion's; 0: none. See `quash_motion.lease`. One that has run out
 * already, as after the end of input, cancels the request before this returns. So a handler calls it before it moves
 * anything, and looks at `quash_cancelled` after it. Only what stands in a table is announced. A client that gives
 * signs of life because it was told to, as quash-bridge, arms no lease of a device whose tables have none. */
void quash_lease(quash_request *request, uint32_t ms);

/* --- Cancelling -------------------------------------------------------------------------------------- */

/** Cancels a request with cause QUASH_BY_LOCAL_CODE. Peer's thread. Does nothing when it is cancelled already
 * or its answer is recorded. */
void quash_cancel(quash_request *request);

/** Cancels everything that is live with cause QUASH_BY_SHUTDOWN, a kept message included. Recorded answers stand.
 * Peer's thread. */
void quash_cancel_all(quash_peer *peer);

/** A request as an interrupt or another thread may hold it. Take it on the peer's thread while the request
 * lives; give it up before the request ends. A late use never hits the slot's next request. */
typedef struct quash_handle {
	quash_request *request;
	quash_generation generation;
} quash_handle;

quash_handle quash_handle_of(quash_request *request); /**< Peer's thread. */

/** Cancels with cause QUASH_BY_LOCAL_CODE. Anywhere; two loads and a store. Takes effect at the next tick or step,
 * `quash_cancelled` has it at once. */
void quash_cancel_async(quash_handle handle);

/** True if the request is cancelled, or has ended: true is to stop. Anywhere. For a worker that does a handler's work
 * while the handler returns QUASH_PENDING until the worker has let go. A few loads. */
bool quash_handle_cancelled(quash_handle handle);

/* --- Status displays --------------------------------------------------------------------------------- */

/** A live request, for display. Strings live until the next call into the peer. */
typedef struct quash_live {
	const quash_request *request;
	const char *method;
	const char *id;       /**< the id's bytes, decoded, not NUL-terminated; NULL in a notification */
	uint8_t id_length;    /**< 0 without an id */
	bool id_is_number;
	bool started;         /**< its handler was called */
	bool ended;           /**< its handler has ended: it waits for its hooks or for TX */
	uint32_t age;         /**< milliseconds since it got its slot */
	quash_cause cause;
} quash_live;

/** Walks the live requests, oldest first. Begin with a zero quash_live; false at the end. Peer's thread; no
 * other call into the peer in between. */
bool quash_next_live(const quash_peer *peer, quash_live *live);

/** What 0.3.0 had: docs/upgrading.md has each line, old and new. */
#define quash_reply_literal(request, text) quash_reply_literal_is_gone_write_quash_reply_text
#define quash_reply_constant(request, json) quash_reply_constant_is_gone_write_quash_reply_json
#define quash_fail_literal_data(request, code, text, put) quash_fail_literal_data_is_gone_write_quash_fail_data
#define quash_state_or_nowhere(request, size) quash_state_or_nowhere_is_gone_write_QUASH_STATE
#define quash_const_state_or_nowhere(request, size) quash_const_state_or_nowhere_is_gone_write_QUASH_CONST_STATE
#define quash_reply_table(request, put, table) quash_reply_table_is_gone_write_quash_reply
#define quash_table_of(request) quash_table_of_is_gone_write_quash_data
#define quash_put_fault(w, fault) quash_put_fault_is_gone_write_quash_fault_line
#define quash_start_with(peer, config) quash_start_with_is_gone_write_quash_start

#ifdef __cplusplus
}
#endif
#endif
