/* SPDX-License-Identifier: MIT
 * 3.17 "Creating Work Done Progress": tokens of our own. */
#include "lsp_inner.h"

/* A string, as clients that count count in numbers. */
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
	return quash_lsp_close(request, NULL);
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

/* A token that was not granted, or that a cancelled request does not wait for, must not be used. */
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
