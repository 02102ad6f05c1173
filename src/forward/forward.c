/* SPDX-License-Identifier: MIT
 * Requests that go on to another peer, their progress on its way back, and notifications that are sent on. */
#include "../../include/quash/forward.h"

#include "../call/call_inner.h"
#include "../core/slots.h"
#include "../json/rom.h"
#include "../profile/profile.h"
#include "../profile/token.h"

enum { FORWARD_TOKENS = 2 };

const quash_progress_form quash_mcp_progress_form = {
	"notifications/progress", "progressToken", { "_meta.progressToken", NULL }
};
const quash_progress_form quash_lsp_progress_form = {
	"$/progress", "token", { "workDoneToken", "partialResultToken" }
};

/* --- What is relayed, and by what name */

/* The name of the method on the other peer. NULL: the entry is the one for all other names, which has none. */
static const char *forwarded_name(const quash_request *request, const quash_route *route)
{
	const char *const name = route->method != NULL ? route->method : quash_method_of(request)->name;
	return quash_rom(name) != '\0' ? name : NULL;
}

/* True if a notification waits to be relayed from one peer to another; with `before`, only one older than that. */
static bool relay_waits(const quash_peer *from, const quash_peer *to, const quash_request *before)
{
	quash_live live = { .request = NULL };
	while (quash_next_live(from, &live) && live.request != before) {
		const quash_method *const method = quash_method_of(live.request);
		if (live.ended || method == NULL || method->handler != quash_relay)
			continue;
		const quash_route *const route = method->data;
		if (route->to == to)
			return true;
	}
	return false;
}

/* --- Tokens: their texts follow the struct, each with a NUL */

static const quash_forwarded *const_forwarded_of(const quash_request *request)
{
	return QUASH_CONST_STATE(quash_forwarded, request);
}

/* What a token of this hop begins with; the id of the call follows. */
static char token_letter(uint8_t index)
{
	return index == 0 ? 'w' : 'p';
}

static size_t token_place(const quash_forwarded *f, uint8_t index)
{
	return index == 0 ? 0 : (size_t)f->route->token_size + 1;
}

/* True if the request came with that token. */
static bool came_with_token(const quash_request *request, uint8_t index)
{
	return index < FORWARD_TOKENS && const_forwarded_of(request)->kind[index] != QUASH_NONE;
}

static void keep_route_token(quash_forwarded *f, uint8_t index, quash_value params)
{
	const quash_progress_form *const form = f->route->progress;
	if (form == NULL || form->asked[index] == NULL)
		return;
	const quash_value token = quash_get(params, form->asked[index]);
	const quash_kind kind = quash_value_kind(&token);
	char *const to = (char *)(f + 1) + token_place(f, index);
	if (kind == QUASH_STRING || kind == QUASH_NUMBER)
		f->kind[index] = quash_keep_token(&token, to, f->route->token_size, &f->length[index]);
}

static void put_own_token(quash_writer *w, const quash_call *call, uint8_t index)
{
	const char letter = token_letter(index);
	quash_put_string_open(w);
	quash_put_string_part(w, &letter, 1);
	quash_put_string_int(w, (int32_t)call->id);
	quash_put_string_close(w);
}

/* --- Params, with the tokens of this hop */

/* The rest of `path` after its first name, if that is `key`: "" at the end of the path; else NULL. */
static const char *after_name(const char *path, quash_value key)
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
		const char *const rest = after_name(paths[i], key);
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
	if (token < FORWARD_TOKENS && !came_with_token(call->parent, token))
		return;
	quash_put_key_value(w, key);
	if (token < FORWARD_TOKENS)
		put_own_token(w, call, token);
	else
		quash_put_value(w, value);
}

static bool is_of_hop(const quash_rewrite *rewrite, quash_value key)
{
	return rewrite != NULL && rewrite->hop != NULL && quash_is(key, rewrite->hop);
}

/* It holds what was for this hop, and nothing else. */
static bool holds_hop_alone(const quash_rewrite *rewrite, quash_value object)
{
	quash_value cursor = { NULL, 0, 0 }, key, value;
	return quash_next(object, &cursor, &key, &value) && is_of_hop(rewrite, key) &&
		!quash_next(object, &cursor, &key, &value);
}

/* The members of an object that may hold tokens. */
static void put_inner(quash_writer *w, const quash_call *call, const char *const *paths, quash_value object)
{
	const quash_rewrite *const rewrite = const_forwarded_of(call->parent)->route->rewrite;
	quash_value cursor = { NULL, 0, 0 }, key, value;
	quash_put_object(w);
	while (quash_next(object, &cursor, &key, &value)) {
		if (!is_of_hop(rewrite, key))
			put_forwarded_member(w, call, paths, key, value);
	}
	if (rewrite != NULL && rewrite->put_hop != NULL)
		rewrite->put_hop(w, call->parent);
	quash_put_end(w);
}

