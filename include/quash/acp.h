/* SPDX-License-Identifier: MIT
 * An Agent Client Protocol agent (v1): a device that is prompted by an editor and reports what it does.
 *
 *     struct turn { bool reported; };
 *
 *     static int32_t turn(quash_request *request)
 *     {
 *         struct turn *t = QUASH_STATE(struct turn, request);
 *         if (!t->reported) {
 *             const int32_t code = quash_acp_message(request, "The pump runs.");
 *             if (code != QUASH_DONE)
 *                 return code;
 *             t->reported = true;
 *         }
 *         return quash_acp_stop(request, QUASH_ACP_END_TURN);
 *     }
 *
 *     static quash_acp_connection connection;
 *     static quash_acp_session sessions[2];
 *     static const quash_acp_agent agent = {
 *         .name = "pump", .version = "1.0", .connection = &connection, .sessions = sessions,
 *         .session_count = 2, .prompt = turn, .state_size = sizeof(struct turn) };
 *     static const quash_method methods[] = { QUASH_ACP_METHODS(&agent) };
 *     QUASH_STORAGE(store, 4, 40, QUASH_ACP_STATE(sizeof(struct turn)), 1024, 256);
 *     static uint8_t tags[QUASH_ACP_TAGS(4)];
 *     static const quash_config config = {
 *         QUASH_STORED(store), .dialect = &quash_acp, .methods = methods,
 *         .method_count = sizeof methods / sizeof methods[0], .tags = tags, .tag_size = QUASH_ACP_TAG_SIZE,
 *         .check = quash_acp_check, .new_session = quash_acp_new_session, .faults = &quash_faults };
 *
 * A prompt may be cancelled by `session/cancel`, `$/cancel_request` or any cause of our own. It is answered with the
 * stop reason `cancelled`, whether its turn had begun or not. Every other request is answered with -32800.
 *
 * A second `initialize` comes from a new client: what is live is cancelled with QUASH_BY_SESSION and never answered,
 * and its sessions are gone.
 *
 * All of this belongs to the peer's thread. What takes a request wants one of a prompt, in its turn. */
#ifndef QUASH_ACP_H
#define QUASH_ACP_H

#include "call.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- The agent --------------------------------------------------------------------------------------- */

/** A session. The caller lends an array of them; what is not documented is opaque. */
typedef struct quash_acp_session {
	uint32_t number;       /* 0: free */
	quash_request *prompt; /**< may be read: the prompt that is live in it, or NULL */
	uint8_t mode;          /**< may be read: the index of its mode */
} quash_acp_session;

/** What the client has announced in `initialize` that it can do. */
enum {
	QUASH_ACP_CAN_READ = 1 << 0,    /**< `fs.readTextFile` */
	QUASH_ACP_CAN_WRITE = 1 << 1,   /**< `fs.writeTextFile` */
	QUASH_ACP_HAS_TERMINAL = 1 << 2 /**< `terminal` */
};

/** What a connection has agreed on. The caller owns it, one for each peer, zero at first; see `quash_acp_reset`. */
typedef struct quash_acp_connection {
	uint32_t minted;     /* the last session's number */
	bool initialized;    /**< may be read: requests are served */
	uint8_t client;      /**< may be read: QUASH_ACP_CAN_READ ... */
} quash_acp_connection;

/** A mode that a session may be in (session-modes). */
typedef struct quash_acp_mode {
	const char *id;
	const char *name;        /**< for people */
	const char *description; /**< for people, or NULL */
} quash_acp_mode;

/** What a prompt may hold beside text and resource links, which every agent takes (`promptCapabilities`). */
enum {
	QUASH_ACP_IMAGES = 1 << 0,
	QUASH_ACP_AUDIO = 1 << 1,
	QUASH_ACP_EMBEDDED = 1 << 2 /**< `embeddedContext`: blocks of type `resource` */
};

struct quash_lease_code;

/** Announces the shortest lease, so that clients give signs of life. Linked only by an agent that names it. */
extern const struct quash_lease_code quash_acp_leases;

