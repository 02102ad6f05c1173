/* SPDX-License-Identifier: MIT */
#include "../../include/quash/peer.h"

const quash_dialect quash_acp = {
	.cancel_method = "$/cancel_request",
	.cancel_alias = "$/cancelRequest",
	.cancel_id = "requestId",
	.tag_member = "sessionId",
	.tag_cancels = (const quash_tag_cancel[]){ { "session/cancel", "session/prompt" }, { NULL, NULL } },
	.other_code = QUASH_CANCELLED,
	.own_code = QUASH_CANCELLED,
	.framing = QUASH_LINES,
	.null_id = true,
};

const quash_dialect quash_lsp = {
	.cancel_method = "$/cancelRequest",
	.cancel_id = "id",
	.other_code = QUASH_CANCELLED,
	.own_code = QUASH_REQUEST_FAILED,
	.framing = QUASH_CONTENT_LENGTH,
	.null_id = true,
};

const quash_dialect quash_mcp = {
	.cancel_method = "notifications/cancelled",
	.cancel_id = "requestId",
	.cancel_reason = "reason",
	.never_cancelled = "initialize",
	.other_code = 0,
	.own_code = QUASH_CANCELLED,
	.framing = QUASH_LINES,
	.null_id = false,
};

const quash_dialect quash_jsonrpc = {
	.cancel_method = "$/cancel_request",
	.cancel_alias = "$/cancelRequest",
	.cancel_id = "requestId",
	.cancel_id_alias = "id",
	.other_code = QUASH_CANCELLED,
	.own_code = QUASH_CANCELLED,
	.framing = QUASH_LINES,
	.null_id = true,
	.batch = &quash_batch,
};
