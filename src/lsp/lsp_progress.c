/* SPDX-License-Identifier: MIT
 * 3.17 "Work Done Progress". */
#include "lsp_inner.h"

static quash_writer *open_progress(quash_request *request, const char *kind)
{
	quash_writer *const w = quash_lsp_progress(request, quash_lsp_work_token(request));
	quash_put_object(w);
	quash_put_key(w, "kind");
	quash_put_text(w, kind);
	return w;
}

static void put_work_message(quash_writer *w, const char *message)
{
	if (message == NULL)
		return;
	quash_put_key(w, "message");
	quash_put_text(w, message);
}

static void put_percentage(quash_writer *w, int32_t percentage)
{
	if (percentage < 0)
		return;
	quash_put_key(w, "percentage");
	quash_put_int(w, percentage < 100 ? percentage : 100);
}

/* It counts once it is in TX. */
static int32_t send_work(quash_request *request, uint8_t flag)
{
	const int32_t code = quash_send_report(request);
	if (code == QUASH_DONE)
		quash_lsp_slot_of(request)->flags |= flag;
	return code;
}

/* Whether somebody is to see it, and the work has come so far and no further. */
static bool stands(quash_request *request, uint8_t flags)
{
	return (quash_lsp_slot_of(request)->flags & (LSP_ASKED | LSP_BEGUN | LSP_FINISHED)) == flags &&
		quash_lsp_work_token(request)->kind != QUASH_NONE;
}

int32_t quash_lsp_begin(quash_request *request, const char *title, const char *message, int32_t percentage)
{
	if (!stands(request, 0) || !quash_may_report(request))
		return QUASH_DONE;
	quash_writer *const w = open_progress(request, "begin");
	quash_put_key(w, "title");
	quash_put_text(w, title);
	quash_put_key(w, "cancellable");
	quash_put_bool(w, true);
	put_work_message(w, message);
	put_percentage(w, percentage);
	return send_work(request, LSP_BEGUN);
}

int32_t quash_lsp_report(quash_request *request, const char *message, int32_t percentage)
{
	if (!stands(request, LSP_BEGUN) || !quash_may_report(request))
		return QUASH_DONE;
	quash_writer *const w = open_progress(request, "report");
	put_work_message(w, message);
	put_percentage(w, percentage);
	return send_work(request, 0);
}

int32_t quash_lsp_close(quash_request *request, const char *message)
{
	if (!stands(request, LSP_BEGUN))
		return QUASH_DONE;
	put_work_message(open_progress(request, "end"), message);
	return send_work(request, LSP_FINISHED);
}

int32_t quash_lsp_finish(quash_request *request, const char *message)
{
	return quash_may_report(request) ? quash_lsp_close(request, message) : QUASH_DONE;
}
