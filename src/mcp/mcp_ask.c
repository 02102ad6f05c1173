/* SPDX-License-Identifier: MIT
 * sampling/createMessage, elicitation/create, roots/list */
#include "../../include/quash/mcp_ask.h"

#include "../../include/quash/mcp_prompts.h"

#include "mcp_inner.h"

/* --- The client's capabilities */

static bool has(quash_value object, const char *name)
{
	return quash_kind_of(quash_member(object, name)) == QUASH_OBJECT;
}

/* A client that names neither way is asked with a form. */
static uint8_t read_elicitation(quash_value capability)
{
	const bool url = has(capability, "url");
	const uint8_t form = has(capability, "form") || !url ? QUASH_MCP_ELICITATION : 0;
	return (uint8_t)(form | (url ? QUASH_MCP_ELICITATION_URL : 0));
}

uint8_t quash_mcp_read_capabilities(quash_value all)
{
	uint8_t client = has(all, "elicitation") ? read_elicitation(quash_member(all, "elicitation")) : 0;
	if (has(all, "sampling"))
		client |= QUASH_MCP_SAMPLING;
	if (has(quash_member(all, "sampling"), "tools"))
		client |= QUASH_MCP_SAMPLING_TOOLS;
	if (has(all, "roots"))
		client |= QUASH_MCP_ROOTS;
	return client;
}

void quash_mcp_read_client(quash_mcp_session *session, quash_value params)
{
	session->client = quash_mcp_read_capabilities(quash_member(params, "capabilities"));
	quash_mcp_read_related(session, params);
}

/* Of each only that it is there. */
static const quash_keep ask_keeps[] = {
	{ "capabilities>elicitation>form", 0, true },
	{ "capabilities>elicitation>url", 0, true },
	{ "capabilities>sampling>tools", 0, true },
	{ "capabilities>roots", 0, true },
	{ MCP_KEPT_RELATED, 0, true },
};

static bool check_calls(const quash_mcp_server *server, const quash_mcp_part *part, const quash_config *config,
	quash_fault *fault)
{
	(void)server;
	(void)part;
	return quash_check_member(fault, "config", NULL, config->calls == NULL ? "calls" : NULL);
}

static const struct quash_mcp_kind ask_kind = { .machine = &quash_mcp_machine,
	.begin = quash_mcp_read_client,
	.check = check_calls,
	.keeps = ask_keeps,
	.keep_count = sizeof ask_keeps / sizeof ask_keeps[0] };

const quash_mcp_part quash_mcp_ask_part = { &ask_kind };

static const struct quash_mcp_modern_asks *modern_asks_of(const quash_request *request)
{
	const quash_mcp_part *const *part = quash_mcp_server_of(request)->parts;
	while (part != NULL && *part != NULL && (*part)->kind->begin != quash_mcp_read_client)
		part++;
	return part != NULL && *part != NULL ? (*part)->kind->asks : NULL;
}

bool quash_mcp_can_ask(quash_request *request, uint8_t what)
{
	const quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	const quash_mcp_session *const session = quash_mcp_server_of(request)->session;
	if (slot == NULL)
		return false;
	if (!quash_mcp_is_modern(request))
		return session->version != NULL && (session->client & what) == what;
	const struct quash_mcp_modern_asks *const asks = modern_asks_of(request);
	return asks != NULL && (asks->can(request) & what) == what;
}

/* --- Asking */

const char *quash_mcp_asked_method(uint8_t what)
{
	if ((what & (QUASH_MCP_SAMPLING | QUASH_MCP_SAMPLING_TOOLS)) != 0)
		return "sampling/createMessage";
	if ((what & (QUASH_MCP_ELICITATION | QUASH_MCP_ELICITATION_URL)) != 0)
		return "elicitation/create";
	return "roots/list";
}

void quash_mcp_put_related(quash_writer *w, const quash_call *call)
{
	if (call->parent != NULL)
		quash_mcp_put_relation(w, call->parent);
}

/* `roots/list` has no other params. */
static void put_relation_alone(quash_writer *w, const quash_call *call)
{
	quash_put_object(w);
	quash_mcp_put_related(w, call);
	quash_put_end(w);
}

static void relate(quash_request *request, quash_call *call)
{
	quash_mcp_relate(request);
	if (call->put == NULL && (quash_mcp_slot_of(request)->call.marks & MCP_RELATED) != 0)
		call->put = put_relation_alone;
}

int32_t quash_mcp_ask(quash_request *request, quash_call *call, uint8_t what)
{
	if (quash_call_in_use(call))
		return QUASH_DONE;
	if (!quash_mcp_can_ask(request, what))
		return QUASH_MCP_NOT_CAPABLE;
	call->method = quash_mcp_asked_method(what);
	const struct quash_mcp_modern_asks *const asks = quash_mcp_is_modern(request) ? modern_asks_of(request) : NULL;
	if (asks != NULL)
		return asks->ask(request, call);
	relate(request, call);
	return quash_call_start_for(request, quash_peer_of(request), call) ? QUASH_DONE : QUASH_MCP_NOT_CAPABLE;
}

/* --- Params */

void quash_mcp_put_sampling(
	quash_writer *w, const quash_call *call, const char *system, const char *text, uint32_t max_tokens)
{
	quash_put_object(w);
	quash_mcp_put_related(w, call);
	quash_put_key(w, "messages");
	quash_put_array(w);
	quash_mcp_put_message(w, "user", text);
	quash_put_end(w);
	quash_put_optional(w, "systemPrompt", system);
	quash_put_key(w, "maxTokens");
	quash_put_uint(w, max_tokens);
	quash_put_end(w);
}

void quash_mcp_put_question(
	quash_writer *w, const quash_call *call, const char *message, const quash_params *table)
{
	quash_put_object(w);
	quash_mcp_put_related(w, call);
	quash_put_member(w, "message", message);
	quash_put_key(w, "requestedSchema");
	quash_put_schema(w, table);
	quash_put_end(w);
}

/* --- Answers */

const char *quash_mcp_sampled(const quash_call *call)
{
	const quash_value content = quash_member(quash_call_answer(call), "content");
	const bool list = quash_value_kind(&content) == QUASH_ARRAY;
	quash_value cursor = { NULL, 0, 0 };
	quash_value block = content;
	if (quash_call_outcome(call) != QUASH_CALL_RESULT)
		return "";
	while (!list || quash_next(content, &cursor, NULL, &block)) {
		if (quash_is(quash_member(block, "type"), "text") || !list)
			return quash_text(quash_member(block, "text"));
	}
	return "";
}

bool quash_mcp_accepted(const quash_call *call, const quash_params *table, void *target)
{
	const quash_value answer = quash_call_answer(call);
	return quash_call_outcome(call) == QUASH_CALL_RESULT &&
		quash_is(quash_member(answer, "action"), "accept") &&
		quash_read_params(table, quash_member(answer, "content"), target, NULL);
}
