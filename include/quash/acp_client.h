/* SPDX-License-Identifier: MIT
 * What an ACP agent asks of its client: permission, files, terminals.
 *
 * Each question is an object of the caller's, zero before its first use; in a turn's struct it lives long
 * enough by itself. It is a child of the prompt: cancelled with it, and when the turn ends. Its strings and arrays are
 * borrowed until it is answered. Strings end with NUL. The same object may ask again once it is answered.
 *
 *     struct turn { quash_acp_read read; bool asked; }; // the turn's state, `t` points to it
 *
 *     if (!t->asked) {
 *         t->asked = true;
 *         t->read.path = "/etc/motd";
 *         const int32_t refused = quash_acp_read_file(request, &t->read);
 *         if (refused != QUASH_DONE)
 *             return refused;
 *     }
 *     quash_value content;
 *     const int32_t outcome = quash_acp_read_result(&t->read, &content);
 *     if (outcome != QUASH_DONE)
 *         return outcome;
 *
 * **Asking** (a function that takes the request) returns QUASH_DONE. It returns QUASH_METHOD_NOT_FOUND, with nothing
 * written, when the client has not announced in `initialize` that it can do this. It returns QUASH_INVALID_REQUEST when
 * the object is still in use, or its terminal is not there.
 *
 * **The result** is QUASH_PENDING until there is one. With QUASH_DONE what it holds is stored. Else it is a negative
 * code: the error's; QUASH_INTERNAL_ERROR for one above 0 or below -65,535, and for a result that is none; or as
 * `quash_call_code`. It is QUASH_INVALID_REQUEST for an object that has asked nothing. Values that are stored live
 * until the turn returns. Take the result again to have them anew. It stays the same until the object asks again. The
 * turn is called when it has come, also before a `quash_wait` is over.
 *
 * A cancelled turn gets its children's answers too, as soon as they come. It need not wait for them. Whoever does gives
 * them a `call.deadline`, as a client may never answer.
 *
 * All of this belongs to the peer's thread, in turns. */
#ifndef QUASH_ACP_CLIENT_H
#define QUASH_ACP_CLIENT_H

#include "acp.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What every question begins with. `call.deadline`, `call.done`, `call.marks` and `call.context` are the caller's. */
typedef struct quash_acp_question {
	quash_call call;
	uint32_t session; /* its number */
} quash_acp_question;

/** The result of a question that stores nothing. */
int32_t quash_acp_result(const quash_acp_question *question);

/* --- Permission: `session/request_permission` (tool-calls "Requesting Permission") ------------------- */

/** What kind of answer an option is. */
typedef enum quash_acp_option_kind {
	QUASH_ACP_ALLOW_ONCE,
	QUASH_ACP_ALLOW_ALWAYS,
	QUASH_ACP_REJECT_ONCE,
	QUASH_ACP_REJECT_ALWAYS
} quash_acp_option_kind;

/** An answer that the user may choose. */
typedef struct quash_acp_option {
	const char *id;
	const char *name; /**< for people */
	quash_acp_option_kind kind;
} quash_acp_option;

/** Asks the user whether a tool call may be made. */
typedef struct quash_acp_permission {
	quash_acp_question ask;
	const quash_acp_tool_call *tool_call; /**< which one */
	const quash_acp_option *options;      /**< `option_count` of them, each with an id of its own */
	uint8_t option_count;
} quash_acp_permission;

int32_t quash_acp_request_permission(quash_request *request, quash_acp_permission *permission); /**< Asks. */

/** @param option  where the index of the chosen option is stored
 * @return        a result. QUASH_CANCELLED also when the client answers that the turn was cancelled;
 *                QUASH_INTERNAL_ERROR also for an option that was not offered */
int32_t quash_acp_permission_result(const quash_acp_permission *permission, uint8_t *option);

/* --- Files (file-system) ----------------------------------------------------------------------------- */

/** Reads a text file, or some lines of it: `fs/read_text_file`. The content must fit the arena. */
typedef struct quash_acp_read {
	quash_acp_question ask;
	const char *path; /**< absolute */
	uint32_t line;    /**< the first line, from 1; 0: the first */
	uint32_t limit;   /**< lines at most; 0: all */
} quash_acp_read;

int32_t quash_acp_read_file(quash_request *request, quash_acp_read *read); /**< Asks. */

