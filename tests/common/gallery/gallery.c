/* SPDX-License-Identifier: MIT */
#include "gallery.h"

#include <stdio.h>

#include "quash.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

unsigned gallery_begun, gallery_ended;

static quash_mcp_server server;

/* What waits until it is cancelled. */
struct wait {
	bool begun;
};

static int32_t wait_for_cancel(quash_request *request)
{
	struct wait *const w = QUASH_TOOL(struct wait, request);
	gallery_begun += !w->begun;
	w->begun = true;
	(void)quash_mcp_progress(request, 1, 2, "waits");
	return quash_wait(request, 600000);
}

static int32_t wait_end(quash_request *request)
{
	(void)request;
	gallery_ended++;
	return QUASH_DONE;
}

/* How often something waited. */
struct counts {
	unsigned begun, ended;
};

static struct counts counts_now(void)
{
	const struct counts counts = { gallery_begun, gallery_ended };
	return counts;
}

static void put_counts(quash_writer *w, const void *data)
{
	const struct counts *const c = data;
	quash_put_object(w);
	quash_put_key(w, "begun");
	quash_put_uint(w, c->begun);
	quash_put_key(w, "ended");
	quash_put_uint(w, c->ended);
	quash_put_end(w);
}

/* --- Resources */

static int32_t read_text(quash_request *request)
{
	return quash_mcp_read_text(request, "a \"text\"\n");
}

#define FOUR(n) (n), (n) + 1, (n) + 2, (n) + 3
#define SIXTEEN(n) FOUR(n), FOUR((n) + 4), FOUR((n) + 8), FOUR((n) + 12)
#define SIXTY_FOUR(n) SIXTEEN(n), SIXTEEN((n) + 16), SIXTEEN((n) + 32), SIXTEEN((n) + 48)

static int32_t read_bytes(quash_request *request)
{
	static const uint8_t bytes[] = { SIXTY_FOUR(0), SIXTY_FOUR(64), SIXTY_FOUR(128), SIXTY_FOUR(192) };
	return quash_mcp_read_blob(request, bytes, sizeof bytes);
}

static void put_own_counts(quash_writer *w, const quash_request *request)
{
	put_counts(w, QUASH_CONST_TOOL(struct counts, request));
}

static int32_t read_counts(quash_request *request)
{
	*QUASH_TOOL(struct counts, request) = counts_now();
	return quash_mcp_read_json(request, put_own_counts);
}

/* It answers only at its third call. */
struct room {
	char name[12];
	uint8_t calls;
};

static void put_room(quash_writer *w, const quash_request *request)
{
	const struct room *const r = QUASH_CONST_TOOL(struct room, request);
	quash_put_string_open(w);
	for (size_t i = 0; r->name[i] != '\0'; i++)
		quash_put_string_part(w, &r->name[i], 1);
	quash_put_string_part(w, ": ", 2);
	quash_put_string_int(w, 21);
	quash_put_string_close(w);
}

static int32_t read_room(quash_request *request)
{
	struct room *const r = QUASH_TOOL(struct room, request);
	if (r->calls < 2) {
		r->calls++;
		return QUASH_PENDING;
	}
	if (!quash_mcp_variable(request, "name", r->name, sizeof r->name) || r->name[0] == '-')
		return quash_mcp_no_resource(request);
	return quash_mcp_read_put(request, put_room);
}

static const quash_mcp_resource resource_list[] = {
	{ .uri = "gallery://text", .name = "text", .title = "Text", .description = "A text", .mime_type = "text/plain",
	  .read = read_text, .size = 9, .ttl = 500 },
	{ .uri = "gallery://bytes", .name = "bytes", .mime_type = "application/octet-stream", .read = read_bytes },
	{ .uri = "gallery://counts", .name = "counts", .mime_type = "application/json", .read = read_counts,
	  .state_size = sizeof(struct counts) },
	{ .uri = "gallery://wait", .name = "wait", .read = wait_for_cancel, .end = wait_end,
	  .state_size = sizeof(struct wait) },
	{ .uri = "gallery://late", .name = "late", .read = wait_for_cancel, .end = wait_end, .deadline = 20,
	  .state_size = sizeof(struct wait) },
	{ .uri = "gallery://hidden", .name = "hidden", .read = read_text },
};
enum { RESOURCES = COUNT(resource_list) - 1 };

static const quash_mcp_resource template_list[] = {
	{ .uri = "gallery://rooms/{name}/temperature", .name = "temperature", .mime_type = "text/plain",
	  .read = read_room, .state_size = sizeof(struct room) },
};

static quash_mcp_resources resources = {
	.part = { &quash_mcp_resources_kind }, .list = resource_list, .templates = template_list,
	.count = RESOURCES, .template_count = COUNT(template_list) };

/* --- Prompts */

struct greet {
	char name[20];
	uint8_t mood;
};

static const char *const moods[] = { "glad", "gloomy", "calm", NULL };
static const char *const names[] = { "Ada", "Adele", "Bob", NULL };