static void put_outer(
	quash_writer *w, const quash_call *call, const char *const *paths, quash_value key, quash_value value)
{
	const char *const inner[FORWARD_TOKENS] = { after_name(paths[0], key), after_name(paths[1], key) };
	const bool deeper = (inner[0] != NULL && *inner[0] != '\0') || (inner[1] != NULL && *inner[1] != '\0');
	const quash_rewrite *const rewrite = const_forwarded_of(call->parent)->route->rewrite;
	if (deeper && quash_kind_of(value) == QUASH_OBJECT) {
		if (holds_hop_alone(rewrite, value) && rewrite->put_hop == NULL)
			return;
		quash_put_key_value(w, key);
		put_inner(w, call, inner, value);
	} else if (rewrite != NULL && rewrite->param != NULL && quash_is(key, rewrite->member)) {
		quash_put_key_value(w, key);
		rewrite->param(w, call->parent, value);
	} else {
		put_forwarded_member(w, call, paths, key, value);
	}
}

static void put_forwarded_params(quash_writer *w, const quash_call *call)
{
	static const char *const none[FORWARD_TOKENS] = { NULL, NULL };
	const quash_route *const route = const_forwarded_of(call->parent)->route;
	const quash_value params = quash_params_of(call->parent);
	quash_value cursor = { NULL, 0, 0 }, key, value;
	if ((route->progress == NULL && route->rewrite == NULL) || quash_kind_of(params) != QUASH_OBJECT) {
		quash_put_value(w, params);
		return;
	}
	const char *const *const asked = route->progress != NULL ? route->progress->asked : none;
	quash_put_object(w);
	while (quash_next(params, &cursor, &key, &value))
		put_outer(w, call, asked, key, value);
	quash_put_end(w);
}

/* --- The call */

/* Notifications that came before the answer are sent before it. */
static int32_t forwarded_call_ended(quash_call *call)
{
	if (relay_waits(call->peer, quash_peer_of(call->parent), NULL))
		return QUASH_PENDING;
	QUASH_STATE(quash_forwarded, call->parent)->answered = true;
	return QUASH_CALL_KEEP;
}

quash_request *quash_forward_find(const quash_peer *asked, uint32_t id)
{
	const quash_call *const call = quash_call_find(asked, id);
	if (call == NULL || call->done != forwarded_call_ended || call->parent == NULL)
		return NULL;
	return const_forwarded_of(call->parent)->answered ? NULL : call->parent;
}

static bool begin_forward(quash_request *request, quash_forwarded *f, const quash_route *route)
{
	const quash_value params = quash_params_of(request);
	f->route = route;
	f->call.method = forwarded_name(request, route);
	f->call.done = forwarded_call_ended;
	if (quash_kind_of(params) != QUASH_NONE)
		f->call.put = put_forwarded_params;
	keep_route_token(f, 0, params);
	keep_route_token(f, 1, params);
	return quash_call_start_for(request, route->to, &f->call);
}

static void put_forwarded_answer(quash_writer *w, const quash_request *request)
{
	quash_put_value(w, quash_call_answer(&const_forwarded_of(request)->call));
}

static void put_forwarded_result(quash_writer *w, const quash_request *request)
{
	const quash_forwarded *const f = const_forwarded_of(request);
	f->route->rewrite->result(w, request, quash_call_answer(&f->call));
}

static int32_t pass_answer(quash_request *request, const quash_forwarded *f)
{
	const quash_rewrite *const rewrite = f->route->rewrite;
	const bool as_it_came = rewrite == NULL || rewrite->result == NULL;
	int32_t code = 0;
	switch (quash_call_outcome(&f->call)) {
	case QUASH_CALL_RESULT: return quash_reply(request, as_it_came ? put_forwarded_answer : put_forwarded_result);
	case QUASH_CALL_ERROR:
		if (quash_int32(quash_get(quash_call_answer(&f->call), "code"), &code) != QUASH_NUMBER_OK || code == 0)
			return QUASH_INTERNAL_ERROR;
		return quash_fail_as(request, code, put_forwarded_answer);
	default: return quash_call_code(&f->call);
	}
}

int32_t quash_forward_to(quash_request *request, const quash_route *route)
{
	quash_forwarded *const f = quash_state(request, QUASH_FORWARD_STATE(route->token_size));
	const bool waits = (quash_method_of(request)->marks & QUASH_PARTIAL) != 0;
	if (f == NULL)
		return QUASH_INTERNAL_ERROR;
	if (forwarded_name(request, route) == NULL)
		return QUASH_METHOD_NOT_FOUND;
	if (f->call.method == NULL && !begin_forward(request, f, route))
		return QUASH_INTERNAL_ERROR; /* one of the configs names no calls */
	if (f->answered)
		return pass_answer(request, f);
	return quash_cancelled(request) != QUASH_NOT_CANCELLED && !waits ? QUASH_CANCELLED : QUASH_PENDING;
}

quash_value quash_forward_answer(const quash_request *request)
{
	const quash_forwarded *const f = const_forwarded_of(request);
	static const quash_value none = { NULL, 0, 0 };
	const bool has_come = f != NULL && f->answered && quash_call_outcome(&f->call) == QUASH_CALL_RESULT;
	return has_come ? quash_call_answer(&f->call) : none;
}

int32_t quash_forward(quash_request *request)
{
	return quash_forward_to(request, quash_data(request));
}

