/* SPDX-License-Identifier: MIT
 * The Agent Client Protocol v1, as a client without files or terminals of its own. */
#include "inspect_acp.h"

#include "inspect_call.h"
#include "inspect_protocol.h"
#include "inspect_show.h"

#include "quash.h"

#include <string.h>
#include <unistd.h>

enum { ACP_VERSION = 1, LONGEST_PATH = 4096 };

/* Its answer holds the session's id for as long as the link lasts. */
static quash_call session = { .method = "session/new" };

/* --- Params */

static void put_initialize(quash_writer *w, const quash_call *call)
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
	const struct options *const o = call->context;
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

static bool greet(struct link *link, quash_call *greeting)
{
	int32_t version = 0;
	if (!link_ask(link, greeting))
		return false;
	(void)quash_int32(quash_get(quash_call_answer(greeting), "protocolVersion"), &version);
	if (version == ACP_VERSION)
		return true;
	note("it speaks ACP %d, which quash-inspect does not", (int)version);
	link->exit = EXIT_ERROR;
	return false;
}

static int converse(struct link *link)
{
	static const struct conduct plain = { 0 };
	static quash_call greeting = { .method = "initialize", .put = put_initialize };
	if (!greet(link, &greeting))
		return link->exit;
	if (link->options->prompt != NULL)
		return run_prompt(link);
	return link->options->method != NULL ? run_method(link, &plain)
					     : show_whole(quash_call_answer(&greeting));
}

static const quash_method methods[] = {
	{ .name = "session/request_permission",
		.handler = acp_permission,
		.end = acp_permission_end,
		.state_size = sizeof(struct question) },
	{ .name = "session/update", .handler = acp_update, .marks = QUASH_NOTIFICATION },
};

const struct protocol protocol_acp = {
	.name = "acp",
	.dialect = &quash_acp,
	.methods = methods,
	.method_count = sizeof methods / sizeof methods[0],
	.converse = converse,
};
