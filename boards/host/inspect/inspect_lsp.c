/* SPDX-License-Identifier: MIT
 * The Language Server Protocol, as a client without files: its lifecycle, and any request. */
#include "inspect_call.h"
#include "inspect_protocol.h"
#include "inspect_show.h"

#include "quash.h"

#include <unistd.h>

static void lsp_put_initialize(quash_writer *w, const quash_call *call)
{
	(void)call;
	quash_put_object(w);
	quash_put_key(w, "processId");
	quash_put_int(w, (int32_t)getpid());
	quash_put_key(w, "clientInfo");
	quash_put_raw(w, "{\"name\":\"quash-inspect\",\"version\":\"" QUASH_VERSION "\"}");
	quash_put_key(w, "rootUri");
	quash_put_null(w);
	quash_put_key(w, "capabilities");
	quash_put_object(w);
	quash_put_end(w);
	quash_put_end(w);
}

/* --- What the device reports by itself */

static int32_t on_message(quash_request *request)
{
	note_open();
	note_part("log: ");
	note_value(quash_get(quash_params_of(request), "message"));
	note_close();
	return QUASH_DONE;
}

static int32_t lsp_on_progress(quash_request *request)
{
	const quash_value params = quash_params_of(request);
	link_of(request)->progress++;
	note_progress_open();
	note_part("progress ");
	note_value(quash_get(params, "token"));
	note_part(": ");
	note_value(quash_get(params, "value"));
	note_progress_close();
	return QUASH_DONE;
}

static const quash_method methods[] = {
	{ .name = "window/logMessage", .handler = on_message, .marks = QUASH_NOTIFICATION },
	{ .name = "window/showMessage", .handler = on_message, .marks = QUASH_NOTIFICATION },
	{ .name = "$/progress", .handler = lsp_on_progress, .marks = QUASH_NOTIFICATION },
};

/* --- The conversation */

/* Who does not answer is not asked again. */
static int lsp_end_session(struct link *link, int code)
{
	static quash_call shutdown = { .method = "shutdown" };
	if (code != EXIT_NO_ANSWER && !link_hurries(link))
		(void)link_ask(link, &shutdown);
	link_notify(link, "exit", NULL, NULL);
	return code;
}

static quash_call greeting = { .method = "initialize", .put = lsp_put_initialize };

static bool lsp_greet_device(struct link *link)
{
	return link_ask(link, &greeting);
}

static int lsp_converse(struct link *link)
{
	static const struct conduct plain = { 0 };
	if (!lsp_greet_device(link))
		return link->exit;
	if (link->options->method == NULL)
		return lsp_end_session(link, show_whole(quash_call_answer(&greeting)));
	link_notify(link, "initialized", NULL, NULL);
	return lsp_end_session(link, run_method(link, &plain));
}

const struct inspect_protocol inspect_lsp = {
	.name = "lsp",
	.dialect = &quash_lsp,
	.methods = methods,
	.method_count = sizeof methods / sizeof methods[0],
	.converse = lsp_converse,
	.greet = lsp_greet_device,
	.leave = lsp_end_session,
};
