/* SPDX-License-Identifier: MIT
 * What a program offers: methods, their handlers, and why a request may be cancelled. */
#ifndef QUASH_METHOD_H
#define QUASH_METHOD_H

#include "json.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One end of a connection, see peer.h. */
typedef struct quash_peer quash_peer;

/** A live request, see peer.h. */
typedef struct quash_request quash_request;

/** What a handler returns, beside a negative code. */
enum {
	QUASH_DONE = 0,   /**< ended: its answer is recorded (`return quash_reply(...)` returns this). A request without a
	                       recorded answer is answered -32603; a notification needs none */
	QUASH_PENDING = 1 /**< not ended: call me again, in the next step or when the time of `quash_wait` is up */
};

/** JSON-RPC 2.0 section 5.1 and the codes of the dialects. A handler may return any negative code down to -65535. The
 * library writes the error. Codes without a text of their own have `Server error`. */
#define QUASH_PARSE_ERROR      ((int32_t)-32700)
#define QUASH_INVALID_REQUEST  ((int32_t)-32600)
#define QUASH_METHOD_NOT_FOUND ((int32_t)-32601)
#define QUASH_INVALID_PARAMS   ((int32_t)-32602)
#define QUASH_INTERNAL_ERROR   ((int32_t)-32603)
#define QUASH_BUSY             ((int32_t)-32010) /**< slots, arena or group are held by work that has not ended */
#define QUASH_TOO_LARGE        ((int32_t)-32011) /**< larger than the whole arena, or nested too deep */
#define QUASH_LINK_LOST        ((int32_t)-32012) /**< the link to a peer that the answer depends on is gone */
#define QUASH_CANCELLED        ((int32_t)-32800) /**< returned: the handler cancels its own request */
#define QUASH_CONTENT_MODIFIED ((int32_t)-32801) /**< LSP 3.18 */
#define QUASH_SERVER_CANCELLED ((int32_t)-32802) /**< LSP 3.18 */
#define QUASH_REQUEST_FAILED   ((int32_t)-32803) /**< LSP 3.18 */
#define QUASH_NOT_INITIALIZED  ((int32_t)-32002) /**< LSP 3.18 */

/** A handler of requests or notifications. Runs in `quash_step` on the peer's thread.
 *
 * It is called until it returns something other than QUASH_PENDING, and then never again for this request. It ends in
 * one of three ways. With a negative code the library writes the error. `return quash_reply...(request, ...)` records
 * the answer. QUASH_DONE is for notifications. So it acts once, however slow the link is.
 *
 * Its params are at hand with `quash_params_of` at every call, its memory with `QUASH_STATE`. It ends soon, or returns
 * QUASH_PENDING, or stays inside, calls `quash_pump` and looks at `quash_cancelled`. Once cancelled it is called again
 * until it ends. Whatever it returns then, the answer is the one that docs/cancellation.md names. Once an answer is
 * recorded, what is returned does not matter, and a second reply is ignored. Both are counted (`misuses`) and
 * traced. */
typedef int32_t quash_handler(quash_request *request);

/** Puts a value: the result of an answer, or the data of an error. The library calls it when there is room in TX: once
 * to learn the length, and once more for each window that a long answer leaves in. It runs in `quash_step`, `quash_out`
 * and `quash_notify`, also below a handler that stays busy. It never runs in `quash_feed`.
 *
 * It reads constants and the state and params of its own request, nothing else. Others may change a counter, a list, a
 * sensor. The handler copies such things into its state before it replies. A put function never acts, pumps, notifies
 * or touches a peer. Each time it puts the same. If it does not, the message is given up, and the request is answered
 * -32603. That is counted (`changed`) and traced.
 *
 * Cost: it runs ceil(length / TX) + 1 times. So a long answer through a small TX costs the square of its length. For
 * lists see quash_put_item. */
typedef void quash_put(quash_writer *w, const quash_request *request);

