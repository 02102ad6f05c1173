/* SPDX-License-Identifier: MIT */
#include "../../include/quash/peer.h"

const quash_dialect quash_acp = {
	.cancels = (const quash_cancel_method[]){ { "$/cancel_request", NULL }, { "$/cancelRequest", NULL },
		{ "session/cancel", "session/prompt" } },
	.cancel_count = 3,
	.cancel_id = "requestId",
	.tag_member = "sessionId",
	.other_code = QUASH_CANCELLED,
	.own_code = QUASH_CANCELLED,
	.framing = QUASH_LINES,
	.null_id = true,
};

static const char *lsp_words(int32_t code)
{
	switch (code) {
	case QUASH_REQUEST_FAILED: return "Request failed";
	case QUASH_CONTENT_MODIFIED: return "Content modified";
	case QUASH_SERVER_CANCELLED: return "Server cancelled";
	case QUASH_NOT_INITIALIZED: return "Server not initialized";
	default: return NULL;
	}
}

const quash_dialect quash_lsp = {
	.cancels = (const quash_cancel_method[]){ { "$/cancelRequest", NULL } },
	.cancel_count = 1,
	.cancel_id = "id",
	.other_code = QUASH_CANCELLED,
	.own_code = QUASH_REQUEST_FAILED,
	.words = lsp_words,
	.framing = QUASH_CONTENT_LENGTH,
	.null_id = true,
};

const quash_dialect quash_mcp = {
	.cancels = (const quash_cancel_method[]){ { "notifications/cancelled", NULL } },
	.cancel_count = 1,
	.cancel_id = "requestId",
	.cancel_reason = "reason",
	.era_object = "_meta",
	.era_member = "io.modelcontextprotocol/protocolVersion",
	.never_cancelled = "initialize",
	.other_code = 0,
	.own_code = QUASH_CANCELLED,
	.framing = QUASH_LINES,
	.null_id = false,
};

const quash_dialect quash_jsonrpc = {
	.cancels = (const quash_cancel_method[]){ { "$/cancel_request", NULL }, { "$/cancelRequest", NULL } },
	.cancel_count = 2,
	.cancel_id = "requestId",
	.cancel_id_alias = "id",
	.other_code = QUASH_CANCELLED,
	.own_code = QUASH_CANCELLED,
	.framing = QUASH_LINES,
	.null_id = true,
	.batch = &quash_batch,
};