/** An agent. Constant, may live in flash. */
typedef struct quash_acp_agent {
	const char *name;            /**< as in `agentInfo` */
	const char *version;         /**< the program's own */
	const char *title;           /**< for people, or NULL */
	quash_acp_connection *connection;
	quash_acp_session *sessions; /**< `session_count` of them */
	const quash_acp_mode *modes; /**< a new session is in the first one; or NULL */
	/** Serves a prompt, a quash_handler. The prompt is at hand with `quash_acp_prompt_of`, `state_size` bytes with
	 * `QUASH_STATE`. It reports with the functions below and ends with `return quash_acp_stop(...)`. Once cancelled it
	 * is called again until it ends; it may still report, and what it answers counts for nothing. */
	quash_handler *prompt;
	/** As in quash_method, for each prompt whose turn was begun; or NULL. The session takes its next prompt once this
	 * is done; one that comes earlier waits. It reports nothing. */
	int32_t (*end)(quash_request *request);
	/** As in quash_method, for each prompt whose turn was begun; or NULL. */
	void (*released)(quash_request *request);
	/** Runs for each new session; `params` has `cwd`, `mcpServers` and what else the client sent. Or NULL. A negative
	 * code refuses the session, otherwise QUASH_DONE. Calls nothing of the peer. */
	int32_t (*open)(quash_acp_session *session, quash_value params);
	/** Runs when a session's place is free for another one; or NULL. Its prompt has ended then, unless a new client has
	 * begun: that prompt is cancelled and ends later. Does not run in `quash_acp_reset`. Calls nothing of the peer. */
	void (*close)(quash_acp_session *session);
	quash_size state_size;       /**< of what a turn keeps */
	uint8_t session_count;       /**< 1 to 255 */
	uint8_t mode_count;
	uint8_t accepts;             /**< QUASH_ACP_IMAGES ... */
	/** `&quash_acp_leases` if a method has a lease; or NULL: `initialize` is refused then, but with `lease_always` */
	const struct quash_lease_code *leases;
} quash_acp_agent;

/** The version of the protocol, an integer. */
enum { QUASH_ACP_VERSION = 1 };

/** The config's `tag_size`: session ids are `s1`, `s2` and so on. With less, `initialize` is answered with -32603. */
enum { QUASH_ACP_TAG_SIZE = 12 };

/** The size of the config's `tags`, for its `slot_count`. */
#define QUASH_ACP_TAGS(slot_count) (((slot_count) + 1) * QUASH_ACP_TAG_SIZE)

/** The entries of a method table for an agent, all or in parts. `agent` points to a quash_acp_agent. What stands
 * in the table is what `initialize` offers. */
#define QUASH_ACP_METHODS(agent) QUASH_ACP_BASE(agent), QUASH_ACP_MODES(agent), QUASH_ACP_CLOSE(agent)
#define QUASH_ACP_BASE(agent) QUASH_ACP_BEGIN(agent), QUASH_ACP_PROMPT(agent, QUASH_NO_LIMIT, 0, NULL)
#define QUASH_ACP_BEGIN(agent) \
	QUASH_ACP_ENTRY_("initialize", quash_acp_initialize_, agent, QUASH_SESSION), \
	QUASH_ACP_ENTRY_("authenticate", quash_acp_authenticate_, agent, 0), \
	QUASH_ACP_ENTRY_("session/new", quash_acp_new_, agent, 0)
#define QUASH_ACP_MODES(agent) QUASH_ACP_ENTRY_("session/set_mode", quash_acp_set_mode_, agent, 0)
#define QUASH_ACP_CLOSE(agent) QUASH_ACP_ENTRY_("session/close", quash_acp_close_, agent, 0)
/** The entry of prompts, with the `longest`, `lease` and `group` of a quash_motion. */
#define QUASH_ACP_PROMPT(agent, longest, lease, group) \
	{ "session/prompt", quash_acp_prompt_, { quash_acp_prompt_end_, (longest), (lease), (group) }, \
	  quash_acp_prompt_released_, "{\"stopReason\":\"cancelled\"}", (agent), sizeof(quash_acp_slot), QUASH_FINISHES }
