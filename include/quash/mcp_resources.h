/* SPDX-License-Identifier: MIT
 * Resources of a Model Context Protocol server: what it lets others read, by URI (2025-11-25 and 2026-07-28
 * server/resources).
 *
 *     static const quash_mcp_resource list[] = { { .uri = "log://boot", .name = "boot", .read = read_log } };
 *     static const quash_mcp_resources resources = {
 *         .part = { &quash_mcp_resources_kind }, .list = list, .count = 1 };
 *     static const quash_mcp_part *const parts[] = { &resources.part, NULL };
 *     static const quash_mcp_server server = { ..., .parts = parts };
 *     static const quash_method methods[] = { QUASH_MCP_METHODS(&server), QUASH_MCP_RESOURCES(&server) };
 *
 * All of this belongs to the peer's thread. */
#ifndef QUASH_MCP_RESOURCES_H
#define QUASH_MCP_RESOURCES_H

#include "mcp.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A resource, or with a URI template in place of the URI as many as it fits. Constant, may live in flash.
 *
 * In a template (RFC 6570, of which this much) `{name}` stands for one byte or more other than `/`, `{+name}` for one
 * or more of any; a value ends in front of the first byte that equals the one behind the brace. */
typedef struct quash_mcp_resource {
	const char *uri;         /**< its URI, or URI template */
	const char *name;
	const char *title;       /**< for people, or NULL */
	const char *description; /**< for models, or NULL */
	const char *mime_type;   /**< or NULL */
	/** Reads it: as a tool's handler it may return QUASH_PENDING, is cancelled, and writes the same for every window.
	 * It ends with `return quash_mcp_read_text(...)` or one of its kin, or `quash_mcp_no_resource`. `tool_state` is
	 * `state_size` bytes, zero at the first call. */
	quash_mcp_handler *read;
	/** Runs once on every way out of a reading whose handler was called; or NULL. May not send. */
	void (*end)(quash_request *request, void *state);
	uint32_t size;           /**< of the content in bytes, 0: not told */
	uint32_t ttl;            /**< milliseconds for which a modern client may keep the content */
	uint32_t deadline;       /**< milliseconds from its first call until the reading is cancelled; 0: none */
	quash_size state_size;
	uint8_t marks;           /**< QUASH_DROPS, or 0: once cancelled only `end` is called */
} quash_mcp_resource;

/** The part of a server that offers resources. Constant, may live in flash. */
typedef struct quash_mcp_resources {
	quash_mcp_part part;                 /**< `{ &quash_mcp_resources_kind }` */
	const quash_mcp_resource *list;      /**< or NULL */
	const quash_mcp_resource *templates; /**< asked when none of the list has the URI; or NULL */
	uint8_t count;
	uint8_t template_count;
	uint8_t uri_size; /**< longest URI in bytes that fits a template; a longer one is refused */
} quash_mcp_resources;

/** The kind of the part above. */
extern const struct quash_mcp_kind quash_mcp_resources_kind;

/** The entries of a method table for resources. `server` points to a quash_mcp_server. */
#define QUASH_MCP_RESOURCES(server) \
	{ "resources/list", quash_mcp_list_resources, NULL, NULL, (server), 0, QUASH_LONG }, \
	{ "resources/templates/list", quash_mcp_list_templates, NULL, NULL, (server), 0, QUASH_LONG }, \
	{ "resources/read", quash_mcp_read, quash_mcp_read_end, NULL, (server), 0, QUASH_LONG }

/** The `state_size` that reading needs: as QUASH_MCP_STATE, with the `uri_size` and the largest `state_size` of a
 * resource. A server with tools takes the larger of the two. */
#define QUASH_MCP_READ_STATE(token_size, uri_size, largest) QUASH_MCP_STATE(token_size, (largest) + (uri_size) + 1)

/** Resource not found, as legacy clients are told; modern ones are told QUASH_INVALID_PARAMS. */
#define QUASH_MCP_NO_RESOURCE ((int32_t)-32002)

/* --- Looking at a reading (its handler) -------------------------------------------------------------- */

/** The resource that is read. */
const quash_mcp_resource *quash_mcp_resource_of(quash_request *request);

/** The URI that was asked for, NUL-terminated. Lives as long as the request. */
const char *quash_mcp_uri(quash_request *request);

/** What stands for `{name}` in the URI, with `%41` and its kin decoded.
 *
 * @param to    where it is stored, NUL-terminated
 * @param size  of that, in bytes
 * @return      false when there is no such name, it does not fit, or a NUL stands in it; then `to` is "" */
bool quash_mcp_variable(quash_request *request, const char *name, char *to, size_t size);

/* --- Results (its handler) --------------------------------------------------------------------------- */

/** The content is one text. Returns as `quash_send`. */
int32_t quash_mcp_read_text(quash_request *request, const char *text);

/** The content is the JSON that `put` puts, as one text. Returns as `quash_send`; costs as `quash_mcp_json`. */
int32_t quash_mcp_read_json(quash_request *request, quash_mcp_put *put, const void *data);

/** The content is `size` bytes, said as base64. Returns as `quash_send`. */
int32_t quash_mcp_read_blob(quash_request *request, const void *data, size_t size);

/** Begins a content of one text, which is the next thing put: a string. Finish it with `quash_send`. */
quash_writer *quash_mcp_read_reply(quash_request *request);

/** Begins a result of any contents: objects with `uri` and `text` or `blob` are what is put next. Finish it with
 * `quash_send`. */
quash_writer *quash_mcp_contents(quash_request *request);

/** There is no such resource after all: of a template, or because it is gone. Returns as `quash_send`. */
int32_t quash_mcp_no_resource(quash_request *request);

/** Bytes on their way into base64 (RFC 4648 section 4). The caller owns it; opaque. */
typedef struct quash_mcp_base64 {
	quash_writer *writer;
	uint8_t held[3];
	uint8_t count;
} quash_mcp_base64;

/** Begins a content of bytes in pieces: put them with `quash_mcp_base64_part`, then `quash_mcp_base64_close`, then
 * `quash_send`. */
void quash_mcp_blob_open(quash_request *request, quash_mcp_base64 *b);

/** Begins a base64 string as the next value of `w`, also for `data` of images and audio in a tool's content. */
void quash_mcp_base64_open(quash_mcp_base64 *b, quash_writer *w);

/** The next `size` bytes. */
void quash_mcp_base64_part(quash_mcp_base64 *b, const void *data, size_t size);

/** Ends the string. */
void quash_mcp_base64_close(quash_mcp_base64 *b);

/* --- Handlers, for the method table ------------------------------------------------------------------ */

quash_handler quash_mcp_list_resources; /**< `resources/list`, with pagination; bad cursor -32602 */
quash_handler quash_mcp_list_templates; /**< `resources/templates/list`, the same */
quash_handler quash_mcp_read;           /**< `resources/read`; unknown URI -32002, modern -32602, with `data.uri` */
void quash_mcp_read_end(quash_request *request); /**< the `end` hook of `resources/read` */

#ifdef __cplusplus
}
#endif
#endif
