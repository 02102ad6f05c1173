/* SPDX-License-Identifier: MIT
 * The session with a device: what it has said of itself, and beginning anew when its line was lost. */
#define _POSIX_C_SOURCE 200809L
#include "bridge_log.h"
#include "bridge_mcp.h"
#include "bridge_server.h"
#include "bridge_sign.h"
#include "bridge_text.h"
#include "quash.h"

#include <stdlib.h>
#include <string.h>

enum { GREETING_MS = 3000, ERA_MS = 1500 };

/* --- What a device has said */

static void put_listed(FILE *to, quash_value capability)
{
	quash_value cursor = { NULL, 0, 0 }, key, value;
	fputs("{\"listChanged\":true", to);
	while (quash_next(capability, &cursor, &key, &value)) {
		if (quash_is(key, "listChanged"))
			continue;
		putc(',', to);
		text_put_string(to, quash_text(key), quash_length(key));
		putc(':', to);
		text_put(to, value);
	}
	putc('}', to);
}

/* Signs of life are this hop's affair. */
static void put_experimental(FILE *to, quash_value experimental)
{
	quash_value cursor = { NULL, 0, 0 }, key, value;
	const char *comma = "";
	putc('{', to);
	while (quash_next(experimental, &cursor, &key, &value)) {
		if (quash_is(key, "quash/lifeSign"))
			continue;
		fputs(comma, to);
		comma = ",";
		text_put_string(to, quash_text(key), quash_length(key));
		putc(':', to);
		text_put(to, value);
	}
	putc('}', to);
}

static bool holds_signs_alone(quash_value experimental)
{
	quash_value cursor = { NULL, 0, 0 }, key, value;
	bool alone = quash_next(experimental, &cursor, &key, &value) && quash_is(key, "quash/lifeSign");
	return alone && !quash_next(experimental, &cursor, &key, &value);
}

/* Lists may change with the line, whatever the device says of its own. */
static void put_capabilities(FILE *to, quash_value capabilities)
{
	quash_value cursor = { NULL, 0, 0 }, key, value;
	const char *comma = "";
	putc('{', to);
	while (quash_next(capabilities, &cursor, &key, &value)) {
		if (quash_is(key, "experimental") && holds_signs_alone(value))
			continue;
		fputs(comma, to);
		comma = ",";
		text_put_string(to, quash_text(key), quash_length(key));
		putc(':', to);
		if (quash_is(key, "tools") || quash_is(key, "prompts") || quash_is(key, "resources"))
			put_listed(to, value);
		else if (quash_is(key, "experimental"))
			put_experimental(to, value);
		else
			text_put(to, value);
	}
	putc('}', to);
}

/* The result of its `initialize` behind the version: that is each client's. */
static char *rest_of_result(quash_value result)
{
	char *text = NULL;
	size_t size = 0;
	quash_value cursor = { NULL, 0, 0 }, key, value;
	FILE *const to = open_memstream(&text, &size);
	while (to != NULL && quash_next(result, &cursor, &key, &value)) {
		if (quash_is(key, "protocolVersion"))
			continue;
		putc(',', to);
		text_put_string(to, quash_text(key), quash_length(key));
		putc(':', to);
		if (quash_is(key, "capabilities"))
			put_capabilities(to, value);
		else
			text_put(to, value);
	}
	return to != NULL && fclose(to) == 0 ? text : NULL;
}

static void note_name(struct server *s, quash_value info)
{
	text_fit(s->own_name, sizeof s->own_name, quash_text(quash_get(info, "name")));
	text_fit(s->own_version, sizeof s->own_version, quash_text(quash_get(info, "version")));
}

static void note_capabilities(struct server *s, quash_value capabilities)
{
	s->logs = quash_kind_of(quash_get(capabilities, "logging")) != QUASH_NONE;
	s->lists[LIST_TOOLS] = quash_kind_of(quash_get(capabilities, "tools")) != QUASH_NONE;
	s->lists[LIST_PROMPTS] = quash_kind_of(quash_get(capabilities, "prompts")) != QUASH_NONE;
	s->lists[LIST_RESOURCES] = quash_kind_of(quash_get(capabilities, "resources")) != QUASH_NONE;
	s->lists[LIST_TEMPLATES] = s->lists[LIST_RESOURCES];
	sign_announced(s, quash_get(capabilities, "experimental"));
}

/* --- The session with a device */

static void put_initialize(quash_writer *w, const quash_call *call)
{
	(void)call;
	quash_put_object(w);
	quash_put_key(w, "protocolVersion");
	quash_put_text(w, mcp_latest);
	quash_put_key(w, "capabilities");
	quash_put_raw(w, bridge.hello != NULL ? bridge.hello : "{}");
	quash_put_key(w, "clientInfo");
	quash_put_raw(w, "{\"name\":\"quash-bridge\",\"version\":\"" QUASH_VERSION "\"}");
	quash_put_end(w);
}