#define QUASH_ACP_ENTRY_(name, handler, agent, marks) \
	QUASH_ENTRY_(name, handler, agent, sizeof(quash_acp_slot), marks)

/** The config's `state_size` for an agent's `state_size`. With less, `initialize` is answered with -32603. */
#define QUASH_ACP_STATE(turn) ((size_t)(turn) + sizeof(quash_acp_slot))

/** What a request's state ends with; what a turn keeps stands at its beginning. Opaque. */
typedef struct quash_acp_slot {
	quash_acp_session *session;
	uint32_t number; /* of that session, when it was found */
	bool stopped;    /* its answer is recorded */
	bool ended;      /* its turn has ended */
} quash_acp_slot;

/** For the config's `check`: finds what is wrong with the agent, and sizes that are too small for it. Cost: the square
 * of the number of modes. */
bool quash_acp_check(const quash_config *config, quash_fault *fault);

/** For the config's `new_session`: forgets what was agreed on, and every session; `close` runs for each. Numbers of
 * sessions go on, so that a turn of the last client never reports to the next one. */
void quash_acp_new_session(quash_peer *peer);

/** Makes an agent ready for a connection: as `quash_acp_new_session`, but `close` does not run. Before another
 * `quash_init`, and with `quash_reopen`. */
void quash_acp_reset(const quash_acp_agent *agent);

/** The agent that a request is for. */
const quash_acp_agent *quash_acp_agent_of_(const quash_request *request);

/** The session of a prompt; NULL once the session is gone, as a new client has begun. */
quash_acp_session *quash_acp_session_of(const quash_request *request);

/** The content blocks of a prompt, an array; QUASH_NONE once its params are released. */
quash_value quash_acp_prompt_of(const quash_request *request);

/** The session's place in the agent's array: for what a program keeps about sessions. */
uint8_t quash_acp_index_(const quash_acp_agent *agent, const quash_acp_session *session);

/** Puts the session's id, a string. */
void quash_acp_put_session_(quash_writer *w, const quash_acp_session *session);

/* --- Prompts (turns) --------------------------------------------------------------------------------- */

/** Walks the texts of a prompt's text blocks. Begin with a zero cursor; false at the end. */
bool quash_acp_next_text(quash_value prompt, quash_value *cursor, quash_value *text);

/** Walks its resource links: objects with `uri`, `name` and more. Begin with a zero cursor; false at the end. */
bool quash_acp_next_link(quash_value prompt, quash_value *cursor, quash_value *link);

/** Why a turn ends (prompt-turn "Stop Reasons"); `cancelled` comes by itself. */
typedef enum quash_acp_reason {
	QUASH_ACP_END_TURN,
	QUASH_ACP_MAX_TOKENS,
	QUASH_ACP_MAX_TURN_REQUESTS,
	QUASH_ACP_REFUSAL
} quash_acp_reason;

/** Answers the prompt: `return quash_acp_stop(request, QUASH_ACP_END_TURN);`. Returns QUASH_DONE. */
int32_t quash_acp_stop(quash_request *request, quash_acp_reason reason);

/* --- Reporting (turns) -------------------------------------------------------------------------------
 *
 * Notifications `session/update`. All of them return
 *
 * - QUASH_DONE: it is in TX, or nothing is to be reported any more (the prompt is answered, its session or link is
 * gone);
 * - QUASH_PENDING: TX has no room for it now, and nothing was written. The turn calls again later: `return code;`;
 * - QUASH_TOO_LARGE: it is longer than TX.
 *
 * Texts are borrowed for the call. Only `quash_acp_long_message` splits. */

/** A chunk of the answer, `agent_message_chunk`. */
int32_t quash_acp_message(quash_request *request, const char *text);

/** A chunk of what the agent thinks, `agent_thought_chunk`. */
int32_t quash_acp_thought(quash_request *request, const char *text);

/** A text of any length as chunks of the answer, as large as TX allows, never in the middle of a character.
 *
 * @param text    UTF-8, `length` bytes, the same at each call
 * @param sent    how much of it is in TX or has left, 0 at first; the caller keeps it */
