/* SPDX-License-Identifier: MIT
 * The state rules; how handlers are called; 3.18 "Server lifecycle". */
#include "lsp_inner.h"

#include "../core/lease.h"

/* --- Slots */

quash_lsp_slot *quash_lsp_slot_of(quash_request *request)
{
	uint8_t *const begin = quash_state(request, sizeof(quash_lsp_slot));
	return (void *)(begin + quash_config_of(quash_peer_of(request))->state_size - sizeof(quash_lsp_slot));
}

bool quash_lsp_is_admitted(quash_request *request)
{
	return (quash_lsp_slot_of(request)->flags & LSP_ADMITTED) != 0;
}

const quash_lsp_method *quash_lsp_method_of_(const quash_request *request)
{
	return quash_data(request);
}

const quash_lsp_server *quash_lsp_server_of(const quash_request *request)
{
	return quash_lsp_method_of_(request)->server;
}

/* The `n`th token before the slot. */
static struct lsp_token *token_of(quash_request *request, size_t n)
{
	const size_t size = sizeof(struct lsp_token) + (size_t)quash_lsp_server_of(request)->token_size + 1;
	return (void *)((uint8_t *)quash_lsp_slot_of(request) - n * size);
}

struct lsp_token *quash_lsp_work_token(quash_request *request)
{
	return token_of(request, 1);
}

struct lsp_token *quash_lsp_part_token(quash_request *request)
{
	return token_of(request, 2);
}

/* --- The state rules */

/* QUASH_DONE: the request is served. */
static int32_t judge_stage(const quash_lsp_session *session)
{
	if (session->exited || session->stage == QUASH_LSP_SHUT_DOWN)
		return QUASH_INVALID_REQUEST;
	return session->stage == QUASH_LSP_OPEN ? QUASH_DONE : QUASH_NOT_INITIALIZED;
}

static void keep_lsp_token(const quash_request *request, struct lsp_token *token, const quash_value *value)
{
	if (quash_is_token(value))
		token->kind = quash_keep_token(value, token->text, quash_lsp_server_of(request)->token_size, &token->length);
}

static int32_t admit(quash_request *request)
{
	const quash_lsp_method *const method = quash_lsp_method_of_(request);
	const int32_t code = judge_stage(method->server->session);
	if (code != QUASH_DONE)
		return (quash_method_of(request)->marks & QUASH_NOTIFICATION) != 0 ? QUASH_DONE : code;
	if (quash_state(request, QUASH_LSP_STATE(method->server->token_size, method->state_size)) == NULL)
		return QUASH_INTERNAL_ERROR;
	quash_lsp_slot_of(request)->flags |= LSP_ADMITTED;
	const quash_value params = quash_params_of(request);
	const quash_value work = quash_member(params, "workDoneToken"), part = quash_member(params, "partialResultToken");
	keep_lsp_token(request, quash_lsp_work_token(request), &work);
	keep_lsp_token(request, quash_lsp_part_token(request), &part);
	return QUASH_DONE;
}

/* --- Calling */

int32_t quash_lsp_run_(quash_request *request)
{
	if (!quash_lsp_is_admitted(request)) {
		const int32_t code = admit(request);
		if (!quash_lsp_is_admitted(request))
			return code;
	}
	return quash_lsp_method_of_(request)->handler(request);
}

/* The method's own `end` comes first: motion stops without waiting for room in TX. */
int32_t quash_lsp_end_(quash_request *request)
{
	const quash_lsp_method *const method = quash_lsp_method_of_(request);
	quash_lsp_slot *const slot = quash_lsp_slot_of(request);
	if (!quash_lsp_is_admitted(request))
		return QUASH_DONE;
	if ((slot->flags & LSP_RESTED) == 0 && method->end != NULL && method->end(request) == QUASH_PENDING)
		return QUASH_PENDING;
	slot->flags |= LSP_RESTED;
	/* The client would show work without an end for ever. After the session or the link is gone, no client shows it. */
	const bool lost = method->server->session->stage == QUASH_LSP_CLOSED || quash_is_gone(quash_peer_of(request)) ||
		quash_cancelled(request) == QUASH_BY_LINK;
	return slot->close != NULL && !lost && slot->close(request) == QUASH_PENDING ? QUASH_PENDING : QUASH_DONE;
}

