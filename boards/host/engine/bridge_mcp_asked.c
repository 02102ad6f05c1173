/* SPDX-License-Identifier: MIT
 * Questions of devices: what a client has announced that it can be asked, and whom a question is for. */
#include "bridge_mcp.h"

#include "bridge_device.h"
#include "quash.h"

#include <string.h>

static bool has_capability(quash_value object, const char *name)
{
	return quash_kind_of(quash_member(object, name)) == QUASH_OBJECT;
}

/* A client that names no way of elicitation is asked with a form. */
uint8_t mcp_can_be_asked(quash_value capabilities)
{
	const quash_value sampling = quash_member(capabilities, "sampling"), elicitation = quash_member(capabilities, "elicitation");
	const bool asks = quash_kind_of(elicitation) == QUASH_OBJECT, url = has_capability(elicitation, "url");
	unsigned can = has_capability(capabilities, "roots") ? QUASH_MCP_ROOTS : 0;
	can |= quash_kind_of(sampling) == QUASH_OBJECT ? QUASH_MCP_SAMPLING : 0;
	can |= has_capability(sampling, "tools") ? QUASH_MCP_SAMPLING_TOOLS : 0;
	can |= asks && (has_capability(elicitation, "form") || !url) ? QUASH_MCP_ELICITATION : 0;
	can |= url ? QUASH_MCP_ELICITATION_URL : 0;
	return (uint8_t)can;
}

/* What a client must have announced to be asked that; no client has announced UNKNOWN. */
static uint8_t needed(const quash_request *question)
{
	enum { UNKNOWN = UINT8_MAX };
	const char *const method = quash_method_of(question)->name;
	const quash_value params = quash_params_of(question), mode = quash_member(params, "mode");
	if (strcmp(method, "roots/list") == 0)
		return QUASH_MCP_ROOTS;
	if (strcmp(method, "sampling/createMessage") == 0) {
		const bool tools = quash_kind_of(quash_member(params, "tools")) != QUASH_NONE;
		const bool choice = quash_kind_of(quash_member(params, "toolChoice")) != QUASH_NONE;
		return tools || choice ? QUASH_MCP_SAMPLING | QUASH_MCP_SAMPLING_TOOLS : QUASH_MCP_SAMPLING;
	}
	if (strcmp(method, "elicitation/create") != 0)
		return 0;
	if (quash_kind_of(mode) == QUASH_NONE || quash_is(mode, "form"))
		return QUASH_MCP_ELICITATION;
	return quash_is(mode, "url") ? QUASH_MCP_ELICITATION_URL : UNKNOWN;
}

/* Before the answer to `initialize` nothing else may leave, and no question before `notifications/initialized` (2025-11-25
 * basic/lifecycle). */
bool mcp_is_early(const struct client *client, bool asked)
{
	const bool modern = client->modern && !client->greeted;
	return !modern && !(client->opened && (!asked || client->initialized));
}

/* 2026-07-28 has no requests from devices. */
struct client *mcp_asked(const quash_request *question)
{
	struct bridge *const b = wire_of_request(question)->bridge;
	struct client *const only = b->clients[0];
	if (!b->listens)
		return only->greeted || !only->modern ? only : NULL;
	const quash_request *const cause = mcp_cause(question);
	const uint8_t all = needed(question);
	if (cause == NULL || client_of(cause)->leaving || mcp_is_modern(cause))
		return NULL;
	return (client_of(cause)->can & all) == all ? client_of(cause) : NULL;
}
