/* SPDX-License-Identifier: MIT
 * 3.17 "Canceling Work Done Progress". */
#include "lsp_inner.h"

/* The same type and text. */
static bool is_same_token(const struct lsp_token *token, quash_value value)
{
	const char *const text = quash_text(value);
	size_t i = 0;
	if (token->kind == QUASH_NONE || token->kind != quash_kind_of(value) || token->length != quash_length(value))
		return false;
	while (i < token->length && token->text[i] == text[i])
		i++;
	return i == token->length;
}

static bool has_token(quash_request *request, quash_value token)
{
	const quash_method *const method = quash_method_of(request);
	return method != NULL && method->handler == quash_lsp_run && quash_may_report(request) &&
		quash_lsp_is_admitted(request) && is_same_token(quash_lsp_work_token(request), token);
}

/* Requests are started in the order in which they came: whatever is older than the notification runs or has ended. */
int32_t quash_lsp_cancel_work(quash_request *request)
{
	const quash_value token = quash_member(quash_params_of(request), "token");
	quash_peer *const peer = quash_peer_of(request);
	quash_request *const slots = peer->config->slots;
	quash_live live = { .request = NULL };
	while (quash_next_live(peer, &live)) {
		quash_request *const older = &slots[live.request - slots];
		if (has_token(older, token)) {
			quash_cancel(older);
			return QUASH_DONE;
		}
	}
	return QUASH_DONE;
}
