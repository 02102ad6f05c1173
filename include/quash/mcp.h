/* SPDX-License-Identifier: MIT
 * A Model Context Protocol server: a device that gives its tools to an agent.
 *
 * Both eras of the protocol on one connection. *Legacy* are the revisions 2024-11-05, 2025-03-26, 2025-06-18
 * and 2025-11-25, which begin with `initialize`; *modern* is 2026-07-28, in which every request says in
 * `params._meta` what it speaks. A request with `io.modelcontextprotocol/protocolVersion` there is modern,
 * whatever came before; one without is legacy and needs an earlier `initialize`. Without that it is neither,
 * and gets -32602 in words (2026-07-28 basic "_meta": a missing field is Invalid params). `initialize` and
 * `ping` are legacy by themselves and need nothing before them; with the modern version in `_meta`, `ping` is
 * -32601. `notifications/initialized` needs no handler, and requests are served before it comes.
 *
 * Tools are here; resources, prompts, logging and so on are parts with headers of their own (mcp_resources.h ...),
 * which a server names in its `parts` and in its method table.
 *
 *     static quash_mcp_session session;
 *     static const quash_mcp_tool tools[] = { { .name = "move", .args = &move_params, .call = move } };
 *     static const quash_mcp_server server = {
 *         .name = "arm", .version = "1.0", .session = &session,
 *         .tools = tools, .tool_count = 1, .token_size = 16 };
 *     static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };
 *     QUASH_STORAGE(store, 4, 24, QUASH_MCP_STATE(16, sizeof(struct move)), 512, 128);
 *     static const quash_config config = { QUASH_STORED(store), .dialect = &quash_mcp, .methods = methods,
 *                                          .method_count = sizeof methods / sizeof methods[0] };
 *
 * All of this belongs to the peer's thread, and what takes a request to its tool's functions. */
#ifndef QUASH_MCP_H
#define QUASH_MCP_H

#include "params.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Tools ------------------------------------------------------------------------------------------- */

/** A tool's handler: as a quash_handler, but instead of the params it is given its struct.
 *
 * @param tool_state  the struct of the tool's `args`: arguments filled in, all else zero at the first call
 *                    and then the tool's own. It lives as long as the request
 *
 * Answers may be longer than TX: then the handler is called again for every window and must write the same
 * each time. So an answer is composed from the arguments and from what the tool has stored in its struct
 * beforehand; what changes by itself (a clock, a sensor, a counter) is read once and kept there. A
 * QUASH_ARG_STRING is there until the handler returns QUASH_PENDING, then it is empty. A negative code that
 * is returned is a protocol error; what the model should read is a result, see `quash_mcp_failure`. */
typedef int32_t quash_mcp_handler(quash_request *request, void *tool_state);

/** What a tool says of itself (`annotations`), where it differs from what a client must assume. */
enum {
	QUASH_MCP_READ_ONLY = 1 << 0,   /**< `readOnlyHint` true: it changes nothing */
	QUASH_MCP_ADDITIVE = 1 << 1,    /**< `destructiveHint` false: it only adds */
	QUASH_MCP_IDEMPOTENT = 1 << 2,  /**< `idempotentHint` true: twice is as good as once */
	QUASH_MCP_CLOSED_WORLD = 1 << 3 /**< `openWorldHint` false: it deals with nothing but the device */
};

/** A tool. Constant, may live in flash. */
typedef struct quash_mcp_tool {
	const char *name;           /**< letters, digits, `_`, `-`, `.`; up to 128 */
	const char *title;          /**< for people, or NULL */
	const char *description;    /**< for models, or NULL */
	const quash_params *args;   /**< its arguments and the size of its struct, or NULL for neither */
	const quash_params *output; /**< the struct of its structured result (`quash_mcp_struct`), or NULL */
	const char *output_schema;  /**< in place of `output`: the JSON Schema itself, or NULL */
	quash_mcp_handler *call;
	/** Runs once on every way out of a call whose handler was called; or NULL. May not send. */
	void (*end)(quash_request *request, void *tool_state);
	uint32_t deadline;          /**< milliseconds from its first call until it is cancelled; 0: none */
	uint8_t hints;              /**< QUASH_MCP_READ_ONLY ... */
	uint8_t marks;              /**< QUASH_DROPS, or 0: once cancelled only `end` is called */
} quash_mcp_tool;

