/* SPDX-License-Identifier: MIT */
#include "inspect_kept.h"

#include "quash.h"

#include <string.h>

static const quash_mcp_resources resources = { .part = { &quash_mcp_resources_kind } };
static const quash_mcp_prompts prompts = { .part = { &quash_mcp_prompts_kind } };
static const quash_mcp_logging logging = { .part = { &quash_mcp_logging_kind } };
static const quash_mcp_completion completion = { .part = { &quash_mcp_completion_kind } };
static const quash_mcp_part *const parts[] = {
	&resources.part, &prompts.part, &logging.part, &completion.part, &quash_mcp_ask_part, NULL };

/* Tokens of any length that a device may be set to. */
static quash_mcp_session session;
static const quash_mcp_server device = { .name = "needs", .version = "1", .session = &session, .parts = parts,
	.modern = &quash_mcp_modern, .token_size = UINT8_MAX };

static const quash_method methods[] = {
	QUASH_MCP_METHODS(&device), QUASH_MCP_RESOURCES(&device), QUASH_MCP_PROMPTS(&device), QUASH_MCP_LOGGING(&device),
	QUASH_MCP_COMPLETION(&device), QUASH_MCP_SUBSCRIBE(&device), QUASH_MCP_LISTEN(&device) };

static void feed_text(quash_peer *peer, struct span text)
{
	(void)quash_feed(peer, (const uint8_t *)text.at, text.n);
}

/* No step is taken, so no handler runs: the peer counts what it would have stored. */
uint32_t arena_of_kept(struct span method, struct span params)
{
	quash_peer peer;
	QUASH_STORAGE(store, 1, QUASH_ID_MIN, 0, QUASH_ARENA_MIN, QUASH_TX_MIN);
	const quash_config config = { QUASH_STORED(store), .dialect = &quash_mcp, .methods = methods,
		.method_count = sizeof methods / sizeof *methods, .keeps = &quash_mcp_keeps };
	if (params.at == NULL)
		return 0;
	quash_start_with_(&peer, &config);
	feed_text(&peer, span_of("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":"));
	feed_text(&peer, method);
	feed_text(&peer, span_of(",\"params\":"));
	feed_text(&peer, params);
	feed_text(&peer, span_of("}\n"));
	return quash_counters_of(&peer)->most_arena;
}
