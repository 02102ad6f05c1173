/* SPDX-License-Identifier: MIT
 * A Language Server Protocol server (3.18), for the dialect quash_lsp: life cycle, progress, partial results.
 *
 *     struct hover { uint32_t line; };
 *     static int32_t hover(quash_request *request);
 *
 *     static quash_lsp_session session;
 *     static const quash_lsp_capability capabilities[] = { { "hoverProvider", "true" } };
 *     static const quash_lsp_server server = {
 *         .name = "lamp", .version = "1.0", .capabilities = capabilities, .capability_count = 1,
 *         .session = &session, .token_size = 40 };
 *     static const quash_lsp_method hovers = QUASH_LSP_HANDLER(&server, hover, NULL, sizeof(struct hover));
 *     static const quash_method methods[] = {
 *         QUASH_LSP_METHODS(&server), QUASH_LSP_REQUEST("textDocument/hover", &hovers) };
 *     QUASH_STORAGE(store, 4, 40, QUASH_LSP_STATE(40, sizeof(struct hover)), 2048, 256);
 *     static const quash_config config = { QUASH_STORED(store), .dialect = &quash_lsp, .methods = methods,
 *                                          .method_count = sizeof methods / sizeof methods[0],
 *                                          .check = quash_lsp_check, .faults = &quash_faults };
 *
 * Requests before `initialize` are refused with -32002. Those after `shutdown`, and a second `initialize`, are refused
 * with -32600. Notifications outside of these two are dropped, but for `exit` (3.18 "Lifecycle Messages"). This holds
 * for every handler of a quash_lsp_method. A handler that stands in the method table by itself is called at any time.
 *
 * All of this belongs to the peer's thread, and what takes a request to its handler's functions. */
#ifndef QUASH_LSP_H
#define QUASH_LSP_H

#include "call.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Methods ----------------------------------------------------------------------------------------- */

struct quash_lsp_server;

/** A method. Constant, may live in flash. It stands in the method table by QUASH_LSP_REQUEST and its kin.
 *
 * Which error a handler returns (3.18 "Base Protocol", error codes):
 *
 * - QUASH_CONTENT_MODIFIED: a document has changed in a way that makes the result useless, not because of an edit
 *   that the client has just sent. Clients ask again and show nothing.
 * - QUASH_SERVER_CANCELLED: the server gave up by itself; only for requests whose specification allows it. See
 *   `quash_lsp_server_cancelled`.
 * - QUASH_REQUEST_FAILED: the request was in order and could not be served. Clients show it.
 * - QUASH_CANCELLED cancels the request by the handler, and -32803 is answered: -32800 is only for a client that has
 *   cancelled. */
typedef struct quash_lsp_method {
	const struct quash_lsp_server *server;
	quash_handler *handler; /**< called only while the state rules allow it */
	int32_t (*end)(quash_request *request);   /**< as in quash_method, or NULL */
	void (*released)(quash_request *request); /**< as in quash_method, or NULL */
	const char *empty;      /**< JSON: the result when all has left in parts (`quash_lsp_end_parts`); NULL: `[]` */
	quash_size state_size;  /**< bytes that its handler keeps, see QUASH_LSP_STATE */
} quash_lsp_method;

/** A quash_lsp_method, positional, for C and C++. `end` may be NULL. */
#define QUASH_LSP_HANDLER(server, handler, end, state_size) \
	{ (server), (handler), (end), NULL, NULL, (quash_size)(state_size) }

/* --- Server ------------------------------------------------------------------------------------------ */

/** How far a connection is. */
typedef enum quash_lsp_stage {
	QUASH_LSP_CLOSED,   /**< before `initialize` */
	QUASH_LSP_OPEN,     /**< from `initialize` on */
	QUASH_LSP_SHUT_DOWN /**< from `shutdown` on */
} quash_lsp_stage;

/** What a connection has come to. The caller owns it, one for each peer; zero it before `quash_init` and with
 * `quash_reopen`. */
typedef struct quash_lsp_session {
	uint8_t stage;    /**< a quash_lsp_stage */
	bool exited;      /**< `exit` was received: the program is to end, see `quash_lsp_exit_code` */
	bool work;        /**< `initialize` has announced `window.workDoneProgress`: `quash_lsp_create` may ask */
	uint32_t created; /* tokens of our own so far */
} quash_lsp_session;

/** A member of an object of capabilities. */
typedef struct quash_lsp_capability {
	const char *name; /**< "hoverProvider" */
	const char *json; /**< its value: constant JSON, which is trusted */
} quash_lsp_capability;

struct quash_lease_code;

/** Announces the shortest lease, so that clients give signs of life. Linked only by a server that names it. */
extern const struct quash_lease_code quash_lsp_leases;

