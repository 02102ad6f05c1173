/* SPDX-License-Identifier: MIT
 * ACP: the first client's `initialize` is made to the agent; who names a session of another client is refused. */
#include "bridge_inner.h"
#include "bridge_alone.h"
#include "bridge_client.h"
#include "bridge_forward.h"
#include "bridge_log.h"
#include "bridge_device.h"
#include "text.h"
#include "bridge_window.h"
#include "quash.h"

#include <string.h>

/* What a client may do with the sessions that a message of its names. */
enum session_right {
	SESSION_MAY,       /* they are its own, or no client's */
	SESSION_WAITS,     /* one is of a client that is leaving, and what that has asked has not ended */
	SESSION_OF_ANOTHER /* one is of another client that is there */
};

/* --- Whose a session is */

/* Several clients may name one. It belongs to the client whose request for it the agent has answered with a result. It does so as
 * long as that client is there. While a request for one that is no client's is under way, it belongs to the client that made it. */

static const char member[] = "sessionId";

static const char *name_in(quash_value object)
{
	const quash_value id = quash_get(object, member);
	return quash_kind_of(id) == QUASH_STRING ? quash_text(id) : NULL;
}

static bool is_one_of(const quash_request *request, const char *const *methods)
{
	while (*methods != NULL && strcmp(*methods, quash_method_of(request)->name) != 0)
		methods++;
	return *methods != NULL;
}

/* Requests by which a client gets a session that it names. */
static bool takes(const quash_request *request)
{
	static const char *const methods[] = { "session/load", "session/resume", "session/prompt", NULL };
	return is_one_of(request, methods);
}

static bool ends(const quash_request *request)
{
	static const char *const methods[] = { "session/close", "session/delete", NULL };
	return is_one_of(request, methods);
}

/* --- Sessions: requests under way */

/* Its history comes before the answer to a load. Messages for a session that the agent has just made may come before that
 * answer is looked at. */
static bool brings(const quash_request *request, const char *id)
{
	const struct own *const own = forward_of(request);
	if (own == NULL || own->passed)
		return false;
	return (takes(request) && quash_is(quash_get(quash_params_of(request), member), id)) ||
		quash_is(quash_get(quash_forward_answer(request), member), id);
}

static bool has_live_of_session(const struct client *client, const char *id, bool (*fits)(const quash_request *request, const char *id))
{
	quash_live live = { .request = NULL };
	while (quash_next_live(&client->wire.peer, &live)) {
		if (!live.ended && quash_method_of(live.request) != NULL && fits(live.request, id))
			return true;
	}
	return false;
}

static bool has_session(const struct client *client, const char *id)
{
	return texts_has(&client->sessions, id) || has_live_of_session(client, id, brings);
}

static bool names(const quash_request *request, const char *id)
{
	return forward_of(request) != NULL && quash_is(quash_get(quash_params_of(request), member), id);
}

/* What a client that has gone had asked is cancelled first. An agent that does not end it has the grace to do so. */
static bool is_ending(const struct client *client, const char *id)
{
	return !quash_is_gone(&client->wire.peer) && (!client->leaving || has_live_of_session(client, id, names));
}

/* --- Sessions: rights */

static enum session_right right_to(const struct client *client, const char *id)
{
	struct bridge *const b = client->wire.bridge;
	enum session_right right = SESSION_MAY;
	for (unsigned i = 0; i < b->client_places; i++) {
		const struct client *const other = b->clients[i];
		if (other == NULL || other == client || !has_session(other, id))
			continue;
		if (client_is_present(other))
			return SESSION_OF_ANOTHER;
		right = is_ending(other, id) ? SESSION_WAITS : right;
	}
	return right;
}

/* Of members with the same name each may be the one that the agent reads. */
static enum session_right session_right(const quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const struct client *const client = client_of(request);
	enum session_right right = SESSION_MAY;
	quash_value cursor = { NULL, 0, 0 }, key, value;
	while (b->listens && quash_next(quash_params_of(request), &cursor, &key, &value)) {
		if (!quash_is(key, member) || texts_has(&client->sessions, quash_text(value)))
			continue;
		const enum session_right next = right_to(client, quash_text(value));
		right = next > right ? next : right;
	}
	return right;
}

