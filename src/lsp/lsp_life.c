/* SPDX-License-Identifier: MIT
 * 3.17 "Server lifecycle". */
#include "../core/life_sign.h"
#include "lsp_inner.h"

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

static void put_experimental(quash_writer *w, const quash_request *request)
{
	const quash_lsp_server *const server = life_server_of(request);
	const uint32_t ms = quash_shortest_lease(quash_peer_of(request)->config);
	if (ms == 0 && server->experimental_count == 0)
		return;
	quash_put_key(w, "experimental");
	quash_put_object(w);
	for (uint8_t i = 0; i < server->experimental_count; i++)
		put_capability(w, &server->experimental[i]);
	quash_put_life_sign(w, ms);
	quash_put_end(w);
}

/* Each capability is a piece of its own; what follows them is the last one. */
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
	put_experimental(w, request);
	quash_put_end(w);
	quash_put_key(w, "serverInfo");
	quash_put_info(w, server->name, NULL, server->version);
	return true;
}

int32_t quash_lsp_initialize(quash_request *request)
{
	const quash_lsp_server *const server = life_server_of(request);
	const quash_value params = quash_params_of(request);
	const quash_value window = quash_member(quash_member(params, "capabilities"), "window");
	if (quash_lsp_judge(server->session) != QUASH_NOT_INITIALIZED)
		return QUASH_INVALID_REQUEST;
	server->session->stage = QUASH_LSP_OPEN;
	server->session->work = quash_kind_of(quash_member(window, "workDoneProgress")) == QUASH_TRUE;
	if (server->initialize != NULL)
		server->initialize(quash_peer_of(request), params);
	return quash_reply_items(request, put_initialize);
}

/* --- The others */

int32_t quash_lsp_initialized(quash_request *request)
{
	const quash_lsp_server *const server = life_server_of(request);
	if (quash_lsp_judge(server->session) == QUASH_DONE && server->initialized != NULL)
		server->initialized(quash_peer_of(request));
	return QUASH_DONE;
}

int32_t quash_lsp_shutdown(quash_request *request)
{
	quash_lsp_session *const session = life_server_of(request)->session;
	const int32_t code = quash_lsp_judge(session);
	if (code != QUASH_DONE)
		return code;
	session->stage = QUASH_LSP_SHUT_DOWN;
	return quash_reply_null(request);
}

int32_t quash_lsp_unknown(quash_request *request)
{
	const int32_t code = quash_lsp_judge(life_server_of(request)->session);
	return code != QUASH_DONE ? code : QUASH_METHOD_NOT_FOUND;
}

int32_t quash_lsp_exit(quash_request *request)
{
	life_server_of(request)->session->exited = true;
	return QUASH_DONE;
}

uint8_t quash_lsp_exit_code(const quash_lsp_session *session)
{
	return session->stage == QUASH_LSP_SHUT_DOWN ? 0 : 1;
}
