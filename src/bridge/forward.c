/* SPDX-License-Identifier: MIT */
#include "forward_inner.h"

#include "../call/call_inner.h"

const quash_progress_form quash_mcp_progress_form = {
	"notifications/progress", "progressToken", { "_meta.progressToken", NULL }
};
const quash_progress_form quash_lsp_progress_form = {
	"$/progress", "token", { "workDoneToken", "partialResultToken" }
};

/* --- Tokens: each stands NUL-terminated behind the struct */

char quash_forwarded_letter(uint8_t index)
{
	return index == 0 ? 'w' : 'p';
}

static char *route_token(quash_request *request, uint8_t index)
{
	quash_forwarded *const f = quash_state(request);
	return (char *)(f + 1) + (index == 0 ? 0 : f->route->token_size + 1);
}

bool quash_forwarded_has_token(quash_request *request, uint8_t index)
{
	const quash_forwarded *const f = quash_state(request);
	return index < FORWARD_TOKENS && f->kind[index] != QUASH_NONE;
}

void quash_forwarded_put_token(quash_writer *w, quash_request *request, uint8_t index)
{
	const quash_forwarded *const f = quash_state(request);
	if (f->kind[index] == QUASH_STRING)
		quash_put_string(w, route_token(request, index), f->length[index]);
	else
		quash_put_raw(w, route_token(request, index));
}

static void keep_token(quash_request *request, uint8_t index, quash_value token)
{
	quash_forwarded *const f = quash_state(request);
	const char *const text = quash_text(token);
	const size_t length = quash_length(token);
	const quash_kind kind = quash_kind_of(token);
	char *const to = route_token(request, index);
	if ((kind != QUASH_STRING && kind != QUASH_NUMBER) || length > f->route->token_size)
		return;
	for (size_t i = 0; i < length; i++)
		to[i] = text[i];
	to[length] = '\0';
	f->kind[index] = (uint8_t)kind;
	f->length[index] = (uint8_t)length;
}

static void keep_route_tokens(quash_request *request, quash_value params)
{
	const quash_forwarded *const f = quash_state(request);
	for (uint8_t i = 0; f->route->progress != NULL && i < FORWARD_TOKENS; i++) {
		if (f->route->progress->asked[i] != NULL)
			keep_token(request, i, quash_get(params, f->route->progress->asked[i]));
	}
}

static void put_own_token(quash_writer *w, const quash_call *call, uint8_t index)
{
	const char letter = quash_forwarded_letter(index);
	quash_put_string_open(w);
	quash_put_string_part(w, &letter, 1);
	quash_put_string_int(w, (int32_t)call->id);
	quash_put_string_close(w);
}

/* --- Params, with the tokens of this hop */

/* What is left of `path` behind its first name, if that is `key`: "" at the end of the path; else NULL. */
static const char *behind_name(const char *path, quash_value key)
{
	const char *const text = quash_text(key);
	const size_t length = quash_length(key);
	if (path == NULL)
		return NULL;
	for (size_t i = 0; i < length; i++) {
		if (path[i] == '\0' || path[i] == '.' || path[i] != text[i])
			return NULL;
	}
	if (path[length] == '.')
		return &path[length + 1];
	return path[length] == '\0' ? &path[length] : NULL;
}

/* The token that the member is, FORWARD_TOKENS if it is none. */
static uint8_t token_at(const char *const *paths, quash_value key)
{
	uint8_t i = 0;
	while (i < FORWARD_TOKENS) {
		const char *const rest = behind_name(paths[i], key);
		if (rest != NULL && *rest == '\0')
			return i;
		i++;
	}
	return i;
}

static void put_forwarded_member(
	quash_writer *w, const quash_call *call, const char *const *paths, quash_value key, quash_value value)
{
	const uint8_t token = token_at(paths, key);
	if (token < FORWARD_TOKENS && !quash_forwarded_has_token(call->parent, token))
		return;
	quash_put_key_value(w, key);
	if (token < FORWARD_TOKENS)
		put_own_token(w, call, token);
	else
		quash_put_value(w, value);
}