/* True if what the agent sends for that session is for this client, which is there. */
static bool session_is_of(const struct client *client, const char *id)
{
	return has_session(client, id) && right_to(client, id) != SESSION_OF_ANOTHER;
}

/* --- Sessions: results */

static void give_session(struct client *client, const char *id)
{
	struct bridge *const b = client->wire.bridge;
	for (unsigned i = 0; i < b->client_places; i++) {
		if (b->clients[i] != NULL)
			(void)texts_remove(&b->clients[i]->sessions, id);
	}
	texts_add_last(&client->sessions, id);
}

/* An agent that has begun anew may give an id again: its word counts. A client has MOST_TEXTS sessions at most: beyond that the
 * one that had no such result for longest is no client's. */
static void session_answered(quash_request *request, quash_value result)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	struct client *const client = client_of(request);
	const char *const named = name_in(quash_params_of(request)), *const made = name_in(result);
	if (!b->listens || strncmp(quash_method_of(request)->name, "session/", 8) != 0)
		return;
	if (named != NULL && takes(request))
		give_session(client, named);
	if (named != NULL && ends(request))
		(void)texts_remove(&client->sessions, named);
	if (made != NULL)
		give_session(client, made);
}

enum { GREETING_MS = 10000 };

/* --- What names a session */

static const char *session_in(const quash_request *request)
{
	const quash_value id = quash_get(quash_params_of(request), "sessionId");
	return quash_kind_of(id) == QUASH_STRING ? quash_text(id) : NULL;
}

static int32_t ask_agent(quash_request *request)
{
	const bool over = quash_cancelled(request) != QUASH_NOT_CANCELLED || client_of(request)->leaving;
	if (over || forward_of(request) != NULL)
		return client_request(request);
	switch (session_right(request)) {
	case SESSION_OF_ANOTHER: return quash_fail(request, QUASH_INVALID_PARAMS, "Session of another client");
	case SESSION_WAITS: return quash_wait(request, LOOK_AGAIN_MS);
	default: return client_request(request);
	}
}

/* `session/cancel` and whatever else names a session. */
static int32_t tell_agent(quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	if (session_right(request) != SESSION_OF_ANOTHER)
		return client_note(request);
	log_line(b, LOG_WARNING, "%s: %s names a session of another client: dropped", client_of(request)->wire.name,
		quash_method_of(request)->name);
	return QUASH_DONE;
}

static bool addresses(const quash_request *note)
{
	return session_in(note) != NULL;
}

static bool acp_concerns(const quash_request *note, const struct client *client)
{
	struct bridge *const b = wire_of_request(note)->bridge;
	return !b->listens || (addresses(note) && session_is_of(client, session_in(note)));
}

/* The client whose session it is; NULL: it is of none that is there. */
static struct client *asked(const quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	if (!b->listens)
		return b->clients[0];
	for (unsigned i = 0; i < b->client_places; i++) {
		if (b->clients[i] != NULL && !b->clients[i]->leaving && acp_concerns(request, b->clients[i]))
			return b->clients[i];
	}
	return NULL;
}

/* --- The agent's session */

static void put_hello(quash_writer *w, const quash_call *call)
{
	struct bridge *const b = ((struct device *)call->context)->wire.bridge;
	(void)call;
	quash_put_raw(w, b->hello);
}

static void acp_greeted(struct device *d, bool well)
{
	struct bridge *const b = d->wire.bridge;
	static const quash_value none = { NULL, 0, 0 };
	const quash_value answer = quash_call_answer(&d->greeting), info = quash_get(answer, "agentInfo");
	const bool foreign = well && quash_kind_of(quash_get(answer, "protocolVersion")) != QUASH_NUMBER;
	if (!well || foreign) {
		device_refused(d, foreign ? none : answer);
	} else {
		text_replace(&b->heap, &d->refused, NULL);
		text_replace(&b->heap, &d->greeted, text_of(&b->heap, answer));
		device_note_name(d, info);
		sign_announced(d, quash_get(answer, "agentCapabilities._meta"));
	}
	device_end_greeting(d);
	device_ready(d);
}

