/* SPDX-License-Identifier: MIT
 * The notification `$/progress`, for work and for parts alike. */
#include "lsp_inner.h"

quash_writer *quash_lsp_progress(quash_request *request, const struct lsp_token *token)
{
	quash_writer *const w = quash_notify(quash_peer_of(request), "$/progress");
	quash_put_object(w);
	quash_put_key(w, "token");
	quash_put_token(w, token->kind, token->text, token->length);
	quash_put_key(w, "value");
	return w;
}
