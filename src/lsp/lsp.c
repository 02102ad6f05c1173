/* SPDX-License-Identifier: MIT
 * The life cycle, and what stands between the core and the handlers. */
#include "lsp_inner.h"

/* --- Slots */

quash_lsp_slot *quash_lsp_slot_of(quash_request *request)
{
	return quash_state(request);
}

static bool has_state_room(const quash_request *request, size_t need)
{
	return need <= quash_peer_of(request)->config->state_size;
}

const quash_lsp_method *quash_lsp_method_of(const quash_request *request)
{
	return quash_data(request);
}

const quash_lsp_server *quash_lsp_server_of(const quash_request *request)
{
	return quash_lsp_method_of(request)->server;
}

/* The `n`th from the state's end. */
static uint8_t *cell(quash_request *request, size_t n)
{
	const size_t size = (size_t)quash_lsp_server_of(request)->token_size + TOKEN_EXTRA;
	return (uint8_t *)quash_state(request) + quash_peer_of(request)->config->state_size - n * size;
}

uint8_t *quash_lsp_work_cell(quash_request *request)
{
	return cell(request, 1);
}

uint8_t *quash_lsp_part_cell(quash_request *request)
{
	return cell(request, 2);
}

/* --- The state rules */

/* QUASH_PENDING: it is served. */
static int32_t judge_stage(const quash_lsp_session *session)
{
	if (session->exited || session->stage == QUASH_LSP_SHUT_DOWN)
		return QUASH_INVALID_REQUEST;
	return session->stage == QUASH_LSP_OPEN ? QUASH_PENDING : QUASH_NOT_INITIALIZED;
}

/* Says whether this is the first call: the mark in the slot tells a second one from a second request. */
static bool is_new(quash_lsp_slot *slot)
{
	const bool fresh = (slot->call.flags & LSP_ADMITTED) == 0;
	slot->call.flags |= LSP_ADMITTED;
	return fresh;
}

static void open_session(const quash_request *request, quash_value params)
{
	const quash_lsp_server *const server = quash_data(request);
	quash_lsp_session *const session = server->session;
	const quash_value window = quash_member(quash_member(params, "capabilities"), "window");
	session->stage = QUASH_LSP_OPEN;
	session->work = quash_kind_of(quash_member(window, "workDoneProgress")) == QUASH_TRUE;
	if (server->initialize != NULL)
		server->initialize(quash_peer_of(request), params);
}

static void put_info_member(quash_writer *w, const char *key, const char *text)
{
	quash_put_key(w, key);
	quash_put_text(w, text);
}

/* The session counts as open from the first call, so that what stands right behind in the same read is served even if
 * this answer has to wait. */
int32_t quash_lsp_initialize(quash_request *request, quash_value params)
{
	const quash_lsp_server *const server = quash_data(request);
	if (!has_state_room(request, sizeof(quash_lsp_slot)))
		return QUASH_INTERNAL_ERROR;
	if (is_new(quash_lsp_slot_of(request))) {
		if (judge_stage(server->session) != QUASH_NOT_INITIALIZED)
			return QUASH_INVALID_REQUEST;
		open_session(request, params);
	}
	quash_writer *const w = quash_reply(request);
	quash_put_object(w);
	quash_put_key(w, "capabilities");
	quash_put_raw(w, server->capabilities != NULL ? server->capabilities : "{}");
	quash_put_key(w, "serverInfo");
	quash_put_object(w);
	put_info_member(w, "name", server->name);
	put_info_member(w, "version", server->version);
	return quash_send(request);
}

int32_t quash_lsp_initialized(quash_request *request, quash_value params)
{
	const quash_lsp_server *const server = quash_data(request);
	(void)params;
	if (judge_stage(server->session) == QUASH_PENDING && server->initialized != NULL)
		server->initialized(quash_peer_of(request));
	return QUASH_DONE;
}