/** A server. Constant, may live in flash. */
typedef struct quash_lsp_server {
	const char *name;           /**< as in `serverInfo` */
	const char *version;        /**< the program's own */
	/** ServerCapabilities, `capability_count` of them, but for `experimental`; or NULL. */
	const quash_lsp_capability *capabilities;
	/** The members of `experimental`, `experimental_count` of them; or NULL. `leases` adds `quash/lifeSign`. */
	const quash_lsp_capability *experimental;
	quash_lsp_session *session;
	/** Runs once with the params of `initialize`, before it is answered, to keep what the program needs of them; or
	 * NULL. Replies nothing. */
	void (*initialize)(quash_peer *peer, quash_value params);
	/** Runs with `initialized`: from now on the server may ask the client; or NULL. */
	void (*initialized)(quash_peer *peer);
	uint8_t capability_count;
	uint8_t experimental_count;
	uint8_t token_size;         /**< longest progress token in bytes, up to 255; a longer one is not used */
	/** `&quash_lsp_leases` if a method has a lease; or NULL: `initialize` is refused then, but with `lease_always` */
	const struct quash_lease_code *leases;
} quash_lsp_server;

/** The exit code that 3.18 "Exit Notification" asks for: 0 after `shutdown`, else 1. For a program that ends with
 * `exit` (`session->exited`, to be looked at after each `quash_step`) or with its input. */
uint8_t quash_lsp_exit_code(const quash_lsp_session *session);

/** The entries of a method table for the life cycle. `server` points to a quash_lsp_server. */
#define QUASH_LSP_METHODS(server) \
	QUASH_LSP_LIFE_("initialize", quash_lsp_initialize_, server, QUASH_PARTIAL), \
	QUASH_LSP_LIFE_("initialized", quash_lsp_initialized_, server, QUASH_NOTIFICATION), \
	QUASH_LSP_LIFE_("shutdown", quash_lsp_shutdown_, server, QUASH_PARTIAL), \
	QUASH_LSP_LIFE_("exit", quash_lsp_exit_, server, QUASH_NOTIFICATION), \
	QUASH_LSP_LIFE_("", quash_lsp_unknown_, server, 0)
/** The entry for `window/workDoneProgress/cancel`, which servers with work done progress should have. */
#define QUASH_LSP_WORK(server) \
	QUASH_LSP_LIFE_("window/workDoneProgress/cancel", quash_lsp_cancel_work_, server, QUASH_NOTIFICATION)
#define QUASH_LSP_LIFE_(name, handler, server, marks) \
	QUASH_ENTRY_(name, handler, server, 0, marks)
/** The entry of a request. `method` points to a quash_lsp_method. */
#define QUASH_LSP_REQUEST(name, method) QUASH_LSP_ENTRY(name, method, QUASH_NO_LIMIT, 0, QUASH_FINISHES, NULL)
/** The same with QUASH_PARTIAL: once cancelled, its handler still answers, with what it has. */
#define QUASH_LSP_PARTIAL(name, method) \
	QUASH_LSP_ENTRY(name, method, QUASH_NO_LIMIT, 0, QUASH_PARTIAL | QUASH_FINISHES, NULL)
/** The entry of a notification. */
#define QUASH_LSP_NOTIFICATION(name, method) \
	QUASH_LSP_ENTRY(name, method, QUASH_NO_LIMIT, 0, QUASH_NOTIFICATION | QUASH_FINISHES, NULL)
/** An entry with the `longest`, `lease` and `group` of a quash_motion, and marks: without QUASH_FINISHES its handler is
 * not called again once cancelled. */
#define QUASH_LSP_ENTRY(name, method, longest, lease, marks, group) \
	{ (name), quash_lsp_run_, { quash_lsp_end_, (longest), (lease), (group) }, quash_lsp_released_, NULL, (method), \
	  sizeof(quash_lsp_slot), (marks) }

/** The `state_size` that a server needs, for its `token_size` and the largest `state_size` of its methods. With less, a
 * request that has no room is answered with -32603. */
#define QUASH_LSP_STATE(token_size, largest) \
	((size_t)(largest) + 2 * ((size_t)(token_size) + 3) + sizeof(quash_lsp_slot))

/** What a request's state ends with, after its tokens; what the handler keeps stands at its beginning. Opaque. */
typedef struct quash_lsp_slot {
	int32_t (*close)(quash_request *request); /* ends the work of a token of our own */
	uint8_t flags;
} quash_lsp_slot;

/** For the config's `check`: finds what is wrong with the server and its methods, and states that are too small for
 * them. */
bool quash_lsp_check(const quash_config *config, quash_fault *fault);

