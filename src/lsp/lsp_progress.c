/* SPDX-License-Identifier: MIT
 * 3.18 "Work Done Progress": reports, tokens of our own, cancels by the client. */
#include "lsp_inner.h"

/* --- The notification `$/progress`, for work and for parts alike */

quash_writer *quash_lsp_progress(quash_request *request, const struct lsp_token *token)
{
	quash_writer *const w = quash_notify(quash_peer_of(request), "$/progress");
	quash_put_object(w);
	quash_put_key(w, "token");
	quash_put_token(w, token->kind, token->text, token->length);
	quash_put_key(w, "value");
	return w;
}

/* --- Reports */

static quash_writer *open_progress(quash_request *request, const char *kind)
{
	quash_writer *const w = quash_lsp_progress(request, quash_lsp_work_token(request));
	quash_put_object(w);
	quash_put_member(w, "kind", kind);
	return w;
}

static void put_percentage(quash_writer *w, int32_t percentage)
{
	if (percentage < 0)
		return;
	quash_put_key(w, "percentage");
	quash_put_int(w, percentage < 100 ? percentage : 100);
}

/* Sets the flag once the report is in TX. */
static int32_t send_work(quash_request *request, uint8_t flag)
{
	const int32_t code = quash_send_report(request);
	if (code == QUASH_DONE)
		quash_lsp_slot_of(request)->flags |= flag;
	return code;
}

/* True if there is a token, and of the flags of work exactly these are set. */
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
	quash_put_member(w, "title", title);
	quash_put_key(w, "cancellable");
	quash_put_bool(w, true);
	quash_put_optional(w, "message", message);
	put_percentage(w, percentage);
	return send_work(request, LSP_BEGUN);
}

int32_t quash_lsp_report(quash_request *request, const char *message, int32_t percentage)
{
	if (!stands(request, LSP_BEGUN) || !quash_may_report(request))
		return QUASH_DONE;
	quash_writer *const w = open_progress(request, "report");
	quash_put_optional(w, "message", message);
	put_percentage(w, percentage);
	return send_work(request, 0);
}

static int32_t close_work(quash_request *request, const char *message)
{
	if (!stands(request, LSP_BEGUN))
		return QUASH_DONE;
	quash_put_optional(open_progress(request, "end"), "message", message);
	return send_work(request, LSP_FINISHED);
}

int32_t quash_lsp_finish(quash_request *request, const char *message)
{
	return quash_may_report(request) ? close_work(request, message) : QUASH_DONE;
}

/* --- 3.18 "Creating Work Done Progress": tokens of our own */

/* A string, because tokens of clients are often numbers. */
static void make_token(quash_request *request)
{
	static const char digits[] = "0123456789abcdef";
	static const char begin[QUASH_LSP_OWN_TOKEN + 1] = "quash-00000000";
	const quash_lsp_server *const server = quash_lsp_server_of(request);
	struct lsp_token *const token = quash_lsp_work_token(request);
	uint32_t number = ++server->session->created;
	if (server->token_size < QUASH_LSP_OWN_TOKEN)
		return;
	for (uint8_t i = 0; i <= QUASH_LSP_OWN_TOKEN; i++)
		token->text[i] = begin[i];
	for (uint8_t i = QUASH_LSP_OWN_TOKEN; number > 0; number /= 16)
		token->text[--i] = digits[number % 16];
	token->kind = QUASH_STRING;
	token->length = QUASH_LSP_OWN_TOKEN;
}

static void put_created_token(quash_writer *w, const quash_call *call)
{
	const struct lsp_token *const token = quash_lsp_work_token(call->parent);
	quash_put_object(w);
	quash_put_key(w, "token");
	quash_put_token(w, token->kind, token->text, token->length);
	quash_put_end(w);
}

static int32_t close_created_work(quash_request *request)
{
	return close_work(request, NULL);
}

static void ask_for_token(quash_request *request, quash_call *call)
{
	make_token(request);
	if (quash_lsp_work_token(request)->kind == QUASH_NONE)
		return;
	quash_lsp_slot_of(request)->flags |= LSP_ASKED;
	call->method = "window/workDoneProgress/create";
	call->put = put_created_token;
	if (call->deadline == 0)
		call->deadline = QUASH_LSP_CREATE_MS;
	(void)quash_call_start_for(request, quash_peer_of(request), call);
}

/* A token is used only if the client has granted it. A cancelled request does not wait for that. */
static void settle_created(quash_request *request, const quash_call *call)
{
	quash_lsp_slot *const slot = quash_lsp_slot_of(request);
	slot->flags &= (uint8_t)~LSP_ASKED;
	if (quash_call_outcome(call) == QUASH_CALL_RESULT)
		slot->close = close_created_work;
	else
		quash_lsp_work_token(request)->kind = QUASH_NONE;
}

int32_t quash_lsp_create(quash_request *request, quash_call *call)
{
	const quash_lsp_slot *const slot = quash_lsp_slot_of(request);
	if (call->method == NULL && quash_lsp_server_of(request)->session->work &&
		quash_lsp_work_token(request)->kind == QUASH_NONE)
		ask_for_token(request, call);
	if ((slot->flags & LSP_ASKED) == 0)
		return QUASH_DONE;
	if (!quash_call_has_ended(call) && quash_cancelled(request) == QUASH_NOT_CANCELLED)
		return QUASH_PENDING;
	settle_created(request, call);
	return QUASH_DONE;
}

/* --- 3.18 "Canceling Work Done Progress" */

/* Compares type and text. */
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
	return method != NULL && method->handler == quash_lsp_run_ && quash_may_report(request) &&
		quash_lsp_is_admitted(request) && is_same_token(quash_lsp_work_token(request), token);
}

/* Requests start in the order in which they came: each one older than this notification runs, or has ended. */
int32_t quash_lsp_cancel_work_(quash_request *request)
{
	const quash_value token = quash_member(quash_params_of(request), "token");
	quash_peer *const peer = quash_peer_of(request);
	quash_request *const slots = quash_config_of(peer)->slots;
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
