/* SPDX-License-Identifier: MIT
 * 3.17 "Canceling Work Done Progress". */
#include "lsp_inner.h"

static bool has_token(quash_request *request, quash_value token)
{
	const quash_method *const method = quash_method_of(request);
	return method != NULL && method->handler == quash_lsp_run && quash_may_report(request) &&
	       (quash_lsp_slot_of(request)->call.flags & LSP_ADMITTED) != 0 &&
	       quash_token_is(quash_lsp_work_cell(request), token);
}

/* What is older than the notification and has not started may yet turn out to have the token. */
int32_t quash_lsp_cancel_work(quash_request *request, quash_value params)
{
	const quash_value token = quash_member(params, "token");
	quash_peer *const peer = quash_peer_of(request);
	quash_request *const slots = peer->config->slots;
	quash_live live = { NULL, NULL, NULL, 0, false, false, 0, QUASH_NOT_CANCELLED };
	bool all_started = true;
	while (quash_next_live(peer, &live) && live.request != request) {
		quash_request *const older = &slots[live.request - slots];
		if (has_token(older, token)) {
			quash_cancel(older);
			return QUASH_DONE;
		}
		all_started = all_started && live.started;
	}
	return all_started ? QUASH_DONE : QUASH_RETRY;
}
