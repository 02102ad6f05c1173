/* SPDX-License-Identifier: MIT
 * What each era of MCP wants of requests: `initialize` (2025-11-25 basic/lifecycle), and 2026-07-28, in which every request
 * names its version. */
#include "inspect_mcp.h"

#include "inspect_json.h"

#include "quash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLIENT "{\"name\":\"quash-inspect\",\"version\":\"" QUASH_VERSION "\"}"
/* What each request of the modern era carries (2026-07-28 basic "_meta"). */
#define MODERN \
	"\"io.modelcontextprotocol/protocolVersion\":\"" QUASH_MCP_MODERN_VERSION "\"," \
	"\"io.modelcontextprotocol/clientInfo\":" CLIENT "," \
	"\"io.modelcontextprotocol/clientCapabilities\":{}"
#define PROGRESS "\"progressToken\":1"

enum { COUNT_OF_VERSIONS = 4 };

static const char *const versions[] = QUASH_MCP_LEGACY_VERSIONS;

void mcp_put_meta(quash_writer *w, const struct options *o, bool progress)
{
	const char *const meta = o->modern ? (progress ? "{" PROGRESS "," MODERN "}" : "{" MODERN "}")
					   : "{" PROGRESS "}";
	if (!progress && !o->modern)
		return;
	quash_put_key(w, "_meta");
	quash_put_raw(w, meta);
}

void mcp_put_only_meta(quash_writer *w, const quash_call *call)
{
	quash_put_object(w);
	mcp_put_meta(w, call->context, false);
	quash_put_end(w);
}

void mcp_put_initialize(quash_writer *w, const quash_call *call)
{
	(void)call;
	quash_put_object(w);
	quash_put_key(w, "protocolVersion");
	quash_put_text(w, versions[COUNT_OF_VERSIONS - 1]);
	quash_put_key(w, "capabilities");
	quash_put_object(w);
	quash_put_end(w);
	quash_put_key(w, "clientInfo");
	quash_put_raw(w, CLIENT);
	quash_put_end(w);
}

bool mcp_knows(const char *version)
{
	for (size_t i = 0; i < COUNT_OF_VERSIONS; i++) {
		if (strcmp(versions[i], version) == 0)
			return true;
	}
	return false;
}

/* The modern era has no ping. */
const struct conduct *mcp_conduct(const struct link *link, int (*show)(struct link *link, quash_value result))
{
	static struct conduct conduct;
	conduct.show = show;
	conduct.probe = link->options->modern ? "server/discover" : "ping";
	conduct.put_probe = link->options->modern ? mcp_put_only_meta : NULL;
	conduct.probe_context = link->options;
	return &conduct;
}

bool mcp_modernise(struct options *o)
{
	const char *const given = o->params != NULL ? o->params : "{}";
	const size_t size = strlen(given) + sizeof MODERN + sizeof "{\"_meta\":{},";
	if (!o->modern || json_has(given, "_meta"))
		return true;
	char *const text = malloc(size);
	if (text != NULL)
		snprintf(text, size, "{\"_meta\":{%s}%s%s", MODERN, given[1] == '}' ? "" : ",", given + 1);
	o->params = text; /* the process's */
	return text != NULL;
}
