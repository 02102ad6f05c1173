/* SPDX-License-Identifier: MIT
 * 3.17 "Canceling Work Done Progress". */
#include "lsp_inner.h"

static bool has_token(quash_request *request, quash_value token)
{
	const quash_method *const method = quash_method_of(request);
	return method != NULL && method->handler == quash_lsp_run && quash_may_report(request) &&
		quash_lsp_is_admitted(request) && quash_token_is(quash_lsp_work_cell(request), token);
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
