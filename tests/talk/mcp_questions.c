/* SPDX-License-Identifier: MIT
 * An MCP server whose tools ask, in both eras: a client that answers requests, and one that sends its request again. */
#include "programs.h"

#include "quash.h"

#include <string.h>

enum { TOKEN = 7 };

struct name {
	quash_call call, second;
	char first[24];
	int32_t age;
};

static const quash_param name_args[] = { QUASH_ARG_TEXT(struct name, first, "the first name") };
static const quash_params name_params = QUASH_PARAMS(struct name, name_args);
static const quash_param age_args[] = { QUASH_ARG_INT(struct name, age, 0, 150, NULL) };
static const quash_params age_params = QUASH_PARAMS(struct name, age_args);

static void put_name(quash_writer *w, const quash_call *call)
{
	quash_mcp_put_question(w, call, "Who?", &name_params);
}

static void put_age(quash_writer *w, const quash_call *call)
{
	quash_mcp_put_question(w, call, "How old?", &age_params);
}

static void put_both(quash_writer *w, const quash_request *request)
{
	const struct name *const s = QUASH_CONST_TOOL(struct name, request);
	quash_put_string_open(w);
	quash_put_string_part(w, s->first, strlen(s->first));
	quash_put_string_part(w, " ", 1);
	quash_put_string_int(w, s->age);
	quash_put_string_close(w);
}

static int32_t end(quash_request *request)
{
	program_note(request, "end");
	return QUASH_DONE;
}

/* One question, then the other. */
static int32_t greet(quash_request *request)
{
	struct name *const s = QUASH_TOOL(struct name, request);
	s->call.put = put_name;
	s->second.put = put_age;
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	if (quash_mcp_ask(request, &s->call, QUASH_MCP_ELICITATION) != QUASH_DONE)
		return quash_mcp_failure(request, "nobody can be asked");
	if (!quash_call_has_ended(&s->call))
		return QUASH_PENDING;
	if (!quash_mcp_accepted(&s->call, &name_params, s))
		return quash_mcp_failure(request, "no name");
	if (quash_mcp_ask(request, &s->second, QUASH_MCP_ELICITATION) != QUASH_DONE)
		return quash_mcp_failure(request, "nobody can be asked");
	if (!quash_call_has_ended(&s->second))
		return QUASH_PENDING;
	if (!quash_mcp_accepted(&s->second, &age_params, s))
		return quash_mcp_failure(request, "no age");
	program_note(request, "act");
	return quash_mcp_reply(request, put_both);
}

static void put_sample(quash_writer *w, const quash_call *call)
{
	quash_mcp_put_sampling(w, call, NULL, "Well?", 9);
}

/* What it has sampled is put from the answer itself. */
static void put_sampled(quash_writer *w, const quash_request *request)
{
	quash_put_text(w, quash_mcp_sampled(&QUASH_CONST_TOOL(struct name, request)->call));
}

/* Both at once; and it goes on for some steps with the answers. */
static int32_t both(quash_request *request)
{
	struct name *const s = QUASH_TOOL(struct name, request);
	s->call.put = put_sample;
	(void)quash_mcp_ask(request, &s->call, QUASH_MCP_SAMPLING);
	(void)quash_mcp_ask(request, &s->second, QUASH_MCP_ROOTS);
	if (!quash_call_has_ended(&s->call) || !quash_call_has_ended(&s->second))
		return QUASH_PENDING;
	return ++s->age < 3 ? QUASH_PENDING : quash_mcp_reply(request, put_sampled);
}

/* Asks, and does not wait. */
static int32_t hasty(quash_request *request)
{
	struct name *const s = QUASH_TOOL(struct name, request);
	s->call.put = put_name;
	(void)quash_mcp_ask(request, &s->call, QUASH_MCP_ELICITATION);
	return quash_mcp_text(request, "done");
}

/* The same call for both questions. */
static int32_t twice(quash_request *request)
{
	struct name *const s = QUASH_TOOL(struct name, request);
	s->call.put = put_name;
	(void)quash_mcp_ask(request, &s->call, QUASH_MCP_ELICITATION);
	if (!quash_call_has_ended(&s->call) || !quash_mcp_accepted(&s->call, &name_params, s))
		return QUASH_PENDING;
	(void)quash_call_release(&s->call);
	s->call.put = put_age;
	(void)quash_mcp_ask(request, &s->call, QUASH_MCP_ELICITATION);
	return quash_mcp_accepted(&s->call, &age_params, s) ? quash_mcp_reply(request, put_both) : QUASH_PENDING;
}

static int32_t needs(quash_request *request)
{
	if (!quash_mcp_can_ask(request, QUASH_MCP_ELICITATION_URL))
		return quash_mcp_require(request, QUASH_MCP_ELICITATION | QUASH_MCP_ELICITATION_URL | QUASH_MCP_ROOTS);
	return quash_mcp_text(request, "done");
}

static const quash_params any = QUASH_NO_PARAMS(struct name);
static const quash_param mark_args[] = { QUASH_ARG_INT_OR(struct name, age, 0, 150, 0, NULL) };
static const quash_params mark_params = QUASH_PARAMS(struct name, mark_args);
static const quash_mcp_tool tools[] = { { .name = "greet", .args = &mark_params, .call = greet, .motion = { .end = end, .longest = QUASH_NO_LIMIT }, .marks = QUASH_FINISHES },
	{ .name = "both", .args = &any, .call = both, .motion = { .end = end, .longest = QUASH_NO_LIMIT }, .marks = QUASH_FINISHES }, { .name = "hasty", .args = &any, .call = hasty, .motion = { .end = end, .longest = QUASH_NO_LIMIT }, .marks = QUASH_FINISHES },
	{ .name = "twice", .args = &any, .call = twice, .motion = { .end = end, .longest = QUASH_NO_LIMIT }, .marks = QUASH_FINISHES }, { .name = "needs", .call = needs } };

/* The second state has no answers of earlier rounds. */
static const uint8_t key[QUASH_MCP_KEY] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
static const quash_mcp_input input = QUASH_MCP_INPUT(key, 5000, 200), once = QUASH_MCP_INPUT(key, 5000, 0);
static const quash_mcp_part *const parts[] = { &input.part, NULL }, *const once_parts[] = { &once.part, NULL };
static quash_mcp_session session;
#define SERVER(list) \
	{ .name = "s", .version = "1", .session = &session, .tools = tools, .tool_count = COUNT(tools), .parts = list, \
	  .modern = &quash_mcp_modern, .token_size = TOKEN }
static const quash_mcp_server server = SERVER(parts), once_server = SERVER(once_parts);
static const quash_method methods[] = { QUASH_MCP_METHODS(&server) }, once_methods[] = { QUASH_MCP_METHODS(&once_server) };

static void forget(void)
{
	static const quash_mcp_session fresh;
	session = fresh;
}

#define CONFIG(list) { PROGRAM_MCP(list, QUASH_MCP_STATE(TOKEN, sizeof(struct name))), .calls = &quash_mcp_calls }
static const quash_config config = CONFIG(methods), once_config = CONFIG(once_methods);

const struct program question_programs[] = { { "questions", &config, forget, NULL }, { "questions-once", &once_config, forget, NULL },
	{ NULL, NULL, NULL, NULL } };