static const quash_param greet_list[] = {
	QUASH_ARG_TEXT(struct greet, name, "who is greeted"),
	QUASH_ARG_ENUM_OR(struct greet, mood, moods, 2, NULL),
};
static const quash_params greet_params = QUASH_PARAMS(struct greet, greet_list);

static void put_greeting(quash_writer *w, const quash_request *request)
{
	const struct greet *const g = QUASH_CONST_TOOL(struct greet, request);
	quash_mcp_put_message(w, "user", g->name);
	quash_mcp_put_message(w, "assistant", moods[g->mood]);
}

static int32_t greet(quash_request *request)
{
	return quash_mcp_messages(request, put_greeting);
}

static int32_t hello(quash_request *request)
{
	return quash_mcp_prompt_text(request, "Hello");
}

static const quash_params wait_params = QUASH_NO_PARAMS(struct wait);

static const quash_mcp_prompt prompt_list[] = {
	{ .name = "greet", .title = "Greeting", .description = "Greets", .args = &greet_params, .get = greet },
	{ .name = "hello", .get = hello },
	{ .name = "wait", .args = &wait_params, .get = wait_for_cancel, .end = wait_end },
	{ .name = "hidden", .get = hello },
};
enum { PROMPTS = COUNT(prompt_list) - 1 };

static quash_mcp_prompts prompts = {
	.part = { &quash_mcp_prompts_kind }, .list = prompt_list, .count = PROMPTS };

/* --- Completion */

enum { ROOMS = 150 };

static const char *suggest_room(
	const quash_request *request, quash_value typed, quash_value arguments, uint16_t index)
{
	static char name[24];
	(void)request;
	(void)arguments;
	snprintf(name, sizeof name, "%.10s%u", quash_text(typed), index);
	return index < ROOMS ? name : NULL;
}

static const quash_mcp_completer completers[] = {
	{ .prompt = "greet", .argument = "name", .values = names },
	{ .prompt = "greet", .argument = "mood", .values = moods },
	{ .resource = "gallery://rooms/{name}/temperature", .argument = "name", .suggest = suggest_room },
};

static const quash_mcp_completion completion = {
	.part = { &quash_mcp_completion_kind }, .list = completers, .count = COUNT(completers) };

/* --- Logging */

static const quash_mcp_logging logging = { .part = { &quash_mcp_logging_kind }, .level = QUASH_MCP_ERROR };

static int32_t log_some(quash_request *request)
{
	const struct counts counts = counts_now();
	(void)quash_mcp_log(request, QUASH_MCP_DEBUG, "gallery", "details");
	(void)quash_mcp_log(request, QUASH_MCP_WARNING, NULL, "a \"warning\"");
	(void)quash_mcp_log_json(request, QUASH_MCP_ERROR, "gallery", put_counts, &counts);
	return quash_mcp_text(request, "logged");
}

bool gallery_fire(quash_peer *peer)
{
	return quash_mcp_log_session(peer, &server, QUASH_MCP_EMERGENCY, NULL, quash_mcp_put_log_text, "fire");
}

/* --- Tools that ask the client */

struct ask {
	quash_call call;
	char name[20];
	int32_t age;
};

static const quash_param ask_list[] = {
	QUASH_ARG_TEXT(struct ask, name, "your name"),
	QUASH_ARG_INT_OR(struct ask, age, 0, 150, 0, NULL),
};
static const quash_params ask_answer = QUASH_PARAMS(struct ask, ask_list);
static const quash_params ask_params = QUASH_NO_PARAMS(struct ask);

static void put_sampling(quash_writer *w, const quash_call *call)
{
	quash_mcp_put_sampling(w, call, "Be brief.", "What do you see?", 50);
}

static void put_sampled(quash_writer *w, const quash_request *request)
{
	quash_put_text(w, quash_mcp_sampled(&QUASH_CONST_TOOL(struct ask, request)->call));
}

static int32_t sample(quash_request *request)
{
	struct ask *const a = QUASH_TOOL(struct ask, request);
	a->call.put = put_sampling;
	if (quash_mcp_ask(request, &a->call, QUASH_MCP_SAMPLING) != QUASH_DONE)
		return quash_mcp_failure(request, "the client does not sample");
	return quash_call_has_ended(&a->call) ? quash_mcp_reply(request, put_sampled) : QUASH_PENDING;
}

static void put_question(quash_writer *w, const quash_call *call)
{
	quash_mcp_put_question(w, call, "Who are you?", &ask_answer);
}

static void put_name(quash_writer *w, const quash_request *request)
{
	quash_put_text(w, QUASH_CONST_TOOL(struct ask, request)->name);
}

