/* SPDX-License-Identifier: MIT
 * The Agent Client Protocol v1, as a client without files or terminals of its own. */
#include "inspect_call.h"
#include "inspect_protocol.h"
#include "inspect_show.h"
#include "quash.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A question that waits for its answer: the state of `session/request_permission`. */
struct question {
	bool begun;
	bool asked; /* of a person */
	int chosen; /* the option, from 1 on; -1: there is no one to choose */
};

/* --- Updates of an agent */

static void note_named(const char *name, quash_value value)
{
	if (quash_kind_of(value) == QUASH_NONE)
		return;
	note_part(" %s", name);
	note_value(value);
}

/* The agent's text is a result, all else is noted. */
static int32_t acp_update(quash_request *request)
{
	const quash_value update = quash_get(quash_params_of(request), "update"),
			  kind = quash_get(update, "sessionUpdate");
	const quash_value text = quash_get(update, "content.text");
	if (quash_is(kind, "agent_message_chunk") && quash_kind_of(text) == QUASH_STRING &&
		!link_of(request)->options->json) {
		show_value(text);
		return QUASH_DONE;
	}
	note_open();
	if (link_of(request)->options->json) {
		note_value(update);
	} else {
		note_value(kind);
		note_named("", quash_get(update, "title"));
		note_named("", quash_get(update, "status"));
		note_named("", text);
	}
	note_close();
	return QUASH_DONE;
}

/* --- Permissions that it asks for */

enum { MOST_PENDING = 16, LOOK_MS = 50 };

static quash_value options_of(const quash_request *request)
{
	return quash_get(quash_params_of(request), "options");
}

static enum permission permission_of(const struct link *link)
{
	const enum permission given = link->options->permission;
	if (given != PERMISSION_UNSET)
		return given;
	return isatty(STDIN_FILENO) ? PERMISSION_ASK : PERMISSION_REJECT;
}

/* The option with this number, from 1 on; QUASH_NONE when there is none. */
static quash_value option_of(const quash_request *request, int number)
{
	const quash_value options = options_of(request);
	const quash_value none = { 0 };
	quash_value cursor = { 0 }, option;
	for (int i = 1; quash_next(options, &cursor, NULL, &option); i++) {
		if (i == number)
			return option;
	}
	return none;
}

/* The number of the first option of a kind, 0 when there is none. */
static int choose_option(const quash_request *request, const char *kind)
{
	const quash_value options = options_of(request);
	quash_value cursor = { 0 }, option;
	for (int i = 1; quash_next(options, &cursor, NULL, &option); i++) {
		if (strncmp(quash_text(quash_get(option, "kind")), kind, strlen(kind)) == 0)
			return i;
	}
	return 0;
}

/* An option that is none is the outcome `cancelled`. */
static void put_outcome(quash_writer *w, const quash_request *request)
{
	const struct question *const q = QUASH_CONST_STATE(struct question, request);
	const quash_value id = quash_get(option_of(request, q->chosen), "optionId");
	const bool selected = quash_kind_of(id) == QUASH_STRING;
	quash_put_object(w);
	quash_put_key(w, "outcome");
	quash_put_object(w);
	quash_put_key(w, "outcome");
	quash_put_text(w, selected ? "selected" : "cancelled");
	if (selected) {
		quash_put_key(w, "optionId");
		quash_put_value(w, id);
	}
	quash_put_end(w);
	quash_put_end(w);
}

static void note_permission(const quash_request *request)
{
	const quash_value title = quash_get(quash_params_of(request), "toolCall.title");
	note_part("permission: ");
	if (quash_kind_of(title) != QUASH_NONE)
		note_value(title);
}

static void note_answer(const quash_request *request, int chosen)
{
	const quash_value option = option_of(request, chosen);
	note_open();
	note_permission(request);
	note_part(": ");
	if (quash_kind_of(option) != QUASH_NONE)
		note_value(quash_get(option, "name"));
	else
		note_part("cancelled");
	note_close();
}

