/* SPDX-License-Identifier: MIT */
#include "mcp_client.h"

#include "text.h"

#include <string.h>

/* --- The greeting */

static const char *const revisions[] = QUASH_MCP_LEGACY_VERSIONS;
enum { REVISIONS = sizeof revisions / sizeof revisions[0] };

const char *mcp_revision(const char *name)
{
	for (int i = 0; i < REVISIONS; i++) {
		if (strcmp(revisions[i], name) == 0)
			return revisions[i];
	}
	return NULL;
}

const char *mcp_latest(void)
{
	return revisions[REVISIONS - 1];
}

void mcp_put_greeting(quash_writer *w, const char *capabilities, const char *info)
{
	quash_put_object(w);
	quash_put_key(w, "protocolVersion");
	quash_put_text(w, mcp_latest());
	quash_put_key(w, "capabilities");
	quash_put_raw(w, capabilities);
	quash_put_key(w, "clientInfo");
	quash_put_raw(w, info);
	quash_put_end(w);
}

quash_value mcp_info(quash_value result)
{
	const quash_value info = quash_get(result, "serverInfo");
	return quash_kind_of(info) != QUASH_NONE ? info : quash_member(quash_get(result, "_meta"), MCP_META "serverInfo");
}

/* --- Lists */

const struct mcp_list mcp_lists[LIST_KINDS] = {
	[LIST_TOOLS] = { "tools/list", "tools", "name", "notifications/tools/list_changed" },
	[LIST_PROMPTS] = { "prompts/list", "prompts", "name", "notifications/prompts/list_changed" },
	[LIST_RESOURCES] = { "resources/list", "resources", "uri", "notifications/resources/list_changed" },
	[LIST_TEMPLATES] = { "resources/templates/list", "resourceTemplates", "uriTemplate", "notifications/resources/list_changed" },
};

enum list_kind mcp_list_of(const char *method)
{
	int kind = 0;
	while (kind < LIST_KINDS && strcmp(mcp_lists[kind].method, method) != 0)
		kind++;
	return (enum list_kind)kind;
}

bool mcp_is_list_changed(const char *method)
{
	int kind = 0;
	while (kind < LIST_KINDS && strcmp(mcp_lists[kind].changed, method) != 0)
		kind++;
	return kind < LIST_KINDS;
}

/* --- Pages */

bool mcp_seen_before(struct mcp_seen *seen, const struct heap *heap, quash_value value)
{
	const uint64_t print = text_print(heap, 0, value);
	for (unsigned i = 0; i < seen->count; i++) {
		if (seen->prints[i] == print)
			return true;
	}
	if (seen->count < MCP_PAGES)
		seen->prints[seen->count++] = print;
	return false;
}

const char *mcp_cursor_leads_nowhere(struct mcp_seen *seen, const struct heap *heap, quash_value next)
{
	const bool before = mcp_seen_before(seen, heap, next);
	return quash_length(next) == 0 ? "its next cursor is empty" : before ? "its next cursor has come before" : NULL;
}