/* --- Progress, sent on with the token that each request came with */

/* Reads a token of this hop: its index, and the id of the call; 0 if it is none. */
static uint32_t read_token(quash_value token, uint8_t *index)
{
	const char *const text = quash_text(token);
	uint32_t id = 0;
	if (quash_kind_of(token) != QUASH_STRING || quash_length(token) < 2 || quash_length(token) > 10 + 1)
		return 0;
	*index = text[0] == token_letter(0) ? 0 : 1;
	if (text[0] != token_letter(*index))
		return 0;
	for (size_t i = 1; i < quash_length(token); i++) {
		if (text[i] < '0' || text[i] > '9' || id > INT32_MAX / 10)
			return 0;
		id = id * 10 + (uint32_t)(text[i] - '0');
	}
	return id;
}

static void put_progress_params(
	quash_writer *w, const quash_request *request, uint8_t index, const quash_progress_form *form, quash_value params)
{
	const quash_forwarded *const f = const_forwarded_of(request);
	quash_value cursor = { NULL, 0, 0 }, key, value;
	quash_put_object(w);
	while (quash_next(params, &cursor, &key, &value)) {
		quash_put_key_value(w, key);
		if (quash_is(key, form->token))
			quash_put_token(w, f->kind[index], (const char *)(f + 1) + token_place(f, index), f->length[index]);
		else
			quash_put_value(w, value);
	}
	quash_put_end(w);
}

/* The same for the token of a progress notification. */
static uint32_t read_progress(const quash_request *progress, uint8_t *index)
{
	const quash_route *const route = quash_data(progress);
	return read_token(quash_get(quash_params_of(progress), route->progress->token), index);
}

quash_request *quash_forward_of_progress(const quash_request *progress)
{
	uint8_t index = 0;
	const uint32_t id = read_progress(progress, &index);
	quash_request *const asked = id != 0 ? quash_forward_find(quash_peer_of(progress), id) : NULL;
	return asked != NULL && quash_may_report(asked) && came_with_token(asked, index) ? asked : NULL;
}

int32_t quash_forward_progress(quash_request *request)
{
	const quash_route *const route = quash_data(request);
	quash_request *const asked = quash_forward_of_progress(request);
	uint8_t index = 0;
	if (asked == NULL || read_progress(request, &index) == 0)
		return QUASH_DONE;
	quash_writer *const w = quash_notify(quash_peer_of(asked), route->progress->method);
	put_progress_params(w, asked, index, route->progress, quash_params_of(request));
	(void)quash_notify_send(quash_peer_of(asked));
	return QUASH_DONE;
}

/* --- Notifications that are sent on */

/* The loss of the sender's link is no cause to drop what was sent before. */
static bool is_given_up(const quash_request *request, const quash_peer *to)
{
	const quash_cause cause = quash_cancelled(request);
	return quash_is_gone(to) || !quash_notify_fits(to) || (cause != QUASH_NOT_CANCELLED && cause != QUASH_BY_LINK);
}

/* Notifications go on in the order in which they came, whatever their length. */
int32_t quash_relay(quash_request *request)
{
	const quash_route *const route = quash_data(request);
	const quash_value params = quash_params_of(request);
	const char *const method = forwarded_name(request, route);
	if (method == NULL) {
		quash_count_up(route->to, offsetof(quash_counters, dropped));
		quash_trace_event(route->to, QUASH_DROPPED, NULL, 0, QUASH_WHY_METHOD);
		return QUASH_DONE;
	}
	if (relay_waits(quash_peer_of(request), route->to, request))
		return QUASH_PENDING;
	quash_writer *const w = quash_notify(route->to, method);
	if (quash_kind_of(params) != QUASH_NONE)
		quash_put_value(w, params);
	return quash_notify_send(route->to) || is_given_up(request, route->to) ? QUASH_DONE : QUASH_PENDING;
}

/* --- For quash_init */

static const char *wrong_entry_member(const quash_method *method)
{
	if (method->data == NULL)
		return "data";
	return (method->marks & QUASH_LISTED) != 0 ? "marks" : NULL; /* all of its params go on */
}

static bool check_forwarded(const quash_config *config, uint8_t index, quash_fault *fault)
{
	const quash_method *const method = &config->methods[index];
	const quash_route *const route = method->data;
	const bool good = quash_check_member(fault, "methods", method->name, wrong_entry_member(method));
	fault->index = index;
	if (!good)
		return false;
	if (config->calls == NULL)
		return quash_check_member(fault, "config", NULL, "calls");
	fault->table = "methods";
	fault->name = method->name;
	fault->member = "state_size";
	fault->is = config->state_size;
	fault->needs = method->handler == quash_forward ? QUASH_FORWARD_STATE(route->token_size) : 0;
	return fault->is >= fault->needs;
}

bool quash_forward_check(const quash_config *config, quash_fault *fault)
{
	uint8_t i = 0;
	while (i < config->method_count) {
		quash_handler *const handler = config->methods[i].handler;
		if ((handler == quash_forward || handler == quash_forward_progress) && !check_forwarded(config, i, fault))
			return false;
		i++;
	}
	return true;
}
