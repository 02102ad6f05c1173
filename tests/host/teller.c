/* SPDX-License-Identifier: MIT
 * An MCP server on stdin and stdout whose one tool reports progress, logs, and asks its client, if that can be asked. All
 * of it has the argument `n`, and the answer has what the client has answered. */
#include "main.h"

#include "quash.h"

enum { SLOTS = 16, TOKEN = 40 };

struct tell {
	quash_call call;
	int32_t n, answer;
	bool reported, logged;
};

static const quash_param tell_list[] = { QUASH_ARG_INT(struct tell, n, 0, 1000000, "of the call") };
static const quash_params tell_params = QUASH_PARAMS(struct tell, tell_list);
static const quash_param answer_list[] = { QUASH_ARG_INT(struct tell, answer, 0, 1000000, "the same number") };
static const quash_params answer_params = QUASH_PARAMS(struct tell, answer_list);

static void put_number(quash_writer *w, const void *data)
{
	quash_put_int(w, ((const struct tell *)data)->n);
}

static void put_question(quash_writer *w, const quash_call *call)
{
	quash_mcp_put_question(w, call, "n?", &answer_params);
}

/* True once both are taken. */
static bool tell_all(quash_request *request, struct tell *t)
{
	t->reported = t->reported || quash_mcp_progress(request, (uint32_t)t->n + 1, 0, NULL);
	t->logged = t->logged || quash_mcp_log_json(request, QUASH_MCP_INFO, NULL, put_number, t);
	return t->reported && t->logged;
}

static int32_t tell(quash_request *request)
{
	struct tell *const t = QUASH_TOOL(struct tell, request);
	if (!tell_all(request, t))
		return QUASH_PENDING;
	t->call.put = put_question;
	if (quash_mcp_ask(request, &t->call, QUASH_MCP_ELICITATION) != QUASH_DONE)
		t->answer = t->n;
	else if (!quash_call_has_ended(&t->call))
		return QUASH_PENDING;
	else if (!quash_mcp_accepted(&t->call, &answer_params, t))
		return quash_mcp_failure(request, "no answer");
	return quash_mcp_textf(request, "%ld", (long)t->answer);
}

static quash_mcp_session session;
static int32_t no_end(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static const quash_mcp_tool tools[] = { { .name = "tell", .args = &tell_params, .call = tell, .motion = { .end = no_end, .longest = QUASH_NO_LIMIT } } };
static const quash_mcp_logging logging = { { &quash_mcp_logging_kind }, QUASH_MCP_INFO };
static const quash_mcp_part *const parts[] = { &logging.part, &quash_mcp_ask_part, NULL };
static const quash_mcp_server server = { .name = "teller", .version = "1", .session = &session, .tools = tools, .tool_count = 1,
	.parts = parts, .modern = &quash_mcp_modern, .token_size = TOKEN };
static const quash_method methods[] = { QUASH_MCP_METHODS(&server), QUASH_MCP_LOGGING(&server) };

QUASH_STORAGE(store, SLOTS, 64, QUASH_MCP_STATE(TOKEN, sizeof(struct tell)), 8192, 1024);

static const quash_config config = { QUASH_STORED(store), .dialect = &quash_mcp, .methods = methods,
	.method_count = sizeof methods / sizeof methods[0], .check = quash_mcp_check, .new_session = quash_mcp_new_session,
	.calls = &quash_calls, .keeps = &quash_mcp_keeps };

int main(void)
{
	static struct host host = { .name = "teller" };
	return host_run(&host, &config);
}
