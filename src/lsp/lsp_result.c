/* SPDX-License-Identifier: MIT
 * Partial results, and the error of a server that gives up. */
#include "lsp_inner.h"

bool quash_lsp_wants_parts(quash_request *request)
{
	return quash_token_any(quash_lsp_part_cell(request));
}

int32_t quash_lsp_part(quash_request *request, quash_lsp_put *put, const void *data)
{
	if (!quash_lsp_wants_parts(request))
		return QUASH_INTERNAL_ERROR;
	if (!quash_may_report(request))
		return QUASH_DONE;
	put(quash_lsp_progress(request, quash_lsp_part_cell(request)), data);
	return quash_notify_send(quash_peer_of(request));
}

int32_t quash_lsp_all_told(quash_request *request)
{
	const char *const empty = quash_lsp_method_of(request)->empty;
	quash_put_raw(quash_reply(request), empty != NULL ? empty : "[]");
	return quash_send(request);
}

int32_t quash_lsp_server_cancelled(quash_request *request, bool retrigger)
{
	quash_writer *const w = quash_error_reply(request, QUASH_SERVER_CANCELLED, "Server cancelled");
	quash_put_object(w);
	quash_put_key(w, "retriggerRequest");
	quash_put_bool(w, retrigger);
	return quash_send(request);
}