static void put_discover(quash_writer *w, const quash_call *call)
{
	(void)call;
	quash_put_raw(w, "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"" QUASH_MCP_MODERN_VERSION "\","
		"\"io.modelcontextprotocol/clientInfo\":{\"name\":\"quash-bridge\",\"version\":\"" QUASH_VERSION "\"},"
		"\"io.modelcontextprotocol/clientCapabilities\":{}}}");
}

static void become_ready(struct server *s)
{
	bool given = bridge.options.many_servers;
	for (int kind = 0; kind < LIST_KINDS; kind++)
		given = given || s->given[kind] != 0;
	s->stale = given;
	s->greeting.method = NULL;
	(void)quash_call_release(&s->greeting);
	server_ready(s);
}

static bool send_initialized(struct server *s)
{
	(void)quash_notify(&s->wire.peer, "notifications/initialized");
	return quash_notify_send(&s->wire.peer);
}

/* A device of both eras, or of the modern one alone, is asked what else it is. */
static void discover(struct server *s)
{
	(void)quash_call_release(&s->greeting);
	mcp_ask(s, &s->greeting, "server/discover", put_discover, GREETING_MS);
}

static void greeted(struct server *s)
{
	const quash_value result = quash_call_answer(&s->greeting);
	if (!send_initialized(s))
		return; /* again in the next turn */
	text_keep(&s->greeted, rest_of_result(result));
	text_keep(&s->refused, NULL);
	note_name(s, quash_get(result, "serverInfo"));
	note_capabilities(s, quash_get(result, "capabilities"));
	become_ready(s);
}

static void discovered(struct server *s)
{
	const bool known = quash_call_outcome(&s->greeting) == QUASH_CALL_RESULT;
	const quash_value result = quash_call_answer(&s->greeting);
	text_keep(&s->modern, known ? text_of(result) : NULL);
	if (known && s->greeted == NULL) {
		note_name(s, quash_member(quash_get(result, "_meta"), "io.modelcontextprotocol/serverInfo"));
		note_capabilities(s, quash_get(result, "capabilities"));
	}
	become_ready(s);
}

static void refused(struct server *s)
{
	text_keep(&s->greeted, NULL);
	text_keep(&s->refused, text_of_error(quash_call_answer(&s->greeting)));
	discover(s);
}

static void ask_again(struct server *s)
{
	log_line(LOG_INFO, "%s: no answer to initialize, asked again", s->wire.name);
	(void)quash_call_release(&s->greeting);
	s->greeting.method = NULL;
}

void mcp_greet(struct server *s)
{
	if (!bridge.hello_known)
		return;
	if (s->greeting.method == NULL)
		mcp_ask(s, &s->greeting, "initialize", put_initialize, GREETING_MS);
	if (!quash_call_has_ended(&s->greeting))
		return;
	if (strcmp(s->greeting.method, "server/discover") == 0) {
		discovered(s);
		return;
	}
	switch (quash_call_outcome(&s->greeting)) {
	case QUASH_CALL_RESULT: greeted(s); break;
	case QUASH_CALL_ERROR: refused(s); break;
	default: ask_again(s); break;
	}
}

void mcp_lost(struct server *s)
{
	(void)quash_call_release(&s->greeting);
	s->greeting.method = NULL;
	s->level = NO_LEVEL;
	s->modern_known = false;
	texts_clear(&s->subscribed);
	mcp_fetch_stop(s);
	if (bridge.options.many_servers && s->was_ready)
		mcp_lists_changed(s);
}

/* For clients of several devices; a device of the legacy era alone may not answer at all. */
static void look_whether_modern(struct server *s)
{
	if (s->modern_known)
		return;
	if (s->greeting.method == NULL)
		mcp_ask(s, &s->greeting, "server/discover", put_discover, ERA_MS);
	if (!quash_call_has_ended(&s->greeting))
		return;
	text_keep(&s->modern, quash_call_outcome(&s->greeting) == QUASH_CALL_RESULT ? text_of(quash_call_answer(&s->greeting)) : NULL);
	s->modern_known = true;
	s->greeting.method = NULL;
	(void)quash_call_release(&s->greeting);
}

void mcp_tend(struct server *s)
{
	if (s->refused != NULL)
		return; /* it has no session */
	mcp_give(s);
	mcp_fetch(s);
	if (bridge.modern_wanted)
		look_whether_modern(s);
}
