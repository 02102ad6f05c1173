/* SPDX-License-Identifier: MIT
 * The notification `$/progress`, for work and for parts alike. */
#include "lsp_inner.h"

quash_writer *quash_lsp_progress(quash_request *request, const uint8_t *cell)
{
	quash_writer *const w = quash_notify(quash_peer_of(request), "$/progress");
	quash_put_object(w);
	quash_put_key(w, "token");
	quash_token_put(w, cell);
	quash_put_key(w, "value");
	return w;
}

int32_t quash_lsp_send(const quash_request *request)
{
	quash_peer *const peer = quash_peer_of(request);
	if (quash_notify_send(peer))
		return QUASH_DONE;
	return quash_notify_fits(peer) ? QUASH_PENDING : QUASH_TOO_LARGE;
}