int32_t quash_acp_long_message(quash_request *request, const char *text, size_t length, size_t *sent);

/** What a tool does, for the client's icons. */
typedef enum quash_acp_kind {
	QUASH_ACP_ANY_KIND, /**< left out */
	QUASH_ACP_READ,
	QUASH_ACP_EDIT,
	QUASH_ACP_DELETE,
	QUASH_ACP_MOVE,
	QUASH_ACP_SEARCH,
	QUASH_ACP_EXECUTE,
	QUASH_ACP_THINK,
	QUASH_ACP_FETCH,
	QUASH_ACP_SWITCH_MODE,
	QUASH_ACP_OTHER
} quash_acp_kind;

/** How far a tool call or an entry of a plan is. */
typedef enum quash_acp_status {
	QUASH_ACP_ANY_STATUS, /**< left out; in a plan it counts as pending */
	QUASH_ACP_PENDING,
	QUASH_ACP_IN_PROGRESS,
	QUASH_ACP_COMPLETED,
	QUASH_ACP_FAILED      /**< of tool calls only */
} quash_acp_status;

/** A tool call. What is NULL or left out does not change. */
typedef struct quash_acp_tool_call {
	const char *id;      /**< unique in the session */
	const char *title;   /**< for people; a new one must have it */
	quash_acp_kind kind;
	quash_acp_status status;
	const char *text;    /**< its content: a text */
	const char *path;    /**< the file that it is about, absolute */
	uint32_t line;       /**< and where in it, from 1; 0: left out */
	/** Puts further items of its content (objects with `type`: content, diff, terminal); or NULL. */
	void (*put)(quash_writer *w, const void *data);
	const void *data;    /**< handed to `put` */
} quash_acp_tool_call;

int32_t quash_acp_tool(quash_request *request, const quash_acp_tool_call *call);        /**< `tool_call` */
int32_t quash_acp_tool_update(quash_request *request, const quash_acp_tool_call *call); /**< `tool_call_update` */

/** How much an entry of a plan matters. */
typedef enum quash_acp_priority { QUASH_ACP_HIGH, QUASH_ACP_MEDIUM, QUASH_ACP_LOW } quash_acp_priority;

/** An entry of a plan. */
typedef struct quash_acp_entry {
	const char *content; /**< for people */
	quash_acp_priority priority;
	quash_acp_status status;
} quash_acp_entry;

/** The whole plan, in place of the one before. */
int32_t quash_acp_plan(quash_request *request, const quash_acp_entry *entries, uint8_t count);

/** The agent changes the session's mode by itself: `current_mode_update`. The client's `session/set_mode` needs none.
 * It is changed with QUASH_DONE. QUASH_INVALID_PARAMS when there is no such mode. */
int32_t quash_acp_change_mode(quash_request *request, uint8_t mode);

/** Returns whether an update for the prompt is in place: until its turn has ended, also when it is cancelled. */
bool quash_acp_may_update(const quash_request *request);

/** Begins an update of any kind: members of `update` are put next, pairs of key and value. Finish it with
 * `quash_notify_send`. May also be used outside of a turn, such as for `available_commands_update`. */
quash_writer *quash_acp_update(quash_peer *peer, const quash_acp_session *session, const char *kind);

/* --- Handlers, for the method table ------------------------------------------------------------------ */

quash_handler quash_acp_initialize_;   /**< `initialize`: begins a session, also when it comes again */
quash_handler quash_acp_authenticate_; /**< `authenticate`: refused, as no method is offered */
quash_handler quash_acp_new_;          /**< `session/new`: -32010 when every session is taken */
quash_handler quash_acp_prompt_;       /**< `session/prompt`: one at a time in each session, else -32600 */
quash_handler quash_acp_set_mode_;     /**< `session/set_mode`: unknown mode -32602 */
quash_handler quash_acp_close_;        /**< `session/close`: cancels its prompt, and waits for the end of it */
int32_t quash_acp_prompt_end_(quash_request *request);   /**< the `end` hook of `session/prompt` */
void quash_acp_prompt_released_(quash_request *request); /**< its `released` hook */

#ifdef __cplusplus
}
#endif
#endif
