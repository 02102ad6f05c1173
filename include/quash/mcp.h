/* SPDX-License-Identifier: MIT
 * A Model Context Protocol server: a device that gives its tools to an agent.
 *
 * Both eras of the protocol on one connection. *Legacy* are the revisions 2024-11-05, 2025-03-26, 2025-06-18 and
 * 2025-11-25, which begin with `initialize`. *Modern* is 2026-07-28, in which every request names in `params._meta` its
 * revision. A request with `io.modelcontextprotocol/protocolVersion` there is modern, whatever came before. One without
 * is legacy and needs an earlier `initialize`. Without that it is neither, and gets -32602 in words (2026-07-28 basic
 * "_meta": a missing field is Invalid params). `initialize` and `ping` are legacy by themselves and need nothing before
 * them. With the modern version in `_meta`, `ping` is -32601. So is an `initialize` without a `protocolVersion` of its
 * own, though it begins a new session as any `initialize` does. `notifications/initialized` needs no handler. Requests
 * are served before it comes. Batches, which only 2025-03-26 has, are answered with one -32600.
 *
 * Tools are here. Resources, prompts, logging and so on are parts with headers of their own (mcp_resources.h ...). A
 * server names them in its `parts` and in its method table.
 *
 *     static quash_mcp_session session;
 *     static const quash_mcp_tool tools[] = {
 *         { .name = "move", .description = "Moves the arm", .args = &move_params, .call = move,
 *           .motion = { .end = stop, .longest = 60000, .lease = 2000, .group = &arm } } };
 *     static const quash_mcp_server server = { .name = "arm", .version = "1.0", .session = &session,
 *         QUASH_MCP_TOOL_LIST(tools), .token_size = 40, .modern = &quash_mcp_modern };
 *     static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };
 *     QUASH_STORAGE(store, 4, 24, QUASH_MCP_STATE(40, sizeof(struct move)), 256, 160);
 *     static const quash_config config = { QUASH_MCP_CONFIG(store, methods) };
 *
 * QUASH_MCP_DEVICE of mcp_device.h stands for all but the tools. In C++11 cxx.h names the members.
 *
 * All of this belongs to the peer's thread, and what takes a request to its tool's functions. */
#ifndef QUASH_MCP_H
#define QUASH_MCP_H

#include "params.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Tools ------------------------------------------------------------------------------------------- */

/** Marks of what a tool does (`annotations`), where it differs from what a client must assume. */
enum {
	QUASH_MCP_READ_ONLY = 1 << 0,   /**< `readOnlyHint` true: it changes nothing */
	QUASH_MCP_ADDITIVE = 1 << 1,    /**< `destructiveHint` false: it only adds */
	QUASH_MCP_IDEMPOTENT = 1 << 2,  /**< `idempotentHint` true: twice is as good as once */
	QUASH_MCP_CLOSED_WORLD = 1 << 3 /**< `openWorldHint` false: it deals with nothing but the device */
};

/** A tool. Constant, may live in flash. In C++11 cxx.h names its members. */
typedef QUASH_FLASH struct quash_mcp_tool {
	const char *name;           /**< letters, digits, `_`, `-`, `.`; up to 128 */
	const char *title;          /**< for people, or NULL */
	const char *description;    /**< for models, or NULL */
	/** Its arguments and the size of its struct; other arguments are refused. NULL: no struct, any arguments, and the
	 * tool reads them itself, if any. */
	const quash_params *args;
	const quash_params *output; /**< the table of its structured result, or NULL */
	const char *output_schema;  /**< in place of `output`: the JSON Schema itself, or NULL */
	/** As every handler: acts once, is called until it returns something other than QUASH_PENDING, and ends with
	 * `return quash_mcp_text(...)` or one of its kin. A negative code that it returns is a protocol error; what the
	 * model should read is a result, see `quash_mcp_failure`. Its struct is QUASH_TOOL. */
	quash_handler *call;
	/** What it moves; or all 0. `end` runs if `call` was called. What its longest time has ended is a result, in which
	 * the model reads why. */
	quash_motion motion;
	void (*released)(quash_request *request); /**< see `quash_method.released`; or NULL. Runs if `call` was called */
	const char *busy;           /**< what a model reads while its group is held; NULL: `<name> is busy` */
	uint8_t hints;              /**< QUASH_MCP_READ_ONLY ... */
	uint8_t marks;              /**< QUASH_FINISHES, or 0 */
} quash_mcp_tool;