/* --- Work done progress (handlers) ----------------------------------------------------------------------
 *
 * 3.18 "Work Done Progress": how far a request is, for the user to see. It goes to the request's `workDoneToken`, or
 * to a token of our own (`quash_lsp_create`). All of these return
 *
 * - QUASH_DONE: it is in TX, or nothing is to be reported: the request has no token, is cancelled, or is answered;
 * - QUASH_PENDING: TX has no room now, and nothing was written. The handler returns it and calls again, or leaves a
 *   report out;
 * - QUASH_TOO_LARGE: it is longer than TX.
 *
 * What was not written is counted in `dropped`. Texts are UTF-8, end with NUL, and are borrowed for the call. */

/** Begins: only once for a request, further ones do nothing.
 *
 * @param title       what is being done
 * @param message     more of it, or NULL
 * @param percentage  0 to 100, a larger one counts as 100; or -1: unknown, then reports should have none either */
int32_t quash_lsp_begin(quash_request *request, const char *title, const char *message, int32_t percentage);

/** How far it is. Only between begin and end, else it does nothing. `message` and `percentage` are as above;
 * `percentage` should not fall. */
int32_t quash_lsp_report(quash_request *request, const char *message, int32_t percentage);

/** Ends what was begun, before the answer: with the answer a client's token is void. `message` is for people, or NULL.
 *
 * Work of a token of our own that is open when the handler ends is ended by itself. That comes after the answer, or
 * before it where an earlier report has found no room. */
int32_t quash_lsp_finish(quash_request *request, const char *message);

/** For a request without `workDoneToken`: asks the client for a token of our own, if it has announced
 * `window.workDoneProgress`. To be called until it returns QUASH_DONE; then the request has a token, or will never
 * have one. Needs a `token_size` of at least QUASH_LSP_OWN_TOKEN, and the entry QUASH_LSP_WORK.
 *
 * @param call  zero at first, or with a `deadline` of the caller's; in the handler's state, kept there as long as the
 *              request
 * @return      QUASH_PENDING: the client has not answered yet; it is waited for until QUASH_LSP_CREATE_MS, or the
 * call's
 *              own `deadline`, have passed, or the request is cancelled. QUASH_DONE: as above */
int32_t quash_lsp_create(quash_request *request, quash_call *call);

/** The longest that `quash_lsp_create` waits for the client, in milliseconds. */
enum { QUASH_LSP_CREATE_MS = 2000 };

/** The length of our tokens. */
enum { QUASH_LSP_OWN_TOKEN = 14 };

/* --- Results (handlers) ------------------------------------------------------------------------------ */

/** Returns whether the client takes partial results of this request (3.18 "Partial Result Progress"): it has sent a
 * `partialResultToken` of at most `token_size` bytes. */
bool quash_lsp_wants_parts(quash_request *request);

/** Writes one part of the result. Once there was one, all leaves in parts, and the answer is `quash_lsp_end_parts`.
 *
 * @param put  puts the part, of the type that the method's partial result has. It is called once, from here
 * @return     QUASH_DONE: it is in TX, or the request is cancelled and nothing is reported any more; QUASH_PENDING: TX
 *             has no room now, call again later with the same part; QUASH_TOO_LARGE: it is longer than TX, make smaller
 *             parts; QUASH_INTERNAL_ERROR: the client takes none */
int32_t quash_lsp_part(quash_request *request, quash_put *put);

/** Answers with the method's `empty` result, as all has left in parts. Returns QUASH_DONE. */
int32_t quash_lsp_end_parts(quash_request *request);

/** Answers -32802, with `data.retriggerRequest`: whether the client should ask again. Returns
 * QUASH_DONE. */
int32_t quash_lsp_server_cancelled(quash_request *request, bool retrigger);

/* --- Looking at a request (handlers) ----------------------------------------------------------------- */

/** The quash_lsp_method of the request's entry. */
const quash_lsp_method *quash_lsp_method_of_(const quash_request *request);

/* --- Handlers, for the method table ------------------------------------------------------------------ */

quash_handler quash_lsp_initialize_;  /**< `initialize`: a cancel of it is of no effect */
quash_handler quash_lsp_initialized_; /**< `initialized` */
quash_handler quash_lsp_shutdown_;    /**< `shutdown`: as `initialize`; answers `null` */
quash_handler quash_lsp_unknown_;     /**< every request that no other entry is for: the state rules, then -32601 */
quash_handler quash_lsp_exit_;        /**< `exit` */
quash_handler quash_lsp_cancel_work_; /**< `window/workDoneProgress/cancel`: cancels the request that has the token */
quash_handler quash_lsp_run_;         /**< calls a quash_lsp_method */
int32_t quash_lsp_end_(quash_request *request);   /**< its `end` hook */
void quash_lsp_released_(quash_request *request); /**< its `released` hook */

#ifdef __cplusplus
}
#endif
#endif