/* --- Server ------------------------------------------------------------------------------------------ */

struct quash_mcp_listen;

/** What a connection has agreed on. The caller owns it, one for each peer; zero it before `quash_init` and
 * with `quash_reopen`. */
typedef struct quash_mcp_session {
	const char *version; /**< the revision that `initialize` has chosen; NULL before */
	struct quash_mcp_listen *listens; /* open subscriptions/listen requests */
	uint8_t level;       /* that logging/setLevel has chosen, counted from 1; 0: none */
	uint8_t client;      /**< what the client can be asked, as far as mcp_ask.h is in use: QUASH_MCP_SAMPLING ... */
} quash_mcp_session;

struct quash_mcp_kind;

/** What every part of a server beside its tools begins with. */
typedef struct quash_mcp_part {
	const struct quash_mcp_kind *kind; /**< `&quash_mcp_resources_kind` or one of its kin */
} quash_mcp_part;

struct quash_mcp_watches;

/** The lists that may change while the server runs: `listChanged` is announced for these, see `quash_mcp_changed`. */
enum {
	QUASH_MCP_TOOLS_CHANGE = 1 << 0,
	QUASH_MCP_PROMPTS_CHANGE = 1 << 1,
	QUASH_MCP_RESOURCES_CHANGE = 1 << 2
};

/** A server. Constant, may live in flash. */
typedef struct quash_mcp_server {
	const char *name;           /**< as in `serverInfo` */
	const char *version;        /**< the program's own */
	const char *title;          /**< for people, or NULL */
	const char *instructions;   /**< for models: what the tools are good for, or NULL */
	quash_mcp_session *session;
	const quash_mcp_tool *tools; /**< or NULL for a server without tools */
	/** Its further parts, ending with NULL; or NULL. A part is announced when its methods are in the table too. */
	const quash_mcp_part *const *parts;
	const struct quash_mcp_watches *watches; /**< room for subscriptions to resources, see mcp_listen.h; or NULL */
	uint32_t ttl;               /**< milliseconds for which a modern client may keep what it was told */
	uint8_t tool_count;
	uint8_t page;               /**< entries in one page of a list; 0: all */
	uint8_t token_size;         /**< longest progress token in bytes; a longer one is not used */
	uint8_t changes;            /**< QUASH_MCP_TOOLS_CHANGE ... */
} quash_mcp_server;

/** The revisions that `initialize` knows; another one is answered with the last of them. */
#define QUASH_MCP_LEGACY_VERSIONS { "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25" }
/** The revision of modern requests; another one is refused with QUASH_MCP_UNSUPPORTED. */
#define QUASH_MCP_MODERN_VERSION "2026-07-28"
/** Unsupported protocol version; `data` has `supported` and `requested` (2026-07-28 basic "Error Codes"). */
#define QUASH_MCP_UNSUPPORTED ((int32_t)-32022)

/** The entries of a method table for a server, all or in parts. `server` points to a quash_mcp_server. */
#define QUASH_MCP_METHODS(server) QUASH_MCP_LEGACY(server), QUASH_MCP_MODERN(server), QUASH_MCP_TOOLS(server)
#define QUASH_MCP_LEGACY(server) \
	{ "initialize", quash_mcp_initialize, NULL, NULL, (server), 0, QUASH_LONG }, \
	{ "ping", quash_mcp_ping, NULL, NULL, (server), 0, QUASH_LONG }
#define QUASH_MCP_MODERN(server) \
	{ "server/discover", quash_mcp_discover, NULL, NULL, (server), 0, QUASH_LONG }
#define QUASH_MCP_TOOLS(server) \
	{ "tools/list", quash_mcp_list, NULL, NULL, (server), 0, QUASH_LONG }, \
	{ "tools/call", quash_mcp_call, quash_mcp_end, NULL, (server), 0, QUASH_LONG }

/** The `state_size` that a server needs, for its `token_size` and the size of its largest tool's struct. With
 * less, a request that has no room is answered with -32603. */
#define QUASH_MCP_STATE(token_size, largest) (sizeof(quash_mcp_slot) + (token_size) + 1 + (largest))