/** Puts an answer in pieces, numbered from 0. The rules of quash_put hold. Pieces follow each other as if one function
 * put them all. The first one may open an object or array and leave it open. What is open at the end is closed. Each
 * window begins with the piece in which the last one ended. So the cost is linear in the length.
 *
 * @return whether there was a piece with that number; when false nothing may have been put, and it was the end */
typedef bool quash_put_item(quash_writer *w, const quash_request *request, uint16_t index);

/** Marks of a method. */
enum {
	QUASH_REQUEST = 0,           /**< called for messages with an id (the default) */
	QUASH_NOTIFICATION = 1 << 0, /**< called for messages without id, and for those only; nothing is answered */
	/** What has a motion is called again once cancelled, until it ends; `end` runs behind that. Without this mark only
	 * `end` is called, and the answer is recorded at once */
	QUASH_FINISHES = 1 << 1,
	/** A cancelled request is still answered by its handler, also one never called yet. With a motion QUASH_FINISHES is
	 * needed too. */
	QUASH_PARTIAL = 1 << 2,
	QUASH_SESSION = 1 << 3,      /**< a request for it begins a new session, see `quash_new_session` */
	/** Of its params only what the config's `keeps` lists is kept, see quash_keeps: of all messages by that name,
	 * requests and notifications. Of two entries with one name both have it, or none. */
	QUASH_LISTED = 1 << 4,
	/** A request for it that finds no free slot, or no room in the arena, is answered with the result `{}`, and its
	 * handler is not called. One with the dialect's `era_member` is refused as others are. */
	QUASH_NEVER_BUSY = 1 << 5,
	/** Called for messages by its name with an id, and for those without, to which nothing is answered: a stop that is
	 * heard both ways. A reply to one without id is dropped. Not with QUASH_NOTIFICATION, QUASH_PARTIAL or
	 * QUASH_SESSION. */
	QUASH_BOTH = 1 << 6
};

/** Holds a thing that is there once: one request at a time. It stands in RAM and is zero at the start: `static
 * quash_group arm;`. Methods and tools name it by pointer, peers of one program share it. All peers of a group are
 * stepped by one thread. Opaque. */
typedef struct quash_group {
	const quash_request *holder;
	struct quash_group *next; /* that a request of the same peer holds */
} quash_group;

/** The `longest` of what moves until it is told to stop. */
#define QUASH_NO_LIMIT UINT32_MAX

/** What a method or tool moves, or takes and must give back: how it comes to rest, and what else ends it. Part of a
 * quash_method or quash_mcp_tool:
 *
 *     static const quash_method methods[] = { { .name = "turn", .handler = turn,
 *         .motion = { .end = off, .longest = 70000, .lease = 2000, .group = &motor } } };
 *
 * It is whole or absent. With any member set, `end` and `longest` are needed: `quash_init` refuses the table else, and
 * its fault names `motion.end` or `motion.longest`. It cancels by itself: once the request is cancelled, its handler is
 * not called again, and `end` is. The answer is recorded at once and does not wait for `end`. A handler that has to go
 * on until it ends by itself has the mark QUASH_FINISHES.
 *
 * What moves nothing has no motion: a time that it may take is `quash_deadline`, and a thing that is there once is
 * `quash_hold`, both in its handler. */
typedef struct quash_motion {
	/** Brings to rest what the handler has moved. It runs for every request whose handler was called, in the step in
	 * which that has ended. It runs on every way out: answer, error, cancel, lost link. It does not wait for the wire.
	 * It returns QUASH_DONE, or QUASH_PENDING to be called again in the next step (or after `quash_wait`). Up to then
	 * the slot, and the group, stay taken. It must not change what a put of the recorded answer reads, and replies
	 * nothing. Nothing ends an `end`. */
	int32_t (*end)(quash_request *request);
	/** The longest time: ms from getting a slot until cause QUASH_BY_DEADLINE, 1 to 2^31 - 1, or QUASH_NO_LIMIT. */
	uint32_t longest;
	/** ms without a sign of life until cause QUASH_BY_LEASE, at most 2^31 - 1; 0: it may go on without its client. Once
	 * the input has ended it has run out. Then a handler is not called for the first time: see `quash_input_end`. */
	uint32_t lease;
	/** One at a time among those with the same one, of all peers; NULL: any number. A method is refused with QUASH_BUSY
	 * while it is held. */
	quash_group *group;
} quash_motion;

