/* SPDX-License-Identifier: MIT
 * ACP: the first client's `initialize` is made to the agent; sessions belong to the client that opened them. */
#define _POSIX_C_SOURCE 200809L
#include "bridge_forward.h"
#include "bridge_mcp.h"
#include "bridge_server.h"
#include "bridge_sign.h"
#include "bridge_text.h"
#include "quash.h"

#include <stdlib.h>
#include <string.h>

enum { GREETING_MS = 10000, MOST_SESSIONS = 1024 };

/* --- Sessions */

static struct session *find(const char *id)
{
	for (size_t i = 0; i < bridge.session_count; i++) {
		if (strcmp(bridge.sessions[i].id, id) == 0)
			return &bridge.sessions[i];
	}
	return NULL;
}

/* The oldest one gives way. */
static struct session *make_room(void)
{
	if (bridge.session_count == MOST_SESSIONS) {
		free(bridge.sessions[0].id);
		memmove(&bridge.sessions[0], &bridge.sessions[1], (--bridge.session_count) * sizeof *bridge.sessions);
	}
	struct session *const sessions = realloc(bridge.sessions, (bridge.session_count + 1) * sizeof *sessions);
	if (sessions == NULL)
		return NULL;
	bridge.sessions = sessions;
	return &sessions[bridge.session_count++];
}

static void own(quash_value id, const struct client *client)
{
	if (quash_kind_of(id) != QUASH_STRING)
		return;
	struct session *session = find(quash_text(id));
	if (session == NULL) {
		session = make_room();
		if (session == NULL)
			return;
		session->id = text_copy(quash_text(id));
	}
	if (session->id == NULL)
		bridge.session_count--;
	else
		session->owner = client->number;
}

/* The client whose session it is; NULL: it is nobody's that is there. */
static struct client *owner_of(const quash_request *request)
{
	const quash_value id = quash_get(quash_params_of(request), "sessionId");
	const struct session *const session = quash_kind_of(id) == QUASH_STRING ? find(quash_text(id)) : NULL;
	for (unsigned i = 0; session != NULL && i < MOST_CLIENTS; i++) {
		if (bridge.clients[i] != NULL && bridge.clients[i]->number == session->owner)
			return bridge.clients[i];
	}
	return NULL;
}

static void passes(quash_request *request, quash_value result)
{
	const char *const method = quash_method_of(request)->name;
	if (strncmp(method, "session/", 8) != 0)
		return;
	own(quash_get(result, "sessionId"), client_of(request));
	if (strcmp(method, "session/load") == 0 || strcmp(method, "session/resume") == 0)
		own(quash_get(quash_params_of(request), "sessionId"), client_of(request));
}

/* While a session is loaded, its history comes before the answer. */
static void begins(const quash_request *request)
{
	own(quash_get(quash_params_of(request), "sessionId"), client_of(request));
}

static int32_t load(quash_request *request)
{
	if (forward_of(request) == NULL)
		begins(request);
	return client_request(request);
}

static bool concerns(const quash_request *note, const struct client *client)
{
	if (!bridge.listens || quash_kind_of(quash_get(quash_params_of(note), "sessionId")) == QUASH_NONE)
		return true;
	return owner_of(note) == client;
}

static struct client *asked(const quash_request *request)
{
	return bridge.listens ? owner_of(request) : bridge.clients[0];
}

/* --- The agent's session */

static void put_hello(quash_writer *w, const quash_call *call)
{
	(void)call;
	quash_put_raw(w, bridge.hello);
}

static void greeted(struct server *s, bool well)
{
	const quash_value answer = quash_call_answer(&s->greeting), info = quash_get(answer, "agentInfo");
	text_keep(&s->refused, well ? NULL : text_of_error(answer));
	if (well) {
		text_keep(&s->greeted, text_of(answer));
		snprintf(s->label, sizeof s->label, "%.40s %.20s", quash_text(quash_get(info, "name")), quash_text(quash_get(info, "version")));
		sign_announced(s, quash_get(answer, "agentCapabilities._meta"));
	}
	(void)quash_call_release(&s->greeting);
	s->greeting.method = NULL;
	server_ready(s);
}

static void greet(struct server *s)
{
	if (bridge.hello == NULL) {
		if (bridge.hello_known)
			server_ready(s);
		return;
	}
	if (s->greeting.method == NULL)
		mcp_ask(s, &s->greeting, "initialize", put_hello, GREETING_MS);
	if (!quash_call_has_ended(&s->greeting))
		return;
	const quash_outcome outcome = quash_call_outcome(&s->greeting);
	if (outcome == QUASH_CALL_RESULT || outcome == QUASH_CALL_ERROR) {
		greeted(s, outcome == QUASH_CALL_RESULT);
		return;
	}
	(void)quash_call_release(&s->greeting);
	s->greeting.method = NULL;
}

static void lost(struct server *s)
{
	(void)quash_call_release(&s->greeting);
	s->greeting.method = NULL;
}

/* --- A client's */

/* Several clients are none that could be asked for a file. */
static char *hello_of(quash_value params)
{
	char *text = NULL;
	size_t size = 0;
	if (!bridge.listens)
		return quash_kind_of(params) == QUASH_OBJECT ? text_of(params) : text_copy("{}");
	FILE *const to = open_memstream(&text, &size);
	if (to == NULL)
		return NULL;
	fputs("{\"protocolVersion\":", to);
	text_put(to, quash_get(params, "protocolVersion"));
	fputs(",\"clientCapabilities\":{},\"clientInfo\":{\"name\":\"quash-bridge\",\"version\":\"" QUASH_VERSION "\"}}", to);
	return fclose(to) == 0 ? text : NULL;
}

static bool is_greeted(const struct server *s)
{
	return s->greeted != NULL || s->refused != NULL;
}

static int32_t initialize(quash_request *request)
{
	struct client *const client = client_of(request);
	struct server *const s = bridge.servers[0];
	struct own *const mine = wire_own(request);
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	if (!mine->passed && client->greeted)
		return QUASH_INVALID_REQUEST;
	client->greeted = mine->passed = true;
	if (bridge.hello == NULL)
		bridge.hello = hello_of(quash_params_of(request));
	if (!is_greeted(s) && s->phase == SERVER_READY)
		s->phase = SERVER_GREETING;
	if (!is_greeted(s))
		return quash_wait(request, LOOK_AGAIN_MS);
	return s->refused != NULL ? forward_fail_text(request, text_copy(s->refused)) :
		forward_reply_text(request, text_copy(s->greeted));
}

static void client_methods(struct client *client)
{
	const quash_method methods[] = {
		forward_own("initialize", initialize, 0),
		forward_own("session/load", load, 0),
		forward_own("session/resume", load, 0),
		forward_request("session/prompt", "{\"stopReason\":\"cancelled\"}", QUASH_PARTIAL),
		forward_own("session/cancel", client_note, QUASH_NOTIFICATION),
	};
	for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
		names_add(&client->wire.names, &client->wire.config, &methods[i]);
}

/* Progress of an agent are its updates. */
static void comes(struct server *s, const quash_request *note)
{
	(void)s;
	const quash_value id = quash_get(quash_params_of(note), "sessionId");
	if (quash_kind_of(id) == QUASH_STRING)
		forward_renew_session(quash_text(id));
}

static void server_methods(struct server *s)
{
	(void)s;
}

const struct protocol protocol_acp = {
	.name = "acp",
	.dialect = &quash_acp,
	.client_methods = client_methods,
	.server_methods = server_methods,
	.greet = greet,
	.lost = lost,
	.passes = passes,
	.concerns = concerns,
	.comes = comes,
	.asked = asked,
};