/** The struct of the tool, prompt or resource that is called, as a `T *`; in put functions as a `const T *`.
 *
 * Arguments are filled in, all else is zero at the first call and then the handler's own. It lives until the slot is
 * given back. */
#define QUASH_TOOL(T, request) ((T *)quash_mcp_tool_state_((request), sizeof(T)))
#define QUASH_CONST_TOOL(T, request) ((const T *)quash_mcp_const_tool_state_((request), sizeof(T)))

/** What the macros above stand for: never NULL, as QUASH_STATE. */
void *quash_mcp_tool_state_(quash_request *request, size_t size);
const void *quash_mcp_const_tool_state_(const quash_request *request, size_t size); /**< see above */

/** The same, but NULL when the config's `state_size` has no room for `size` bytes: counted (`misuses`) and traced. A
 * tool that has no room for the structs of its tables is never called then. */
void *quash_mcp_state(quash_request *request, size_t size);
const void *quash_mcp_const_state(const quash_request *request, size_t size); /**< see above */

/** The argument with that name as it came in, for a QUASH_ARG_STRING and for tools without a table. QUASH_NONE when it
 * is absent or released. Lives as every view.
 *
 * A table without a QUASH_ARG_STRING copies all arguments. Then the params, `_meta` in them, are released after the
 * first call of `quash_mcp_tool.call`. What it wants to know later it reads there, and stores. The profile stores the
 * progress token. */
quash_value quash_mcp_argument(const quash_request *request, const char *name);

/* --- Server ------------------------------------------------------------------------------------------ */

struct quash_mcp_listen;

/** What a connection has agreed on. The caller owns it, one for each peer; `quash_mcp_new_session` clears it before
 * another `quash_init` and with `quash_reopen`. Peers may share a server, and so its session, if their methods are none
 * of QUASH_MCP_LEGACY, their configs name no `new_session`, and the server has neither `watches` nor confirmed
 * tools. */
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

struct quash_mcp_modern_code;
struct quash_lease_code;
struct quash_mcp_closed_code;

/** Serves modern requests. Linked only by a server that names it. */
extern const struct quash_mcp_modern_code quash_mcp_modern;

/** Announces the shortest lease, so that clients give signs of life, and longest times. Answers a tool that its longest
 * time has ended with a result. Linked only by a server that names it. */
extern const struct quash_lease_code quash_mcp_leases;

/** Puts `additionalProperties` false into the `inputSchema` of each table. Some model APIs refuse that. Linked only by
 * a server that names it. */
extern const struct quash_mcp_closed_code quash_mcp_closed;

/** A server. Constant, may live in flash. */
typedef struct quash_mcp_server {
	const char *name;           /**< as in `serverInfo` */
	const char *version;        /**< the program's own */
	const char *title;          /**< for people, or NULL */
	const char *instructions;   /**< for models: what the tools are good for, or NULL */
	quash_mcp_session *session;
	const quash_mcp_tool *tools; /**< or NULL for a server without tools */
	/** Its further parts, ending with NULL; or NULL. Those with methods of their own have them in the table too, and
	 * those methods stand in no table without their part: `quash_mcp_check` says what is missing. */
	const quash_mcp_part *const *parts;
	/** `&quash_mcp_modern` to serve modern requests, with QUASH_MCP_MODERN in the table; NULL: legacy ones alone. */
	const struct quash_mcp_modern_code *modern;
	const struct quash_mcp_watches *watches; /**< room for subscriptions to resources, see mcp_listen.h; or NULL */
	uint32_t ttl;               /**< milliseconds for which a modern client may keep lists and what is offered */
	uint8_t tool_count;
	uint8_t page;               /**< entries in one page of a list; 0: all */
	/** Longest progress token in bytes, 0 to 232. A request with a longer one gets no progress. So many bytes and one
	 * more are also the room for the values of `quash_mcp_textf` */
	uint8_t token_size;
	uint8_t changes;            /**< QUASH_MCP_TOOLS_CHANGE ... */
	/** What the program itself reads of params beside `arguments`, see quash_keep; or NULL */
	const quash_keep *keeps;
	uint8_t keep_count;         /**< of `keeps` */
	/** `&quash_mcp_leases` if a tool or method has a lease, as QUASH_MCP_TOOL_LIST sets it; or NULL. Without, no client
	 * learns of leases, and none would end anything. So such a tool is never called, but with the config's
	 * `lease_always`: -32603. Methods of the program itself are looked at by `quash_mcp_check` alone,
	 * on the device or on the PC */
	const struct quash_lease_code *leases;
	/** Arguments that hosts add to each call and that are ignored, ending with NULL; or NULL. */
	const char *const *ignored;
	const struct quash_mcp_closed_code *closed; /**< `&quash_mcp_closed`, or NULL */
} quash_mcp_server;

