/* SPDX-License-Identifier: MIT
 * A Language Server Protocol server (3.17), for the dialect quash_lsp: life cycle, progress, partial results.
 *
 *     struct hover { uint32_t line; };
 *     static int32_t hover(quash_request *request, quash_value params, void *state);
 *
 *     static quash_lsp_session session;
 *     static const quash_lsp_server server = {
 *         .name = "lamp", .version = "1.0", .capabilities = "{\"hoverProvider\":true}",
 *         .session = &session, .token_size = 40 };
 *     static const quash_lsp_method hovers = { .server = &server, .call = hover, .size = sizeof(struct hover) };
 *     static const quash_method methods[] = {
 *         QUASH_LSP_METHODS(&server), QUASH_LSP_REQUEST("textDocument/hover", &hovers) };
 *     QUASH_STORAGE(store, 4, 40, QUASH_LSP_STATE(40, sizeof(struct hover)), 2048, 256);
 *     static const quash_config config = { QUASH_STORED(store), .dialect = &quash_lsp, .methods = methods,
 *                                          .method_count = sizeof methods / sizeof methods[0] };
 *
 * Requests before `initialize` are refused with -32002, those after `shutdown` and a second `initialize` with
 * -32600; notifications outside of these two are dropped, but for `exit` (3.17 "Lifecycle Messages"). This holds for
 * every method whose handler is a quash_lsp_handler. A quash_handler that stands in the table by itself is called
 * at any time.
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

/** The handler of a request or notification: as a quash_handler, but it is called only while the state rules allow it,
 * and its state is handed to it (`quash_state` is the profile's).
 *
 * @param params  as a quash_handler's: there at the first call and after QUASH_RETRY, else QUASH_NONE
 * @param state   `size` bytes, zero at the first call, kept as long as the request; NULL never, even if `size` is 0
 *
 * Answers may be longer than TX: then the handler is called again for every window and must write the same each
 * time. Which error says what (3.17 "Base Protocol", error codes):
 *
 * - QUASH_CONTENT_MODIFIED: a document has changed in a way that makes the result useless, not because of an edit
 *   that the client has just sent. Clients ask again and show nothing.
 * - QUASH_SERVER_CANCELLED: the server gave up by itself; only for requests whose specification allows it. See
 *   `quash_lsp_server_cancelled`.
 * - QUASH_REQUEST_FAILED: the request was in order and could not be served. Clients show it.
 * - QUASH_CANCELLED, returned, cancels the request by the handler, and -32803 is answered: a client that has not
 *   cancelled must not be told -32800. */
typedef int32_t quash_lsp_handler(quash_request *request, quash_value params, void *state);

/** A method. Constant, may live in flash. It stands in the method table by QUASH_LSP_REQUEST and its kin. */
typedef struct quash_lsp_method {
	const struct quash_lsp_server *server;
	quash_lsp_handler *call;
	/** Runs once on every way out of a request whose handler was called; or NULL. May not send. */
	void (*end)(quash_request *request, void *state);
	const char *empty; /**< JSON: the result when all was told in parts (`quash_lsp_all_told`); NULL: `[]` */
	uint32_t deadline; /**< milliseconds from its first call until it is cancelled; 0: none; at most 2^31 - 1 */
	quash_size size;   /**< of its state */
	uint8_t marks;     /**< QUASH_DROPS, or 0: once cancelled only `end` is called */
} quash_lsp_method;

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
	bool exited;      /**< `exit` was heard: the program is to end, see `quash_lsp_exit_code` */
	bool work;        /**< the client has announced `window.workDoneProgress` */
	uint32_t created; /* tokens of our own so far */
} quash_lsp_session;

/** A server. Constant, may live in flash. */
typedef struct quash_lsp_server {
	const char *name;         /**< as in `serverInfo` */
	const char *version;      /**< the program's own */
	const char *capabilities; /**< ServerCapabilities as JSON, or NULL for `{}` */
	quash_lsp_session *session;
	/** Told the params of `initialize` once, before it is answered, to keep what the program needs of them; or NULL.
	 * May not send. */
	void (*initialize)(quash_peer *peer, quash_value params);
	/** Told of `initialized`: from now on the server may ask the client; or NULL. */
	void (*initialized)(quash_peer *peer);
	uint8_t token_size;       /**< longest progress token in bytes; a longer one is not used */
} quash_lsp_server;

/** The exit code that 3.17 "Exit Notification" asks for: 0 after `shutdown`, else 1. For a program that ends with
 * `exit` (`session->exited`, to be looked at after each `quash_step`) or with its input. */
uint8_t quash_lsp_exit_code(const quash_lsp_session *session);

/** The entries of a method table for the life cycle. `server` points to a quash_lsp_server. */
#define QUASH_LSP_METHODS(server) \
	{ "initialize", quash_lsp_initialize, NULL, NULL, (server), 0, QUASH_LONG | QUASH_PARTIAL }, \
	{ "initialized", quash_lsp_initialized, NULL, NULL, (server), 0, QUASH_NOTIFICATION }, \
	{ "shutdown", quash_lsp_shutdown, NULL, NULL, (server), 0, QUASH_LONG | QUASH_PARTIAL }, \
	{ "exit", quash_lsp_exit, NULL, NULL, (server), 0, QUASH_NOTIFICATION }, \
	{ "", quash_lsp_unknown, NULL, NULL, (server), 0, QUASH_LONG }
/** The entry for `window/workDoneProgress/cancel`, which servers that tell work done progress should have. */
#define QUASH_LSP_WORK(server) \
	{ "window/workDoneProgress/cancel", quash_lsp_cancel_work, NULL, NULL, (server), 0, QUASH_NOTIFICATION }
