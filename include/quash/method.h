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

/** What a handler returns. */
enum {
	QUASH_DONE = 0,    /**< answered: a `quash_send` of it returned this. Without one, -32603 is answered */
	QUASH_PENDING = 1, /**< not finished: call me again, next step or when `quash_wait` says. The params are gone */
	QUASH_RETRY = 2    /**< nothing happened (mostly: TX was full): call me next step with the same params */
};

/** JSON-RPC 2.0 section 5.1 and the codes of the dialects. A handler may return any negative code down to
 * -65535; the library formats the error. Codes without a text of their own say `Server error`. */
#define QUASH_PARSE_ERROR      ((int32_t)-32700)
#define QUASH_INVALID_REQUEST  ((int32_t)-32600)
#define QUASH_METHOD_NOT_FOUND ((int32_t)-32601)
#define QUASH_INVALID_PARAMS   ((int32_t)-32602)
#define QUASH_INTERNAL_ERROR   ((int32_t)-32603)
#define QUASH_BUSY             ((int32_t)-32010) /**< the ring, or the arena for now, is full */
#define QUASH_TOO_LARGE        ((int32_t)-32011) /**< larger than the whole arena, or nested too deep */
#define QUASH_LINK_LOST        ((int32_t)-32012) /**< the link to somebody on whom the answer depends is gone */
#define QUASH_CANCELLED        ((int32_t)-32800) /**< returned: the handler cancels its own request */
#define QUASH_CONTENT_MODIFIED ((int32_t)-32801) /**< LSP 3.17 */
#define QUASH_SERVER_CANCELLED ((int32_t)-32802) /**< LSP 3.17 */
#define QUASH_REQUEST_FAILED   ((int32_t)-32803) /**< LSP 3.17 */
#define QUASH_NOT_INITIALIZED  ((int32_t)-32002) /**< LSP 3.17 */

/** A handler. Runs in `quash_step` on the peer's thread.
 *
 * @param request  the request; a pointer that stays good until the handler returns DONE or an error
 * @param params   the params at the first call and at every call after QUASH_RETRY, else QUASH_NONE
 * @return         QUASH_DONE, QUASH_PENDING, QUASH_RETRY or a negative code
 *
 * It ends soon, or returns QUASH_PENDING, or stays inside, calls `quash_pump` and looks at `quash_cancelled`.
 * Once cancelled it is called again until it ends, and whatever it returns then, the answer is the one that
 * the cancellation law demands. While it stays inside it must not hold an open reply. Best it stays inside from its
 * first call on, which never is while a long reply of another request is under way: behind one, and with all slots
 * taken, a refusal and so the cancel behind it would wait for the handler to return. */
typedef int32_t quash_handler(quash_request *request, quash_value params);

/** Marks of a method. */
enum {
	QUASH_REQUEST = 0,          /**< called for messages with an id (the default) */
	QUASH_NOTIFICATION = 1 << 0,/**< called for messages without id, and for those only; nothing is answered */
	QUASH_DROPS = 1 << 1,       /**< on cancel the handler is not called again, its `end` hook is; answered at once */
	QUASH_PARTIAL = 1 << 2,     /**< a cancelled request is still answered by its handler, also one never called yet */
	QUASH_LONG = 1 << 3         /**< replies may be longer than TX; the handler writes the same again for every window */
};

/** A method. A constant table of these is part of the config; its order decides nothing. */
typedef struct quash_method {
	/** As on the wire. "" is for all names that no other entry of its kind (request or notification) has. */
	const char *name;
	quash_handler *handler;
	/** Runs once on every way out of a request whose handler was called, in `quash_step`; or NULL. May not send. */
	void (*end)(quash_request *request);
	const char *cancelled;    /**< JSON sent as the *result* of a cancelled request in place of the error; or NULL */
	const void *data;         /**< the program's or profile's own, see `quash_data` */
	uint32_t deadline;        /**< milliseconds from hearing until cause QUASH_BY_DEADLINE; 0: none; at most 2^31 - 1 */
	uint8_t marks;
} quash_method;

/** Why a request was cancelled. */
typedef enum quash_cause {
	QUASH_NOT_CANCELLED,
	QUASH_BY_OTHER_SIDE, /**< its cancel notification */
	QUASH_BY_PARENT,     /**< the request that this one was made for was cancelled */
	QUASH_BY_DEADLINE,
	QUASH_BY_HANDLER,    /**< it returned QUASH_CANCELLED */
	QUASH_BY_LOCAL_CODE, /**< `quash_cancel` or `quash_cancel_async` */
	QUASH_BY_SHUTDOWN,   /**< `quash_cancel_all` */
	QUASH_BY_LINK,       /**< the link is gone; nothing is written any more */
	QUASH_CAUSES
} quash_cause;

#ifdef __cplusplus
}
#endif
#endif