/** The tools of an array, and what they need: members of a quash_mcp_server, for C. A server that is written so cannot
 * forget `leases`. In C++11 `tools` of cxx.h does that. */
#define QUASH_MCP_TOOL_LIST(list) \
	.tools = (list), .tool_count = sizeof(list) / sizeof((list)[0]), .leases = &quash_mcp_leases

/** What 0.3.0 had, see method.h. */
#define QUASH_MCP_TOOL(...) { quash_mcp_tool_is_gone_name_its_members }
#define QUASH_MCP_TOOL_STRUCT(...) { quash_mcp_tool_struct_is_gone_name_its_members }
#define QUASH_MCP_TOOL_MOTION(...) { quash_mcp_tool_motion_is_gone_write_motion }
#define QUASH_MCP_MOVES(...) .motion = { quash_mcp_moves_is_gone_write_motion }
#define QUASH_MCP_SERVER(...) { quash_mcp_server_is_gone_name_its_members }
#define QUASH_MCP_SERVER_PARTS(...) { quash_mcp_server_parts_is_gone_name_its_members }

/** The revisions that `initialize` knows; another one is answered with the last of them. */
#define QUASH_MCP_LEGACY_VERSIONS { "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25" }
/** The revision of modern requests; another one is refused with QUASH_MCP_UNSUPPORTED. */
#define QUASH_MCP_MODERN_VERSION "2026-07-28"
/** Unsupported protocol version; `data` has `supported` and `requested` (2026-07-28 basic "Error Codes"). */
#define QUASH_MCP_UNSUPPORTED ((int32_t)-32022)

/** The entries of a method table for a server, all or in parts. `server` points to a quash_mcp_server. */
#define QUASH_MCP_METHODS(server) QUASH_MCP_LEGACY(server), QUASH_MCP_MODERN(server), QUASH_MCP_TOOLS(server)
#define QUASH_MCP_LEGACY(server) \
	QUASH_MCP_METHOD_("initialize", quash_mcp_initialize_, server, QUASH_SESSION), \
	QUASH_MCP_METHOD_("ping", quash_mcp_ping_, server, QUASH_NEVER_BUSY)
#define QUASH_MCP_MODERN(server) QUASH_MCP_METHOD_("server/discover", quash_mcp_server_discover_, server, 0)
#define QUASH_MCP_TOOLS(server) \
	QUASH_MCP_METHOD_("tools/list", quash_mcp_tools_list_, server, 0), \
	QUASH_HOOKED_("tools/call", quash_mcp_tools_call_, quash_mcp_tools_end_, quash_mcp_tools_released_, server, \
		sizeof(quash_mcp_slot), QUASH_LISTED)
/* A method without hooks. */
#define QUASH_MCP_METHOD_(name, handler, server, marks) \
	QUASH_ENTRY_(name, handler, server, sizeof(quash_mcp_slot), (marks) | QUASH_LISTED)

/** What a server needs of params: `arguments`, and the members that the server, its parts and its `keeps` name. Of
 * `_meta` it is the progress token, and what the modern revision needs. Names that begin with
 * `io.modelcontextprotocol/` lose that. Without QUASH_MCP_LEGACY the first method that is marked QUASH_LISTED is one of
 * the server's. Not for a config that forwards requests of MCP. */
extern const quash_keeps quash_mcp_keeps;

/** All members of a quash_config, for a `store` of QUASH_STORAGE and an array of methods; for C and C++. In C one more
 * behind them takes the place of one of these, of which -Woverride-init warns. Then all are named:
 *
 *     static const quash_config config = { QUASH_STORED(store), .dialect = &quash_mcp, .methods = methods,
 *         .method_count = sizeof methods / sizeof methods[0], .check = quash_mcp_check,
 *         .new_session = quash_mcp_new_session, .calls = &quash_calls, .keeps = &quash_mcp_keeps,
 *         .faults = &quash_faults }; */