/* The members of an object in which tokens stand; `inner` where one stands a level deeper. */
static void put_inner(quash_writer *w, const quash_call *call, const char *const *paths, quash_value object)
{
	quash_value cursor = { NULL, 0, 0 }, key, value;
	quash_put_object(w);
	while (quash_next(object, &cursor, &key, &value))
		put_forwarded_member(w, call, paths, key, value);
	quash_put_end(w);
}

static void put_forwarded_params(quash_writer *w, const quash_call *call)
{
	const quash_forwarded *const f = quash_state(call->parent);
	const quash_value params = quash_params_of(call->parent);
	quash_value cursor = { NULL, 0, 0 }, key, value;
	if (f->route->progress == NULL || quash_kind_of(params) != QUASH_OBJECT) {
		quash_put_value(w, params);
		return;
	}
	const char *const *const asked = f->route->progress->asked;
	quash_put_object(w);
	while (quash_next(params, &cursor, &key, &value)) {
		const char *const inner[FORWARD_TOKENS] = { behind_name(asked[0], key), behind_name(asked[1], key) };
		const bool deeper = (inner[0] != NULL && *inner[0] != '\0') || (inner[1] != NULL && *inner[1] != '\0');
		if (deeper && quash_kind_of(value) == QUASH_OBJECT) {
			quash_put_key_value(w, key);
			put_inner(w, call, inner, value);
		} else {
			put_forwarded_member(w, call, asked, key, value);
		}
	}
	quash_put_end(w);
}

/* --- The call */

static int32_t forwarded_call_ended(quash_call *call, quash_value answer)
{
	quash_forwarded *const f = quash_state(call->parent);
	(void)answer;
	if (quash_relay_waits(call->peer, quash_peer_of(call->parent), NULL))
		return QUASH_RETRY; /* what was told before the answer is said before it */
	f->told = true;
	return QUASH_PENDING;
}

quash_request *quash_forwarded_find(const quash_peer *asked, uint32_t id)
{
	const quash_call *const call = quash_call_find(asked, id);
	if (call == NULL || call->done != forwarded_call_ended || call->parent == NULL)
		return NULL;
	const quash_forwarded *const f = quash_state(call->parent);
	return f->told ? NULL : call->parent;
}

static bool has_route_room(const quash_request *request, const quash_route *route)
{
	return QUASH_FORWARD_STATE(route->token_size) <= quash_peer_of(request)->config->state_size;
}

static void begin_forward(quash_request *request, const quash_route *route)
{
	quash_forwarded *const f = quash_state(request);
	const quash_value params = quash_params_of(request);
	f->route = route;
	f->call.method = route->method != NULL ? route->method : quash_method_of(request)->name;
	f->call.done = forwarded_call_ended;
	if (quash_kind_of(params) != QUASH_NONE)
		f->call.put = put_forwarded_params;
	keep_route_tokens(request, params);
	quash_ask_for(request, route->to, &f->call);
}

static int32_t pass_on(quash_request *request, const quash_call *call)
{
	switch (quash_call_outcome(call)) {
	case QUASH_CALL_RESULT: break;
	case QUASH_CALL_ERROR: return quash_fail_as(request, quash_answer(call));
	default: return quash_call_code(call);
	}
	quash_put_value(quash_reply(request), quash_answer(call));
	return quash_send(request);
}

int32_t quash_forward_to(quash_request *request, const quash_route *route)
{
	quash_forwarded *const f = quash_state(request);
	const bool waits = (quash_method_of(request)->marks & QUASH_PARTIAL) != 0;
	if (!has_route_room(request, route))
		return QUASH_INTERNAL_ERROR;
	if (f->call.method == NULL)
		begin_forward(request, route);
	if (!quash_asked(&f->call))
		return QUASH_RETRY; /* its params are needed */
	if (f->told)
		return pass_on(request, &f->call);
	return quash_cancelled(request) != QUASH_NOT_CANCELLED && !waits ? QUASH_CANCELLED : QUASH_PENDING;
}

int32_t quash_forward(quash_request *request, quash_value params)
{
	(void)params;
	return quash_forward_to(request, quash_data(request));
}