void quash_lsp_released_(quash_request *request)
{
	const quash_lsp_method *const method = quash_lsp_method_of_(request);
	if (quash_lsp_is_admitted(request) && method->released != NULL)
		method->released(request);
}

static const quash_lsp_server *life_server_of(const quash_request *request)
{
	return quash_data(request);
}

/* --- initialize */

static void put_capability(quash_writer *w, const quash_lsp_capability *capability)
{
	quash_put_key(w, capability->name);
	quash_put_raw(w, capability->json);
}

/* It stays open. */
static void put_experimental(quash_writer *w, const quash_lsp_server *server)
{
	quash_put_key(w, "experimental");
	quash_put_object(w);
	for (uint8_t i = 0; i < server->experimental_count; i++)
		put_capability(w, &server->experimental[i]);
}

static void put_with_leases(quash_writer *w, const quash_request *request)
{
	const quash_lsp_server *const server = life_server_of(request);
	const quash_config *const config = quash_config_of(quash_peer_of(request));
	if (server->experimental_count == 0 && quash_shortest_lease(config) == 0)
		return;
	put_experimental(w, server);
	quash_put_leases(w, config);
	quash_put_end(w);
}

const struct quash_lease_code quash_lsp_leases = { put_with_leases, NULL };

/* Each capability is a piece. All that follows is the last piece. */
static bool put_initialize(quash_writer *w, const quash_request *request, uint16_t index)
{
	const quash_lsp_server *const server = life_server_of(request);
	if (index > server->capability_count)
		return false;
	if (index == 0) {
		quash_put_object(w);
		quash_put_key(w, "capabilities");
		quash_put_object(w);
	}
	if (index < server->capability_count) {
		put_capability(w, &server->capabilities[index]);
		return true;
	}
	if (server->leases != NULL) {
		server->leases->put(w, request);
	} else if (server->experimental_count > 0) {
		put_experimental(w, server);
		quash_put_end(w);
	}
	quash_put_end(w);
	quash_put_key(w, "serverInfo");
	quash_put_object(w);
	quash_put_member(w, "name", server->name);
	quash_put_member(w, "version", server->version);
	quash_put_end(w);
	return true;
}

int32_t quash_lsp_initialize_(quash_request *request)
{
	const quash_lsp_server *const server = life_server_of(request);
	const quash_value params = quash_params_of(request);
	const quash_value window = quash_member(quash_member(params, "capabilities"), "window");
	if (judge_stage(server->session) != QUASH_NOT_INITIALIZED)
		return QUASH_INVALID_REQUEST;
	if (quash_refuse_lease(request, quash_shortest_lease(quash_config_of(quash_peer_of(request))), server->leases))
		return QUASH_DONE;
	server->session->stage = QUASH_LSP_OPEN;
	server->session->work = quash_kind_of(quash_member(window, "workDoneProgress")) == QUASH_TRUE;
	if (server->initialize != NULL)
		server->initialize(quash_peer_of(request), params);
	return quash_reply_items(request, put_initialize);
}

/* --- The others */

int32_t quash_lsp_initialized_(quash_request *request)
{
	const quash_lsp_server *const server = life_server_of(request);
	if (judge_stage(server->session) == QUASH_DONE && server->initialized != NULL)
		server->initialized(quash_peer_of(request));
	return QUASH_DONE;
}

int32_t quash_lsp_shutdown_(quash_request *request)
{
	quash_lsp_session *const session = life_server_of(request)->session;
	const int32_t code = judge_stage(session);
	if (code != QUASH_DONE)
		return code;
	session->stage = QUASH_LSP_SHUT_DOWN;
	return quash_reply_null(request);
}

int32_t quash_lsp_unknown_(quash_request *request)
{
	const int32_t code = judge_stage(life_server_of(request)->session);
	return code != QUASH_DONE ? code : QUASH_METHOD_NOT_FOUND;
}

int32_t quash_lsp_exit_(quash_request *request)
{
	life_server_of(request)->session->exited = true;
	return QUASH_DONE;
}

uint8_t quash_lsp_exit_code(const quash_lsp_session *session)
{
	return session->stage == QUASH_LSP_SHUT_DOWN ? 0 : 1;
}