/** What a request's state begins with; the tool's struct follows, the token stands at the end. Opaque. */
typedef union quash_mcp_slot {
	struct {
		const void *target;         /* tool, resource or prompt whose handler was called */
		uint32_t reported;          /* the last progress */
		uint8_t token_length;
		uint8_t token_kind;         /* a quash_kind */
		bool begun;                 /* by initialize */
		bool modern;
		bool any;                   /* `reported` holds something */
		bool again;                 /* the last call returned QUASH_RETRY, so this one repeats it */
		uint8_t level;              /* of the log messages that a modern request wants, from 1; 0: none */
	} call;
	int64_t wide;   /* what follows is aligned for any field */
	double number;
	void *pointer;
} quash_mcp_slot;

/* --- Results (tools) ---------------------------------------------------------------------------------
 *
 * A tool ends with `return quash_mcp_text(...)` or one of its kin. What the two eras want beside the content
 * comes by itself. Each may be called again for the same answer, as any reply. */

/** A result of one text. Returns as `quash_send`. */
int32_t quash_mcp_text(quash_request *request, const char *text);

/** A result that says that the tool failed (`isError`) and why, for the model to read. Returns as
 * `quash_send`. */
int32_t quash_mcp_failure(quash_request *request, const char *text);

/** Begins a result of one text, which is the next thing put. Finish it with `quash_send`:
 *
 *     quash_writer *w = quash_mcp_reply(request, false);
 *     quash_put_string_open(w);
 *     quash_put_string_part(w, "at ", 3);
 *     quash_put_string_int(w, position);
 *     quash_put_string_close(w);
 *     return quash_send(request);
 *
 * @param failed  whether it is a failure */
quash_writer *quash_mcp_reply(quash_request *request, bool failed);

/** Begins a result of any content: content blocks (objects with `type`) are what is put next. Finish it with
 * `quash_send`. */
quash_writer *quash_mcp_content(quash_request *request, bool failed);

/** Puts one JSON value, always the same for the same `data`. */
typedef void quash_mcp_put(quash_writer *w, const void *data);

/** A result of one text, which is the JSON that `put` puts. Returns as `quash_send`. `put` is called several
 * times; its cost rises with the square of that JSON's length. */
int32_t quash_mcp_json(quash_request *request, quash_mcp_put *put, const void *data);

/** A result with `structuredContent`, and for clients that do not know it the same as text. What `put` puts
 * must match the tool's output schema, and be an object for legacy clients. Otherwise as `quash_mcp_json`. */
int32_t quash_mcp_structured(quash_request *request, quash_mcp_put *put, const void *data);

/** `quash_mcp_structured` for a struct of the tool's `output` table. */
int32_t quash_mcp_struct(quash_request *request, const void *source);

/* --- Progress (tools) -------------------------------------------------------------------------------- */

/** Tells the caller how far its request is, if it has asked for that with a progress token.
 *
 * @param done     only more than the last time is told
 * @param total    what `done` will be in the end, 0 if unknown; `done` equal to it is not told, as the answer
 *                 follows at once and some clients take progress behind an answer amiss
 * @param message  for people, or NULL
 * @return         whether it was told: not without token, after a cancel, once the answer is on its way, or
 *                 when TX has no room for it (then it is dropped and counted; with a small TX always) */
bool quash_mcp_progress(quash_request *request, uint32_t done, uint32_t total, const char *message);

/* --- Looking at a call (tools) ----------------------------------------------------------------------- */

/** The tool that is called; NULL outside of `tools/call`. */
const quash_mcp_tool *quash_mcp_tool_of(quash_request *request);

/** The server that it belongs to. */
const quash_mcp_server *quash_mcp_server_of(const quash_request *request);

/* --- Handlers, for the method table ------------------------------------------------------------------ */

quash_handler quash_mcp_initialize; /**< `initialize`: 2025-11-25 basic/lifecycle; a second one is -32600 */
quash_handler quash_mcp_ping;       /**< `ping`: 2025-11-25 basic/utilities/ping */
quash_handler quash_mcp_discover;   /**< `server/discover`: 2026-07-28 server/discover */
quash_handler quash_mcp_list;       /**< `tools/list`: server/tools, with pagination; bad cursor -32602 */
quash_handler quash_mcp_call;       /**< `tools/call`: server/tools; unknown tool -32602 */
void quash_mcp_end(quash_request *request); /**< the `end` hook of `tools/call` */

#ifdef __cplusplus
}
#endif
#endif
