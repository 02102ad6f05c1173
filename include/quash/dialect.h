/* SPDX-License-Identifier: MIT
 * How a protocol spells things. A dialect is a constant, not code: a fifth one is a few lines of your own. */
#ifndef QUASH_DIALECT_H
#define QUASH_DIALECT_H

#include "size.h"

#ifdef __cplusplus
extern "C" {
#endif

struct quash_framing_code;

/** How messages are separated on the wire. What no dialect of the program names is not linked. */
typedef const struct quash_framing_code *quash_framing;

/** One message a line (ACP, MCP stdio, JSON-RPC in the field). */
#define QUASH_LINES ((quash_framing)NULL)
/** Header lines, an empty line, then so many bytes (LSP base protocol). */
#define QUASH_CONTENT_LENGTH (&quash_content_length)
extern const struct quash_framing_code quash_content_length;

/** A notification that cancels. Without `target` it names one request by its id, in the member `cancel_id` of its
 * params. With `target` it names its targets by a value that they carry: ACP's `session/cancel` by `sessionId`. Both
 * are matched when they are received.
 *
 * Which member carries the value is `tag_member` of the dialect, at the top of params, for the requests and
 * the notifications alike. The config's `tag_size` is how long the value may be; a longer one is no target. */
typedef struct quash_cancel_method {
	const char *method; /**< its name */
	const char *target; /**< the method whose live requests with the same value are cancelled, all of them; or NULL */
} quash_cancel_method;

/** A path in params whose value is kept. Constant, may live in flash. */
typedef QUASH_FLASH struct quash_keep {
	/** Names of members with a `>` between them, from a member of params on: `"_meta>progressToken"`. At most 254
	 * bytes. What is deeper than the last name is kept too. A path adds nothing beside a deeper one that begins with
	 * it.
	 *
	 * A name that has a `<` is stored from there on, without the known prefix before it:
	 * `"_meta>io.modelcontextprotocol/<logLevel"`. A name has at most `word_size` - 4 bytes, with its prefix. A longer
	 * one is never found. */
	const char *path;
	/** Of the member of the last name: bytes on the tape, its name as stored included, 1 to 255. A larger one is as if
	 * it had not come. 0: any number. */
	uint8_t most;
	/** of a container only that it is one: it is stored without its members. Other values are stored whole */
	bool bare;
} quash_keep;

struct quash_config;
struct quash_keep_code;

/** What is kept of the params of methods that are marked QUASH_LISTED. All else in them is lexed, checked and passed
 * over. It takes no room in the arena, and counts in no size. The same goes for params that come in front of their
 * method, if all methods are marked so; else these are kept whole. Constant, may live in flash; must stand as long as
 * any peer uses it.
 * Cost: each name in an object where one may be listed is compared with every path. */
typedef struct quash_keeps {
	const struct quash_keep_code *code; /**< `&quash_keeping` */
	/** Returns the list with that number, from 0 on, and stores how many paths it has, 0 to 255. NULL after the last
	 * one. Called on the peer's thread, for each name that may be listed. It reads constants only: the lists of a
	 * config are always the same, and stand as long as a peer uses it. */
	const quash_keep *(*list)(const struct quash_config *config, uint8_t number, uint8_t *count);
} quash_keeps;

/** What a quash_keeps names as its `code`. */
extern const struct quash_keep_code quash_keeping;

struct quash_batch_code;

/** A dialect. Constant, may live in flash; must stand as long as any peer uses it. */
typedef struct quash_dialect {
	const quash_cancel_method *cancels; /**< the notifications that cancel; the first one is what we send */
	uint8_t cancel_count;        /**< their number, 1 to 250 */
	bool null_id;        /**< an error for a message without usable id has `"id":null`; else it has no id member */
	const char *cancel_id;       /**< the member of their params that names the request */
	const char *cancel_id_alias; /**< another name of that member that is understood too, or NULL */
	const char *cancel_reason;   /**< the member of their params with a text for people, or NULL */
	const char *tag_member;      /**< see quash_cancel_method, or NULL */
	const char *era_object;      /**< the member of params with the member below; or NULL */
	/** A request whose params have it is answered with no code from -32019 to -32000: it gets -32603 instead, with the
	 * words of that code. NULL: the dialect has no such requests. A `word_size` without room for it never finds it. */
	const char *era_member;
	const char *never_cancelled; /**< the method whose requests the other side cannot cancel, or NULL */
	int32_t other_code;  /**< the error for a request that the other side cancelled; 0: silence */
	int32_t own_code;    /**< the error for a request that was cancelled by a cause of our own */
	const char *(*words)(int32_t code); /**< the message of an error code of the dialect's own, a constant; NULL for all
	                                         others. Or NULL */
	quash_framing framing;
	const struct quash_batch_code *batch; /**< &quash_batch to serve batches (only with QUASH_LINES), or NULL */
} quash_dialect;

/** Agent Client Protocol v1: `$/cancel_request` (also understood as `$/cancelRequest`), -32800 for every cause. */
extern const quash_dialect quash_acp;
/** Language Server Protocol 3.18: `$/cancelRequest`, Content-Length, -32800 when the client cancelled, else -32803. */
extern const quash_dialect quash_lsp;
/** Model Context Protocol: `notifications/cancelled`, silence when the client cancelled, else -32800. */
extern const quash_dialect quash_mcp;
/** Plain JSON-RPC 2.0 with batches; cancels are understood as in ACP and as in LSP. */
extern const quash_dialect quash_jsonrpc;

/** Serves JSON-RPC 2.0 batches (section 6). Linked only by a dialect that names it. */
extern const struct quash_batch_code quash_batch;

#ifdef __cplusplus
}
#endif
#endif