static int32_t elicit(quash_request *request)
{
	struct ask *const a = QUASH_TOOL(struct ask, request);
	a->call.put = put_question;
	if (quash_mcp_ask(request, &a->call, QUASH_MCP_ELICITATION) != QUASH_DONE)
		return quash_mcp_failure(request, "the client does not ask");
	if (!quash_call_has_ended(&a->call))
		return QUASH_PENDING;
	if (!quash_mcp_accepted(&a->call, &ask_answer, a))
		return quash_mcp_failure(request, "no answer");
	return quash_mcp_reply(request, put_name);
}

static void put_roots(quash_writer *w, const quash_request *request)
{
	const quash_call *const call = &QUASH_CONST_TOOL(struct ask, request)->call;
	quash_put_quote_open(w);
	quash_put_value(w, quash_get(quash_call_answer(call), "roots"));
	quash_put_quote_close(w);
}

static int32_t roots(quash_request *request)
{
	struct ask *const a = QUASH_TOOL(struct ask, request);
	if (quash_mcp_ask(request, &a->call, QUASH_MCP_ROOTS) != QUASH_DONE)
		return quash_mcp_failure(request, "the client has no roots");
	return quash_call_has_ended(&a->call) ? quash_mcp_reply(request, put_roots) : QUASH_PENDING;
}

/* --- Tools that notify the client */

struct touch {
	char uri[GALLERY_URI + 1];
};

static const quash_param touch_list[] = { QUASH_ARG_TEXT(struct touch, uri, "what has changed") };
static const quash_params touch_params = QUASH_PARAMS(struct touch, touch_list);

static int32_t touch(quash_request *request)
{
	(void)quash_mcp_updated(quash_peer_of(request), &server, QUASH_TOOL(struct touch, request)->uri);
	return quash_mcp_text(request, "touched");
}

enum { TOOLS = 7 }; /* of the table below, without the last */

static int32_t change(quash_request *request)
{
	if (!quash_mcp_may_change(quash_peer_of(request)))
		return QUASH_PENDING;
	server.tool_count = TOOLS + 1;
	prompts.count = PROMPTS + 1;
	resources.count = RESOURCES + 1;
	(void)quash_mcp_changed(quash_peer_of(request), &server, server.changes);
	return quash_mcp_text(request, "changed");
}

static int32_t hang_up(quash_request *request)
{
	quash_mcp_end_listens(&server);
	return quash_mcp_text(request, "hung up");
}

static int32_t no_end(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static const quash_mcp_tool tools[] = {
	{ .name = "log", .call = log_some },
	{ .name = "sample", .args = &ask_params, .call = sample, .motion = { .end = no_end, .longest = QUASH_NO_LIMIT } },
	{ .name = "elicit", .args = &ask_params, .call = elicit, .motion = { .end = no_end, .longest = QUASH_NO_LIMIT } },
	{ .name = "roots", .args = &ask_params, .call = roots, .motion = { .end = no_end, .longest = QUASH_NO_LIMIT } },
	{ .name = "touch", .args = &touch_params, .call = touch },
	{ .name = "change", .call = change },
	{ .name = "hang_up", .call = hang_up },
	{ .name = "hidden", .call = log_some },
};

/* --- The server */

QUASH_MCP_WATCHES(watches, GALLERY_WATCHES, GALLERY_URI);

static const quash_mcp_part *const parts[] = {
	&resources.part, &prompts.part, &logging.part, &completion.part, &quash_mcp_ask_part, NULL };

static quash_mcp_session session;

static const char *const ignored[] = { "toolCallId", "sessionId", "action", "chatInput", NULL };

static quash_mcp_server server = {
	.name = "gallery", .version = "1", .tools = tools, .modern = &quash_mcp_modern, .session = &session, .parts = parts, .watches = &watches,
	.ignored = ignored, .ttl = 1000, .tool_count = TOOLS, .page = 3, .token_size = GALLERY_TOKEN,
	.changes = QUASH_MCP_TOOLS_CHANGE | QUASH_MCP_PROMPTS_CHANGE | QUASH_MCP_RESOURCES_CHANGE };

const quash_method gallery_methods[] = {
	QUASH_MCP_METHODS(&server), QUASH_MCP_RESOURCES(&server), QUASH_MCP_PROMPTS(&server),
	QUASH_MCP_LOGGING(&server), QUASH_MCP_COMPLETION(&server), QUASH_MCP_SUBSCRIBE(&server),
	QUASH_MCP_LISTEN(&server) };

QUASH_STORAGE(store, 8, 64, GALLERY_STATE, 4096, 1024);

const quash_config gallery_config = {
	QUASH_STORED(store), .dialect = &quash_mcp, .methods = gallery_methods, .method_count = GALLERY_METHODS,
	.check = quash_mcp_check, .new_session = quash_mcp_new_session, .calls = &quash_calls, .keeps = &quash_mcp_keeps };

void gallery_reset(void)
{
	static const quash_mcp_session fresh;
	session = fresh;
	quash_mcp_forget_watches(&watches);
	server.tool_count = TOOLS;
	prompts.count = PROMPTS;
	resources.count = RESOURCES;
	gallery_begun = gallery_ended = 0;
}