/** The entry of a request. `method` points to a quash_lsp_method. */
#define QUASH_LSP_REQUEST(name, method) { (name), quash_lsp_run, quash_lsp_end, NULL, (method), 0, QUASH_LONG }
/** The same with QUASH_PARTIAL: once cancelled, its handler still answers, with what it has. */
#define QUASH_LSP_PARTIAL(name, method) \
	{ (name), quash_lsp_run, quash_lsp_end, NULL, (method), 0, QUASH_LONG | QUASH_PARTIAL }
/** The entry of a notification. */
#define QUASH_LSP_NOTIFICATION(name, method) \
	{ (name), quash_lsp_run, quash_lsp_end, NULL, (method), 0, QUASH_NOTIFICATION }

/** The `state_size` that a server needs, for its `token_size` and the largest `size` of its methods. With less, a
 * request that has no room is answered with -32603. */
#define QUASH_LSP_STATE(token_size, largest) \
	(sizeof(quash_lsp_slot) + 2 * ((size_t)(token_size) + 3) + (size_t)(largest))

/** What a request's state begins with; the method's own follows, the tokens stand at the end. Opaque. */
typedef union quash_lsp_slot {
	struct {
		int32_t (*close)(quash_request *request); /* ends the work of a token of our own */
		int32_t code;  /* that the handler returned, while the end of its work finds no room */
		uint8_t flags;
	} call;
	int64_t wide; /* what follows is aligned for any field */
	double number;
	void *pointer;
} quash_lsp_slot;

/* --- Work done progress (handlers) ----------------------------------------------------------------------
 *
 * 3.17 "Work Done Progress": how far a request is, for the user to see. It goes to the request's `workDoneToken`, or
 * to a token of our own (`quash_lsp_create`). A request without token has nobody to tell: all of these then do
 * nothing and return QUASH_DONE, as they do once the request is cancelled or its answer is on its way.
 *
 * All return QUASH_DONE, QUASH_RETRY when TX has no room now (return it, or go on and call again later; a report may
 * also be left out), or QUASH_TOO_LARGE when it is longer than TX at all. What was not told is counted in `dropped`. */

/** Begins: only once for a request, further ones do nothing.
 *
 * @param title       what is being done
 * @param message     more of it, or NULL
 * @param percentage  0 to 100, or -1: unknown, then reports should have none either */
int32_t quash_lsp_begin(quash_request *request, const char *title, const char *message, int32_t percentage);

/** Tells how far it is. Only between begin and end; `percentage` should not fall. */
int32_t quash_lsp_report(quash_request *request, const char *message, int32_t percentage);

/** Ends what was begun, before the answer: with the answer a client's token is void.
 *
 * Work of a token of our own is ended by itself when its request is cancelled or fails. */
int32_t quash_lsp_finish(quash_request *request, const char *message);

/** For a request without `workDoneToken`: asks the client for a token of our own, if it has announced
 * `window.workDoneProgress`. To be called until it returns QUASH_DONE; then the request has a token, or will never
 * have one. Needs a `token_size` of at least QUASH_LSP_OWN_TOKEN, and the entry QUASH_LSP_WORK.
 *
 * @param call  zero at first; in the handler's state, kept there as long as the request
 * @return      QUASH_PENDING: the client has not answered yet; QUASH_DONE */
int32_t quash_lsp_create(quash_request *request, quash_call *call);

/** The length of our tokens. */
#define QUASH_LSP_OWN_TOKEN 14

/* --- Results (handlers) ------------------------------------------------------------------------------ */

/** Puts one JSON value, always the same for the same `data`. */
typedef void quash_lsp_put(quash_writer *w, const void *data);

/** Says whether the client takes partial results of this request (3.17 "Partial Result Progress"). */
bool quash_lsp_wants_parts(quash_request *request);

/** Tells one part of the result. Once one is told, all must be told in parts, and the answer is `quash_lsp_all_told`.
 *
 * @param put  puts the part, of the type that the method's partial result has; called once
 * @return     QUASH_DONE (also after a cancel, when nothing is told any more); QUASH_RETRY: TX has no room now, call
 *             again later with the same part; QUASH_TOO_LARGE: it is longer than TX, make smaller parts;
 *             QUASH_INTERNAL_ERROR: the client takes none */
int32_t quash_lsp_part(quash_request *request, quash_lsp_put *put, const void *data);

/** Answers with the method's `empty` result, as all was told in parts. Returns as `quash_send`. */
int32_t quash_lsp_all_told(quash_request *request);

/** Answers -32802, with `data.retriggerRequest`: whether the client should ask again. Returns as `quash_send`. */
int32_t quash_lsp_server_cancelled(quash_request *request, bool retrigger);

/* --- Looking at a request (handlers) ----------------------------------------------------------------- */

/** The request's method. */
const quash_lsp_method *quash_lsp_method_of(const quash_request *request);

/* --- Handlers, for the method table ------------------------------------------------------------------ */

quash_handler quash_lsp_initialize;  /**< `initialize`: a cancel of it is of no effect */
quash_handler quash_lsp_initialized; /**< `initialized` */
quash_handler quash_lsp_shutdown;    /**< `shutdown`: as `initialize`; answers `null` */
quash_handler quash_lsp_unknown;     /**< every request that no other entry is for: the state rules, then -32601 */
quash_handler quash_lsp_exit;        /**< `exit` */
quash_handler quash_lsp_cancel_work; /**< `window/workDoneProgress/cancel`: cancels the request that has the token */
quash_handler quash_lsp_run;         /**< calls a quash_lsp_method */
void quash_lsp_end(quash_request *request); /**< its `end` hook */

#ifdef __cplusplus
}
#endif
#endif