/** A method. A constant table of these is part of the config. Its order decides nothing. A name stands once among the
 * requests of a table, and once among its notifications. A message without id finds the entry of a notification alone.
 * By the name of a request it is counted (`ignored`) and traced (QUASH_DROPPED, QUASH_WHY_METHOD), and nothing runs. A
 * stop that is to be heard both ways says so:
 *
 *     static const quash_method methods[] = { { .name = "stop", .handler = stop, .marks = QUASH_BOTH } };
 *
 * In C++11 cxx.h names its members. */
typedef QUASH_FLASH struct quash_method {
	/** As on the wire. "" is for all names that no other entry of its kind (request or notification) has. */
	const char *name;
	quash_handler *handler;
	quash_motion motion;      /**< what it moves; or all 0 */
	/** Gives a pool's buffer back; or NULL. Runs once when the slot of a request whose handler was called is given
	 * back. It runs after `motion.end` and after the last byte of the answer. It may not call back into the peer. */
	void (*released)(quash_request *request);
	const char *cancelled;    /**< JSON sent as the *result* of a cancelled request in place of the error; or NULL */
	const void *data;         /**< the program's or profile's own, see `quash_data` */
	/** Bytes of state that its handler needs. `quash_init` checks the config's against it; `quash_start` does not. What
	 * a handler asks for is compared with what the config has, see QUASH_STATE. */
	quash_size state_size;
	uint8_t marks;            /**< QUASH_NOTIFICATION ... */
} quash_method;

/* Entries of the profiles' tables, for C and C++11. What has a hook is called until it ends. */
#define QUASH_ENTRY_(name, handler, data, state_size, marks) \
	{ (name), (handler), { NULL, 0, 0, NULL }, NULL, NULL, (data), (quash_size)(state_size), (marks) }
#define QUASH_HOOKED_(name, handler, end, released, data, state_size, marks) \
	{ (name), (handler), { (end), QUASH_NO_LIMIT, 0, NULL }, (released), NULL, (data), (quash_size)(state_size), \
	  (marks) | QUASH_FINISHES }

/** What 0.3.0 had: docs/upgrading.md has each line, old and new. */
#define QUASH_DROPS quash_drops_is_gone_a_motion_cancels_by_itself
#define QUASH_METHOD(...) { quash_method_is_gone_name_its_members }
#define QUASH_METHOD_STATE(...) { quash_method_state_is_gone_name_its_members }
#define QUASH_METHOD_DATA(...) { quash_method_data_is_gone_name_its_members }
#define QUASH_METHOD_MOTION(...) { quash_method_motion_is_gone_write_motion }

/** Why a request was cancelled. */
typedef enum quash_cause {
	QUASH_NOT_CANCELLED,
	QUASH_BY_OTHER_SIDE, /**< its cancel notification */
	QUASH_BY_PARENT,     /**< the request that this one was made for was cancelled */
	QUASH_BY_DEADLINE,
	QUASH_BY_HANDLER,    /**< it returned QUASH_CANCELLED */
	QUASH_BY_LOCAL_CODE, /**< `quash_cancel` or `quash_cancel_async` */
	QUASH_BY_SHUTDOWN,   /**< `quash_cancel_all` */
	/** The other side, which had promised signs of life, gave none for the method's lease, or can give none any more:
	 * its input has ended. */
	QUASH_BY_LEASE,
	QUASH_BY_SESSION,    /**< a new client began a session; nothing is answered any more */
	QUASH_BY_LINK,       /**< the link is gone; nothing is written any more */
	QUASH_CAUSES
} quash_cause;

#ifdef __cplusplus
}
#endif
#endif