static void greet(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	if (b->hello == NULL) {
		if (b->hello_known)
			device_ready(d);
		return;
	}
	if (d->greeting.method == NULL)
		device_ask(d, &d->greeting, "initialize", put_hello, GREETING_MS);
	if (!quash_call_has_ended(&d->greeting))
		return;
	const quash_outcome outcome = quash_call_outcome(&d->greeting);
	if (outcome == QUASH_CALL_RESULT || outcome == QUASH_CALL_ERROR) {
		acp_greeted(d, outcome == QUASH_CALL_RESULT);
		return;
	}
	device_unanswered(d);
}

static void acp_lost(struct device *d)
{
	device_end_greeting(d);
}

/* --- A client's */

/* Several clients are none that could be asked for a file. */
static char *hello_of(struct bridge *b, quash_value params)
{
	if (!b->listens)
		return quash_kind_of(params) == QUASH_OBJECT ? text_of(&b->heap, params) : text_copy(&b->heap, "{}");
	struct builder made = build_begin(&b->heap), *const to = &made;
	build_text(to, "{\"protocolVersion\":");
	text_put(to, quash_get(params, "protocolVersion"));
	build_text(to, ",\"clientCapabilities\":{},\"clientInfo\":{\"name\":\"quash-bridge\",\"version\":\"" QUASH_VERSION "\"}}");
	return build_end(to);
}

static bool is_greeted(const struct device *d)
{
	return d->greeted != NULL || d->refused != NULL;
}

static int32_t acp_initialize(quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	struct client *const client = client_of(request);
	struct device *const d = b->devices[0];
	struct own *const mine = wire_own(request);
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	if (!mine->passed && client->greeted)
		return QUASH_INVALID_REQUEST;
	client->greeted = mine->passed = true;
	if (b->hello == NULL)
		b->hello = hello_of(b, quash_params_of(request));
	if (!is_greeted(d) && d->phase == DEVICE_READY)
		d->phase = DEVICE_GREETING;
	if (!is_greeted(d) && b->exit >= 0 && alone_is_silent(b))
		return alone_refuse(request);
	if (!is_greeted(d))
		return quash_wait(request, LOOK_AGAIN_MS);
	return d->refused != NULL ? forward_fail_text(request, text_copy(&b->heap, d->refused)) :
		forward_reply_text(request, text_copy(&b->heap, d->greeted));
}

static void acp_client_methods(struct client *client)
{
	quash_method prompt = forward_request("session/prompt", "{\"stopReason\":\"cancelled\"}", QUASH_PARTIAL);
	prompt.handler = client->request.handler = ask_agent;
	client->note.handler = tell_agent;
	const quash_method methods[] = {
		forward_own("initialize", acp_initialize, 0),
		prompt,
		forward_own("session/cancel", tell_agent, QUASH_NOTIFICATION),
	};
	wire_add_methods(&client->wire, methods, sizeof methods / sizeof methods[0]);
}

/* Progress of an agent are its updates. */
static void acp_comes(struct device *d, const quash_request *note)
{
	struct bridge *const b = wire_of_request(note)->bridge;
	(void)d;
	if (addresses(note))
		forward_renew_session(b, session_in(note));
}

/* An answer that came right before it, and makes the session, is known a step later. */
static int32_t update(quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	struct note *const note = wire_own(request);
	if (note->delayed || !b->listens || !addresses(request) || asked(request) != NULL)
		return device_note(request);
	note->delayed = true;
	return QUASH_PENDING;
}

static void acp_device_methods(struct device *d)
{
	d->note.handler = update;
}

const struct protocol protocol_acp = {
	.name = "acp",
	.call = "session/prompt",
	.dialect = &quash_acp,
	.client_methods = acp_client_methods,
	.device_methods = acp_device_methods,
	.greet = greet,
	.lost = acp_lost,
	.never = alone_refuse,
	.passes = session_answered,
	.addresses = addresses,
	.concerns = acp_concerns,
	.comes = acp_comes,
	.asked = asked,
};