int32_t quash_lsp_shutdown(quash_request *request, quash_value params)
{
	quash_lsp_session *const session = ((const quash_lsp_server *)quash_data(request))->session;
	(void)params;
	if (!has_state_room(request, sizeof(quash_lsp_slot)))
		return QUASH_INTERNAL_ERROR;
	if (is_new(quash_lsp_slot_of(request))) {
		const int32_t code = judge_stage(session);
		if (code != QUASH_PENDING)
			return code;
		session->stage = QUASH_LSP_SHUT_DOWN;
	}
	quash_put_null(quash_reply(request));
	return quash_send(request);
}

int32_t quash_lsp_unknown(quash_request *request, quash_value params)
{
	const quash_lsp_server *const server = quash_data(request);
	const int32_t code = judge_stage(server->session);
	(void)params;
	return code != QUASH_PENDING ? code : QUASH_METHOD_NOT_FOUND;
}

int32_t quash_lsp_exit(quash_request *request, quash_value params)
{
	const quash_lsp_server *const server = quash_data(request);
	(void)params;
	server->session->exited = true;
	return QUASH_DONE;
}

uint8_t quash_lsp_exit_code(const quash_lsp_session *session)
{
	return session->stage == QUASH_LSP_SHUT_DOWN ? 0 : 1;
}

/* --- Calling */

static bool is_notification(const quash_request *request)
{
	return (quash_method_of(request)->marks & QUASH_NOTIFICATION) != 0;
}

static void keep_work_tokens(quash_request *request, quash_value params)
{
	const uint8_t size = quash_lsp_server_of(request)->token_size;
	quash_token_keep(quash_lsp_work_cell(request), size, quash_member(params, "workDoneToken"));
	quash_token_keep(quash_lsp_part_cell(request), size, quash_member(params, "partialResultToken"));
}

/* The first call. QUASH_PENDING: it goes on. */
static int32_t admit(quash_request *request, quash_value params)
{
	const quash_lsp_method *const method = quash_lsp_method_of(request);
	const int32_t code = judge_stage(method->server->session);
	if (code != QUASH_PENDING)
		return is_notification(request) ? QUASH_DONE : code;
	if (!has_state_room(request, QUASH_LSP_STATE(method->server->token_size, method->size)))
		return QUASH_INTERNAL_ERROR;
	quash_lsp_slot_of(request)->call.flags |= LSP_ADMITTED;
	keep_work_tokens(request, params);
	if (method->deadline != 0)
		quash_deadline(request, method->deadline);
	return QUASH_PENDING;
}

static bool is_admitted(quash_request *request)
{
	return has_state_room(request, sizeof(quash_lsp_slot)) &&
	       (quash_lsp_slot_of(request)->call.flags & LSP_ADMITTED) != 0;
}

static int32_t end_work(quash_request *request)
{
	const quash_lsp_slot *const slot = quash_lsp_slot_of(request);
	return slot->call.close != NULL ? slot->call.close(request) : QUASH_DONE;
}

/* The user would see work of a token of our own for ever: an error waits until its end is told. */
static int32_t leave_method(quash_request *request, int32_t code)
{
	if (end_work(request) != QUASH_RETRY || code == QUASH_DONE)
		return code;
	quash_lsp_slot_of(request)->call.code = code;
	return QUASH_RETRY;
}

int32_t quash_lsp_run(quash_request *request, quash_value params)
{
	const quash_lsp_method *const method = quash_lsp_method_of(request);
	quash_lsp_slot *const slot = quash_lsp_slot_of(request);
	if (!is_admitted(request)) {
		const int32_t code = admit(request, params);
		if (code != QUASH_PENDING)
			return code;
	}
	if (slot->call.code != 0)
		return leave_method(request, slot->call.code);
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED) {
		if (end_work(request) == QUASH_RETRY)
			return QUASH_RETRY;
		if ((method->marks & QUASH_DROPS) != 0)
			return QUASH_CANCELLED;
	}
	const int32_t code = method->call(request, params, slot + 1);
	return code == QUASH_PENDING || code == QUASH_RETRY ? code : leave_method(request, code);
}

void quash_lsp_end(quash_request *request)
{
	const quash_lsp_method *const method = quash_lsp_method_of(request);
	if (is_admitted(request) && method->end != NULL)
		method->end(request, quash_lsp_slot_of(request) + 1);
}