static int32_t choose_now(quash_request *request, struct question *q, int chosen)
{
	q->chosen = chosen;
	if (!q->asked)
		note_answer(request, chosen);
	return quash_reply(request, put_outcome);
}

/* --- Asking a person */

static void show_options(const quash_request *request)
{
	const quash_value options = options_of(request);
	quash_value cursor = { 0 }, option;
	for (int i = 1; quash_next(options, &cursor, NULL, &option); i++) {
		note_open();
		note_part("  %d: ", i);
		note_value(quash_get(option, "name"));
		note_close();
	}
}

static void ask_for_number(const quash_request *request)
{
	int count = 0;
	while (quash_kind_of(option_of(request, count + 1)) != QUASH_NONE)
		count++;
	note("choose 1 to %d:", count);
}

static void on_line(struct link *link, const char *line)
{
	struct question *const q = QUASH_STATE(struct question, link->asks);
	const int number = line != NULL ? atoi(line) : -1;
	if (line != NULL && quash_kind_of(option_of(link->asks, number)) == QUASH_NONE)
		ask_for_number(link->asks);
	else
		q->chosen = number;
}

static void take_turn(quash_request *request, struct question *q)
{
	struct link *const link = link_of(request);
	if (link->asks != NULL)
		return;
	link->asks = request;
	link->on_line = on_line;
	q->asked = true;
	note_open();
	note_permission(request);
	note_close();
	show_options(request);
	ask_for_number(request);
}

static int32_t begin_question(quash_request *request, struct question *q)
{
	const enum permission permission = permission_of(link_of(request));
	q->begun = true;
	if (quash_live_count(quash_peer_of(request)) > MOST_PENDING)
		return QUASH_BUSY;
	if (permission == PERMISSION_ALLOW || permission == PERMISSION_REJECT)
		return choose_now(
			request, q, choose_option(request, permission == PERMISSION_ALLOW ? "allow" : "reject"));
	if (permission == PERMISSION_HANG)
		note("permission: left open");
	return quash_wait(request, 1);
}

/* An answer is owed at the latest when the prompt is cancelled by its session (prompt-turn "Cancellation"). */
static int32_t acp_permission(quash_request *request)
{
	struct link *const link = link_of(request);
	struct question *const q = QUASH_STATE(struct question, request);
	if (quash_cancelled(request))
		return QUASH_CANCELLED;
	if (link->cancelling && !link->options->by_request)
		return choose_now(request, q, -1);
	if (q->chosen != 0)
		return choose_now(request, q, q->chosen);
	if (!q->begun)
		return begin_question(request, q);
	if (permission_of(link) == PERMISSION_ASK && !q->asked)
		take_turn(request, q);
	return quash_wait(request, LOOK_MS);
}

static int32_t acp_permission_end(quash_request *request)
{
	struct link *const link = link_of(request);
	if (link->asks == request)
		link->asks = NULL;
	if (quash_cancelled(request) == QUASH_BY_OTHER_SIDE)
		note("permission: the agent does not want it any more");
	return QUASH_DONE;
}

enum { ACP_VERSION = 1, LONGEST_PATH = 4096 };

/* Its answer holds the session's id for as long as the link lasts. */
static quash_call session = { .method = "session/new" };

/* --- Params */

static void acp_put_initialize(quash_writer *w, const quash_call *call)
{
	(void)call;
	quash_put_object(w);
	quash_put_key(w, "protocolVersion");
	quash_put_int(w, ACP_VERSION);
	quash_put_key(w, "clientCapabilities");
	quash_put_raw(w, "{\"fs\":{\"readTextFile\":false,\"writeTextFile\":false},\"terminal\":false}");
	quash_put_key(w, "clientInfo");
	quash_put_raw(w, "{\"name\":\"quash-inspect\",\"version\":\"" QUASH_VERSION "\"}");
	quash_put_end(w);
}