/** @param content  where the text is stored, a string
 * @return         a result */
int32_t quash_acp_read_result(const quash_acp_read *read, quash_value *content);

/** Writes a text file: `fs/write_text_file`. Its result is `quash_acp_result(&write.ask)`. */
typedef struct quash_acp_write {
	quash_acp_question ask;
	const char *path;    /**< absolute */
	const char *content; /**< UTF-8, `length` bytes, of any length: it leaves in windows of TX */
	size_t length;
} quash_acp_write;

int32_t quash_acp_write_file(quash_request *request, quash_acp_write *write); /**< Asks. */

/* --- Terminals (terminals) ---------------------------------------------------------------------------
 *
 * A terminal is created, then looked at with any number of quash_acp_look objects. In the end it is always closed, also
 * by a cancelled turn. The client keeps it until then. */

/** A variable of a command's environment. */
typedef struct quash_acp_variable {
	const char *name;
	const char *value;
} quash_acp_variable;

/** A command that the client runs: `terminal/create`, and `terminal/release`. */
typedef struct quash_acp_terminal {
	quash_acp_question ask;
	quash_call release;            /* asks `terminal/release` */
	uint32_t due;                  /* until when its closing waits for it to be created, if `closing` */
	bool closing;
	const char *command;
	const char *const *args;       /**< `arg_count` of them, or NULL */
	const quash_acp_variable *env; /**< `env_count` of them, or NULL */
	const char *cwd;               /**< absolute, or NULL */
	uint32_t output_limit;         /**< bytes of output that the client keeps; 0: its own limit */
	uint8_t arg_count;
	uint8_t env_count;
} quash_acp_terminal;

int32_t quash_acp_create_terminal(quash_request *request, quash_acp_terminal *terminal); /**< Asks. */

/** @param id  where the terminal's id is stored, a string; or NULL
 * @return    a result */
int32_t quash_acp_terminal_result(const quash_acp_terminal *terminal, quash_value *id);

/** The longest that `quash_acp_close_terminal` waits for each of its two answers, in milliseconds. */
enum { QUASH_ACP_CLOSE_MS = 2000 };

/** Releases a terminal, which ends its command. To be called until it does not return QUASH_PENDING, before the turn
 * ends. Then no terminal is left, whatever came in between.
 *
 * One that is still being created is cancelled and waited for, as the client may have created it already. A client may
 * fail to answer `terminal/create` or `terminal/release`. Each answer is waited for QUASH_ACP_CLOSE_MS, from the first
 * call of this function and from the request. Then the terminal is given up. What the client creates later, it keeps.
 *
 * @return QUASH_PENDING, to be returned by the turn; or QUASH_DONE: `terminal` is as if it were never used */
int32_t quash_acp_close_terminal(quash_request *request, quash_acp_terminal *terminal);

/** A question about a terminal that was created. */
typedef struct quash_acp_look {
	quash_acp_question ask;
	const quash_acp_terminal *terminal; /**< created, and not closed before this is answered */
} quash_acp_look;

/** How a command has ended. */
typedef struct quash_acp_exit {
	bool exited;        /**< it has */
	bool has_code;
	uint32_t code;      /**< its exit code, when it has one */
	quash_value signal; /**< the name of the signal that ended it, a string, or QUASH_NONE */
} quash_acp_exit;

int32_t quash_acp_wait_for_exit(quash_request *request, quash_acp_look *look); /**< Asks `terminal/wait_for_exit`. */
int32_t quash_acp_exit_result(const quash_acp_look *look, quash_acp_exit *result);   /**< Its result. */

/** What a command has written so far. */
typedef struct quash_acp_output {
	quash_value text; /**< a string */
	bool truncated;   /**< its beginning is lost */
	quash_acp_exit end;
} quash_acp_output;

int32_t quash_acp_get_output(quash_request *request, quash_acp_look *look);        /**< Asks `terminal/output`. */
int32_t quash_acp_output_result(const quash_acp_look *look, quash_acp_output *result);   /**< Its result. */

/** Asks `terminal/kill`: the command ends, its terminal stays. The result is `quash_acp_result(&look.ask)`. */
int32_t quash_acp_kill(quash_request *request, quash_acp_look *look);

#ifdef __cplusplus
}
#endif
#endif