#define QUASH_MCP_CONFIG(store, methods) \
	QUASH_STORED(store), &quash_mcp, (methods), (uint8_t)(sizeof(methods) / sizeof((methods)[0])), 0, 0, false, 0, \
	NULL, NULL, quash_mcp_check, quash_mcp_new_session, NULL, NULL, NULL, &quash_mcp_keeps, &quash_faults, NULL, \
	NULL, 0

/** The `state_size` that a server needs, for its `token_size` and the size of its largest struct. `quash_init` finds
 * one that is too small, if the config has quash_mcp_check; without, a request that has no room is answered -32603. */
#define QUASH_MCP_STATE(token_size, largest) (sizeof(quash_mcp_slot) + (token_size) + 1 + (largest))

/** For the config's `check`: finds what is wrong with the servers of the method table: tools, parts, params tables and
 * the room for their structs. The fault names the tool, prompt, resource or argument. Cost: the square of the number of
 * tools. */
bool quash_mcp_check(const quash_config *config, quash_fault *fault);

/** For the config's `new_session`: forgets what the last client had agreed on, its log level, and what it had
 * subscribed to. To be called also before another `quash_init` and with `quash_reopen`. */
void quash_mcp_new_session(quash_peer *peer);

/** The part of a list that is asked for. Opaque. */
typedef struct quash_mcp_page {
	uint8_t first, end, count;
} quash_mcp_page;

/** What a request's state begins with; the struct follows, the token stands at the end. Opaque. */
typedef union quash_mcp_slot {
	struct {
		const void *target;     /* tool, resource or prompt that is called */
		union quash_mcp_kept {
			quash_put *put;
			const char *text;
			const void *bytes;
			uint8_t asked;      /* before: so many questions, see mcp_input.h */
		} content;              /* of the result */
		union {
			uint32_t reported;  /* the last progress, if MCP_REPORTED */
			uint32_t size;      /* of the bytes */
			quash_mcp_page page;
		} extent;
		uint8_t token_length;
		uint8_t token_kind;     /* a quash_kind */
		uint8_t marks;          /* enum mcp_mark */
		uint8_t level;          /* of the log messages that a modern request wants, from 1; 0: none */
	} call;
	int64_t wide;   /* what follows is aligned for any field */
	double number;
	void *pointer;
} quash_mcp_slot;

/* --- Results (tools) ---------------------------------------------------------------------------------
 *
 * A tool ends with `return quash_mcp_text(...)` or one of its kin. Each records the answer and returns what
 * `quash_reply` returns. What the two eras want beside the content comes by itself. Put functions follow the rules of
 * quash_put: they read QUASH_CONST_TOOL, `quash_mcp_argument` and constants. */

/** A result of one text. A literal only. */
#define quash_mcp_text(request, literal) quash_mcp_text_((request), "" literal "")
/** A result that shows that the tool failed (`isError`) and why, for the model to read. A literal only. */
#define quash_mcp_failure(request, literal) quash_mcp_failure_((request), "" literal "")

/** A result of one text with values in it: `return quash_mcp_textf(request, "%d steps, %s", n, name);`. The format is
 * that of quash_put_textf: a literal, and at least one value.
 *
 * Values are copied as the text that is put for them, texts too, so they may stand on the stack, in params, in a
 * sensor. They take one byte more than they show. All together have the room of the server's `token_size` and one byte:
 * in the request's state, where its progress token was. What finds no room reads `...`, also behind the beginning of a
 * text that was cut. The constant part of the text is always whole. It is counted (`misuses`) and traced
 * (QUASH_WHY_TEXT_SIZE). */
#define quash_mcp_textf(request, format, ...) quash_mcp_textf_((request), "" format "", __VA_ARGS__)
/** The same for a tool that failed (`isError`). */
#define quash_mcp_failuref(request, format, ...) quash_mcp_failuref_((request), "" format "", __VA_ARGS__)

/** What the macros above stand for. */
int32_t quash_mcp_textf_(quash_request *request, const char *format, ...) QUASH_FORMAT_(2, 3);
int32_t quash_mcp_failuref_(quash_request *request, const char *format, ...) QUASH_FORMAT_(2, 3); /**< see above */

/** What quash_mcp_text and quash_mcp_failure stand for. `text` must live until the answer has left: a constant. */
int32_t quash_mcp_text_(quash_request *request, const char *text);
int32_t quash_mcp_failure_(quash_request *request, const char *text); /**< see above */

