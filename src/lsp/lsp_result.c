/* SPDX-License-Identifier: MIT
 * Partial results, and the error of a server that gives up. */
#include "lsp_inner.h"

bool quash_lsp_wants_parts(quash_request *request)
{
	return quash_lsp_part_token(request)->kind != QUASH_NONE;
}

int32_t quash_lsp_part(quash_request *request, quash_put *put)
{
	if (!quash_lsp_wants_parts(request))
		return QUASH_INTERNAL_ERROR;
	if (!quash_may_report(request))
		return QUASH_DONE;
	put(quash_lsp_progress(request, quash_lsp_part_token(request)), request);
	return quash_send_report(request);
}

int32_t quash_lsp_end_parts(quash_request *request)
{
	const char *const empty = quash_lsp_method_of_(request)->empty;
	if (empty == NULL)
		return quash_reply_json(request, "[]");
	return quash_reply_json_(request, empty);
}

static void put_retrigger(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_put_raw(w, "{\"retriggerRequest\":true}");
}

static void put_no_retrigger(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_put_raw(w, "{\"retriggerRequest\":false}");
}

int32_t quash_lsp_server_cancelled(quash_request *request, bool retrigger)
{
	quash_put *const put = retrigger ? put_retrigger : put_no_retrigger;
	return quash_fail_data(request, QUASH_SERVER_CANCELLED, "Server cancelled", put);
}
