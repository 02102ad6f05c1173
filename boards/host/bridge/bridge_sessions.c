/* SPDX-License-Identifier: MIT */
#include "bridge_sessions.h"

#include "bridge_client.h"
#include "bridge_forward.h"

#include <string.h>

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

/* --- Requests under way */

/* Its history comes before the answer to a load; and what the agent says of a session that it has just made may come before
 * that answer is looked at. */
static bool brings(const quash_request *request, const char *id)
{
	const struct own *const own = forward_of(request);
	if (own == NULL || own->passed)
		return false;
	return (takes(request) && quash_is(quash_get(quash_params_of(request), member), id)) ||
		quash_is(quash_get(quash_forward_answer(request), member), id);
}

static bool has_live(const struct client *client, const char *id, bool (*fits)(const quash_request *request, const char *id))
{
	quash_live live = { .request = NULL };
	while (quash_next_live(&client->wire.peer, &live)) {
		if (!live.ended && quash_method_of(live.request) != NULL && fits(live.request, id))
			return true;
	}
	return false;
}

static bool has(const struct client *client, const char *id)
{
	return texts_has(&client->sessions, id) || has_live(client, id, brings);
}

static bool names(const quash_request *request, const char *id)
{
	return forward_of(request) != NULL && quash_is(quash_get(quash_params_of(request), member), id);
}

/* What a client that has gone had asked is cancelled first. An agent that does not end it has the grace to do so. */
static bool is_ending(const struct client *client, const char *id)
{
	return !quash_is_gone(&client->wire.peer) && (!client->leaving || has_live(client, id, names));
}

/* --- Rights */

static enum session_right right_to(const struct client *client, const char *id)
{
	enum session_right right = SESSION_MAY;
	for (unsigned i = 0; i < MOST_CLIENTS; i++) {
		const struct client *const other = bridge.clients[i];
		if (other == NULL || other == client || !has(other, id))
			continue;
		if (client_is_present(other))
			return SESSION_OF_ANOTHER;
		right = is_ending(other, id) ? SESSION_WAITS : right;
	}
	return right;
}

/* Of members with the same name each may be the one that the agent reads. */
enum session_right session_right(const quash_request *request)
{
	const struct client *const client = client_of(request);
	enum session_right right = SESSION_MAY;
	quash_value cursor = { NULL, 0, 0 }, key, value;
	while (bridge.listens && quash_next(quash_params_of(request), &cursor, &key, &value)) {
		if (!quash_is(key, member) || texts_has(&client->sessions, quash_text(value)))
			continue;
		const enum session_right next = right_to(client, quash_text(value));
		right = next > right ? next : right;
	}
	return right;
}

bool session_is_of(const struct client *client, const char *id)
{
	return has(client, id) && right_to(client, id) != SESSION_OF_ANOTHER;
}

/* --- Results */

static void give(struct client *client, const char *id)
{
	for (unsigned i = 0; i < MOST_CLIENTS; i++) {
		if (bridge.clients[i] != NULL)
			(void)texts_remove(&bridge.clients[i]->sessions, id);
	}
	texts_add_last(&client->sessions, id);
}

/* An agent that has begun anew may give an id again: its word counts. */
void session_answered(quash_request *request, quash_value result)
{
	struct client *const client = client_of(request);
	const char *const named = name_in(quash_params_of(request)), *const made = name_in(result);
	if (!bridge.listens || strncmp(quash_method_of(request)->name, "session/", 8) != 0)
		return;
	if (named != NULL && takes(request))
		give(client, named);
	if (named != NULL && ends(request))
		(void)texts_remove(&client->sessions, named);
	if (made != NULL)
		give(client, made);
}