/** What 0.3.0 had: docs/upgrading.md has each line, old and new. */
#define quash_mcp_text_literal(request, text) quash_mcp_text_literal_is_gone_write_quash_mcp_text
#define quash_mcp_failure_literal(request, text) quash_mcp_failure_literal_is_gone_write_quash_mcp_failure
#define quash_mcp_state_or_nowhere(request, size) quash_mcp_state_or_nowhere_is_gone_write_QUASH_TOOL
#define quash_mcp_const_state_or_nowhere(request, size) quash_mcp_const_state_or_nowhere_is_gone_write_QUASH_CONST_TOOL

/** A result of one text of any length, which `put` puts as one string:
 *
 *     static void put_name(quash_writer *w, const quash_request *request)
 *     {
 *         quash_put_value(w, quash_mcp_argument(request, "name"));
 *     } */
int32_t quash_mcp_reply(quash_request *request, quash_put *put);

/** The same for a tool that failed (`isError`). */
int32_t quash_mcp_failure_put(quash_request *request, quash_put *put);

/** A result of any content: `put` puts content blocks, objects with `type`, one after the other.
 *
 * @param failed  whether the tool failed */
int32_t quash_mcp_content(quash_request *request, bool failed, quash_put *put);

/** A result of one text, which is the JSON value that `put` puts. */
int32_t quash_mcp_json(quash_request *request, quash_put *put);

/** A result with `structuredContent`, and for clients that do not know it the same as text. What `put` puts
 * must match the tool's output schema, and be an object for legacy clients. It runs twice for each window. */
int32_t quash_mcp_structured(quash_request *request, quash_put *put);

/** `quash_mcp_structured` for the tool's struct, as its `output` table describes it. QUASH_INTERNAL_ERROR without such
 * a table, and for one with a QUASH_ARG_STRING: that has no field, so the tool puts its result itself. */
int32_t quash_mcp_struct(quash_request *request);

/* --- Notifications ----------------------------------------------------------------------------------- */

/** What becomes of a notification of ours. As a condition it is false only if it is worth another try: what must not be
 * lost is tried as long as it is false, and no client can make that last for ever. */
typedef enum quash_mcp_sent {
	/** 0: TX has no room now, or an answer waits. It is dropped and counted, and may be tried again */
	QUASH_MCP_NO_ROOM,
	QUASH_MCP_SENT,     /**< it stands in TX */
	QUASH_MCP_TOO_LONG, /**< it is longer than TX, or a put function put no JSON: dropped and counted, and never sent */
	QUASH_MCP_UNWANTED  /**< nobody is to get it, now or later */
} quash_mcp_sent;

/* --- Progress (tools) -------------------------------------------------------------------------------- */

/** Reports to the caller how far its request is, if it has asked for that with a progress token.
 *
 * @param done     only more than what was sent last is sent
 * @param total    what `done` will be in the end, 0 if unknown; `done` equal to it is not sent, as the answer
 *                 follows at once
 * @param message  for people, or NULL
 * @return         QUASH_MCP_UNWANTED: without token, after a cancel, once the answer is recorded, and if it is no more
 *                 than was sent last, or all */
quash_mcp_sent quash_mcp_progress(quash_request *request, uint32_t done, uint32_t total, const char *message);

/* --- Looking at a call (tools) ----------------------------------------------------------------------- */

/** The tool that is called; NULL outside of `tools/call`. */
const quash_mcp_tool *quash_mcp_tool_of(const quash_request *request);

/** The server that the request belongs to. */
const quash_mcp_server *quash_mcp_server_of(const quash_request *request);

/* --- Handlers, for the method table ------------------------------------------------------------------ */

quash_handler quash_mcp_initialize_;      /**< 2025-11-25 basic/lifecycle; a second one begins a new session */
quash_handler quash_mcp_ping_;            /**< 2025-11-25 basic/utilities/ping */
quash_handler quash_mcp_server_discover_; /**< 2026-07-28 server/discover */
quash_handler quash_mcp_tools_list_;      /**< server/tools, with pagination; bad cursor -32602 */
quash_handler quash_mcp_tools_call_;      /**< server/tools; unknown tool -32602 */
int32_t quash_mcp_tools_end_(quash_request *request);   /**< the `end` hook of `tools/call` */
void quash_mcp_tools_released_(quash_request *request); /**< the `released` hook of `tools/call` */

#ifdef __cplusplus
}
#endif
#endif