static void put_session(quash_writer *w, const quash_call *call)
{
	quash_put_object(w);
	quash_put_key(w, "cwd");
	quash_put_text(w, call->context);
	quash_put_key(w, "mcpServers");
	quash_put_array(w);
	quash_put_end(w);
	quash_put_end(w);
}

static void put_session_id(quash_writer *w)
{
	quash_put_key(w, "sessionId");
	quash_put_value(w, quash_get(quash_call_answer(&session), "sessionId"));
}

static void put_session_cancel(quash_writer *w, const quash_call *call)
{
	(void)call;
	quash_put_object(w);
	put_session_id(w);
	quash_put_end(w);
}

static void put_prompt(quash_writer *w, const quash_call *call)
{
	const struct inspect_options *const o = call->context;
	quash_put_object(w);
	put_session_id(w);
	quash_put_key(w, "prompt");
	quash_put_array(w);
	quash_put_object(w);
	quash_put_key(w, "type");
	quash_put_text(w, "text");
	quash_put_key(w, "text");
	quash_put_text(w, o->prompt);
	quash_put_end(w);
	quash_put_end(w);
	quash_put_end(w);
}

/* --- The conversation */

static void cancel_session(struct link *link, quash_call *call)
{
	link_notify(link, "session/cancel", put_session_cancel, call);
}

static int show_stop(struct link *link, quash_value result)
{
	const quash_value reason = quash_get(result, "stopReason");
	(void)link;
	show_line_end();
	if (quash_kind_of(reason) != QUASH_STRING) {
		show_json(result);
		return EXIT_RESULT;
	}
	note_open();
	note_part("stopped: ");
	note_value(reason);
	note_close();
	return EXIT_RESULT;
}

static bool open_session(struct link *link)
{
	static char folder[LONGEST_PATH];
	if (getcwd(folder, sizeof folder) == NULL)
		memcpy(folder, "/", 2);
	session.put = put_session;
	session.context = folder;
	return link_ask(link, &session);
}

static int run_prompt(struct link *link)
{
	static quash_call call = { .method = "session/prompt", .put = put_prompt };
	const struct conduct conduct = {
		.cancel = link->options->by_request ? NULL : cancel_session,
		.show = show_stop,
	};
	if (!open_session(link))
		return link->exit;
	call.context = link->options;
	return run_call(link, &call, &conduct);
}

static quash_call greeting = { .method = "initialize", .put = acp_put_initialize };

static bool acp_greet_device(struct link *link)
{
	int32_t version = 0;
	if (!link_ask(link, &greeting))
		return false;
	(void)quash_int32(quash_get(quash_call_answer(&greeting), "protocolVersion"), &version);
	if (version == ACP_VERSION)
		return true;
	note("it speaks ACP %d, which quash-inspect does not", (int)version);
	link->exit = EXIT_ERROR;
	return false;
}

static int acp_converse(struct link *link)
{
	static const struct conduct plain = { 0 };
	if (!acp_greet_device(link))
		return link->exit;
	if (link->options->prompt != NULL)
		return run_prompt(link);
	return link->options->method != NULL ? run_method(link, &plain)
					     : show_whole(quash_call_answer(&greeting));
}

static const quash_method methods[] = {
	{ .name = "session/request_permission",
		.handler = acp_permission,
		.motion = { .end = acp_permission_end, .longest = QUASH_NO_LIMIT },
		.state_size = sizeof(struct question), .marks = QUASH_FINISHES },
	{ .name = "session/update", .handler = acp_update, .marks = QUASH_NOTIFICATION },
};

const struct inspect_protocol inspect_acp = {
	.name = "acp",
	.dialect = &quash_acp,
	.methods = methods,
	.method_count = sizeof methods / sizeof methods[0],
	.converse = acp_converse,
	.greet = acp_greet_device,
};
