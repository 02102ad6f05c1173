/* SPDX-License-Identifier: MIT
 * Log messages of a Model Context Protocol server to its client (2025-11-25 and 2026-07-28 server/utilities/logging).
 *
 * A legacy client chooses the level for its session with `logging/setLevel`; a modern one with each request, and is
 * sent nothing for requests that do not ask. Messages are notifications: what finds no room is dropped and counted. For
 * a client that has `quash/related` among its `experimental` capabilities, or in `_meta` of a modern request, `_meta`
 * of a message names its request: `"quash/request":<id>`.
 *
 *     static const quash_mcp_logging logging = { { &quash_mcp_logging_kind }, QUASH_MCP_WARNING };
 *     static const quash_mcp_part *const parts[] = { &logging.part, NULL };
 *     static const quash_mcp_server server = { ..., .parts = parts };
 *     static const quash_method methods[] = { QUASH_MCP_METHODS(&server), QUASH_MCP_LOGGING(&server) };
 *
 * All of this belongs to the peer's thread. */
#ifndef QUASH_MCP_LOGGING_H
#define QUASH_MCP_LOGGING_H

#include "mcp.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How grave a message is (RFC 5424 section 6.2.1), in rising order. */
typedef enum quash_mcp_level {
	QUASH_MCP_DEBUG = 1,
	QUASH_MCP_INFO,
	QUASH_MCP_NOTICE,
	QUASH_MCP_WARNING,
	QUASH_MCP_ERROR,
	QUASH_MCP_CRITICAL,
	QUASH_MCP_ALERT,
	QUASH_MCP_EMERGENCY
} quash_mcp_level;

/** The part of a server that logs. Constant, may live in flash. */
typedef struct quash_mcp_logging {
	quash_mcp_part part; /**< `{ &quash_mcp_logging_kind }` */
	uint8_t level;       /**< what a legacy client is sent until it chooses; 0: nothing */
} quash_mcp_logging;

/** The kind of the part above. */
extern const struct quash_mcp_kind quash_mcp_logging_kind;

/** The entry of a method table for logging. `server` points to a quash_mcp_server. */
#define QUASH_MCP_LOGGING(server) QUASH_MCP_METHOD_("logging/setLevel", quash_mcp_logging_set_level_, server, 0)

/** Puts one JSON value, the data of a message, while it is logged. */
typedef void quash_mcp_log_data(quash_writer *w, const void *data);

/** Logs a text for a request.
 *
 * @param logger  what it comes from, or NULL
 * @return        QUASH_MCP_UNWANTED: below the level that was asked for, after a cancel, and once the answer is
 *                recorded. Who must not lose it returns QUASH_PENDING while it is false, which is QUASH_MCP_NO_ROOM */
quash_mcp_sent quash_mcp_log(quash_request *request, quash_mcp_level level, const char *logger, const char *text);

/** `quash_mcp_log` with the JSON that `put` puts as data. */
quash_mcp_sent quash_mcp_log_json(
	quash_request *request, quash_mcp_level level, const char *logger, quash_mcp_log_data *put, const void *data);

/** Logs what belongs to no request, from anywhere on the peer's thread but a put function: for legacy clients only,
 * as modern ones want no such messages. Otherwise as `quash_mcp_log_json`. */
quash_mcp_sent quash_mcp_log_session(quash_peer *peer, const quash_mcp_server *server, quash_mcp_level level,
	const char *logger, quash_mcp_log_data *put, const void *data);

/** Puts a text that `data` points to: for `quash_mcp_log_session`. */
quash_mcp_log_data quash_mcp_put_log_text;

/** `logging/setLevel`, legacy only: a level that is none of the eight -32602 */
quash_handler quash_mcp_logging_set_level_;

#ifdef __cplusplus
}
#endif
#endif
