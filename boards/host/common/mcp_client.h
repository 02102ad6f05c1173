/* SPDX-License-Identifier: MIT
 * MCP as the client of a device speaks it: what its requests carry, the lists that it asks for, and their pages. */
#ifndef HOST_MCP_CLIENT_H
#define HOST_MCP_CLIENT_H

#include "heap.h"
#include "quash/json.h"
#include "quash/mcp.h"
#include "quash/version.h"

/* --- The greeting: `initialize` (2025-11-25 basic/lifecycle), and 2026-07-28, in which each request names its revision */

#define MCP_META "io.modelcontextprotocol/"

/** What a client or device says of itself, JSON. `name` is a literal. */
#define MCP_INFO(name) "{\"name\":\"" name "\",\"version\":\"" QUASH_VERSION "\"}"

/** The members of `_meta` that each request of the modern era carries, JSON (2026-07-28 basic "_meta"). */
#define MCP_MODERN_MEMBERS(name) \
	"\"" MCP_META "protocolVersion\":\"" QUASH_MCP_MODERN_VERSION "\"," \
	"\"" MCP_META "clientInfo\":" MCP_INFO(name) "," \
	"\"" MCP_META "clientCapabilities\":{}"

/** The revision of the era of `initialize` that has this name; NULL: there is none. */
const char *mcp_revision(const char *name);

/** The latest of these. */
const char *mcp_latest(void);

/** Puts the params of `initialize`. Both are JSON; `info` is an MCP_INFO. */
void mcp_put_greeting(quash_writer *w, const char *capabilities, const char *info);

/** What a device says of itself in the result of `initialize` or `server/discover`: QUASH_NONE if nothing. */
quash_value mcp_info(quash_value result);

/* --- Lists */

enum list_kind { LIST_TOOLS, LIST_PROMPTS, LIST_RESOURCES, LIST_TEMPLATES, LIST_KINDS };

extern const struct mcp_list {
	const char *method;  /* "tools/list" */
	const char *member;  /* of its result */
	const char *key;     /* the member of an item that names it */
	const char *changed; /* the notification */
} mcp_lists[LIST_KINDS];

/** The kind of list that a method brings; LIST_KINDS if it is none. */
enum list_kind mcp_list_of(const char *method);

/** True for `notifications/tools/list_changed` and its kin. */
bool mcp_is_list_changed(const char *method);

/* --- Pages of a list */

/** So many are asked for at most. */
enum { MCP_PAGES = 1000 };

/** What has been seen so often. Zero at first. */
struct mcp_seen {
	uint64_t prints[MCP_PAGES];
	unsigned count;
};

/** True if the value has come before. Else it is taken in, as long as there is room. */
bool mcp_seen_before(struct mcp_seen *seen, const struct heap *heap, quash_value value);

/** Why a list does not end whose next cursor is this, in words; NULL: nothing is against it. The cursor is taken in. */
const char *mcp_cursor_leads_nowhere(struct mcp_seen *seen, const struct heap *heap, quash_value next);

#endif
