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

static int32_t wait_for_cancel(quash_request *request, void *state)
{
	struct wait *const w = state;
	gallery_begun += !w->begun;
	w->begun = true;
	quash_mcp_progress(request, 1, 2, "waits");
	return quash_wait(request, 600000);
}

static void wait_end(quash_request *request, void *state)
{
	(void)request;
	(void)state;
	gallery_ended++;
}

/* --- Resources */

static int32_t read_text(quash_request *request, void *state)
{
	(void)state;
	return quash_mcp_read_text(request, "a \"text\"\n");
}

static int32_t read_bytes(quash_request *request, void *state)
{
	uint8_t bytes[256];
	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)i;
	return quash_mcp_read_blob(request, bytes, sizeof bytes);
}

static void put_counts(quash_writer *w, const void *data)
{
	(void)data;
	quash_put_object(w);
	quash_put_key(w, "begun");
	quash_put_uint(w, gallery_begun);
	quash_put_key(w, "ended");
	quash_put_uint(w, gallery_ended);
	quash_put_end(w);
}

static int32_t read_counts(quash_request *request, void *state)
{
	(void)state;
	return quash_mcp_read_json(request, put_counts, NULL);
}

/* It answers only at its third call, when the params are gone. */
struct room {
	char name[12];
	uint8_t calls;
};

static int32_t read_room(quash_request *request, void *state)
{
	struct room *const r = state;
	if (r->calls < 2) {
		r->calls++;
		return QUASH_PENDING;
	}
	if (!quash_mcp_variable(request, "name", r->name, sizeof r->name) || r->name[0] == '-')
		return quash_mcp_no_resource(request);
	quash_writer *const w = quash_mcp_read_reply(request);
	quash_put_string_open(w);
	for (size_t i = 0; r->name[i] != '\0'; i++)
		quash_put_string_part(w, &r->name[i], 1);
	quash_put_string_part(w, ": ", 2);
	quash_put_string_int(w, 21);
	quash_put_string_close(w);
	return quash_send(request);
}

static const quash_mcp_resource resource_list[] = {
	{ .uri = "gallery://text", .name = "text", .title = "Text", .description = "A text", .mime_type = "text/plain",
	  .read = read_text, .size = 9, .ttl = 500 },
	{ .uri = "gallery://bytes", .name = "bytes", .mime_type = "application/octet-stream", .read = read_bytes },
	{ .uri = "gallery://counts", .name = "counts", .mime_type = "application/json", .read = read_counts },
	{ .uri = "gallery://wait", .name = "wait", .read = wait_for_cancel, .end = wait_end,
	  .state_size = sizeof(struct wait), .marks = QUASH_DROPS },
	{ .uri = "gallery://late", .name = "late", .read = wait_for_cancel, .end = wait_end, .deadline = 20,
	  .state_size = sizeof(struct wait), .marks = QUASH_DROPS },
	{ .uri = "gallery://hidden", .name = "hidden", .read = read_text },
};
enum { RESOURCES = COUNT(resource_list) - 1 };

static const quash_mcp_resource template_list[] = {
	{ .uri = "gallery://rooms/{name}/temperature", .name = "temperature", .mime_type = "text/plain",
	  .read = read_room, .state_size = sizeof(struct room) },
};

static quash_mcp_resources resources = {
	.part = { &quash_mcp_resources_kind }, .list = resource_list, .templates = template_list,
	.count = RESOURCES, .template_count = COUNT(template_list), .uri_size = GALLERY_URI };

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

static int32_t greet(quash_request *request, void *state)
{
	const struct greet *const g = state;
	quash_writer *const w = quash_mcp_messages(request);
	quash_mcp_put_message(w, "user", g->name);
	quash_mcp_put_message(w, "assistant", moods[g->mood]);
	return quash_send(request);
}

static int32_t hello(quash_request *request, void *state)
{
	(void)state;
	return quash_mcp_prompt_text(request, "Hello");
}

static const quash_params wait_params = QUASH_NO_PARAMS(struct wait);

static const quash_mcp_prompt prompt_list[] = {
	{ .name = "greet", .title = "Greeting", .description = "Greets", .args = &greet_params, .get = greet },
	{ .name = "hello", .get = hello },
	{ .name = "wait", .args = &wait_params, .get = wait_for_cancel, .end = wait_end, .marks = QUASH_DROPS },
	{ .name = "hidden", .get = hello },
};
enum { PROMPTS = COUNT(prompt_list) - 1 };

static quash_mcp_prompts prompts = {
	.part = { &quash_mcp_prompts_kind }, .list = prompt_list, .count = PROMPTS };

/* --- Completion */

enum { ROOMS = 150 };

static const char *suggest_room(quash_request *request, quash_value typed, quash_value arguments, uint16_t index)
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

static int32_t log_some(quash_request *request, void *state)
{
	(void)state;
	quash_mcp_log(request, QUASH_MCP_DEBUG, "gallery", "details");
	quash_mcp_log(request, QUASH_MCP_WARNING, NULL, "a \"warning\"");
	quash_mcp_log_json(request, QUASH_MCP_ERROR, "gallery", put_counts, NULL);
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
	(void)call;
	quash_mcp_put_sampling(w, "Be brief.", "What do you see?", 50);
}

static int32_t sample(quash_request *request, void *state)
{
	struct ask *const a = state;
	a->call.put = put_sampling;
	if (!quash_mcp_asked(request, &a->call, QUASH_MCP_SAMPLING))
		return quash_mcp_failure(request, "the client does not sample");
	if (!quash_answered(&a->call))
		return QUASH_PENDING;
	return quash_mcp_text(request, quash_mcp_sampled(&a->call));
}

static void put_question(quash_writer *w, const quash_call *call)
{
	(void)call;
	quash_mcp_put_question(w, "Who are you?", &ask_answer);
}

static int32_t elicit(quash_request *request, void *state)
{
	struct ask *const a = state;
	a->call.put = put_question;
	if (!quash_mcp_asked(request, &a->call, QUASH_MCP_ELICITATION))
		return quash_mcp_failure(request, "the client does not ask");
	if (!quash_answered(&a->call))
		return QUASH_PENDING;
	if (!quash_mcp_accepted(&a->call, &ask_answer, a))
		return quash_mcp_failure(request, "not told");
	quash_writer *const w = quash_mcp_reply(request, false);
	quash_put_text(w, a->name);
	return quash_send(request);
}

static int32_t roots(quash_request *request, void *state)
{
	struct ask *const a = state;
	if (!quash_mcp_asked(request, &a->call, QUASH_MCP_ROOTS))
		return quash_mcp_failure(request, "the client has no roots");
	if (!quash_answered(&a->call))
		return QUASH_PENDING;
	quash_writer *const w = quash_mcp_reply(request, false);
	quash_put_quote_open(w);
	quash_put_value(w, quash_get(quash_answer(&a->call), "roots"));
	quash_put_quote_close(w);
	return quash_send(request);
}

/* --- Tools that tell the client */

struct touch {
	char uri[GALLERY_URI + 1];
	bool told;
};

static const quash_param touch_list[] = { QUASH_ARG_TEXT(struct touch, uri, "what has changed") };
static const quash_params touch_params = QUASH_PARAMS(struct touch, touch_list);

static int32_t touch(quash_request *request, void *state)
{
	struct touch *const t = state;
	if (!t->told)
		quash_mcp_updated(quash_peer_of(request), &server, t->uri);
	t->told = true;
	return quash_mcp_text(request, "touched");
}

enum { TOOLS = 7 }; /* of the table below, without the last */

struct change {
	bool told;
};

static const quash_params change_params = QUASH_NO_PARAMS(struct change);

static int32_t change(quash_request *request, void *state)
{
	struct change *const c = state;
	if (c->told)
		return quash_mcp_text(request, "changed");
	if (!quash_mcp_may_change(quash_peer_of(request)))
		return QUASH_PENDING;
	server.tool_count = TOOLS + 1;
	prompts.count = PROMPTS + 1;
	resources.count = RESOURCES + 1;
	quash_mcp_changed(quash_peer_of(request), &server, server.changes);
	c->told = true;
	return quash_mcp_text(request, "changed");
}

static int32_t hang_up(quash_request *request, void *state)
{
	(void)state;
	quash_mcp_end_listens(&server);
	return quash_mcp_text(request, "hung up");
}

static const quash_mcp_tool tools[] = {
	{ .name = "log", .call = log_some },
	{ .name = "sample", .args = &ask_params, .call = sample, .marks = QUASH_DROPS },
	{ .name = "elicit", .args = &ask_params, .call = elicit, .marks = QUASH_DROPS },
	{ .name = "roots", .args = &ask_params, .call = roots, .marks = QUASH_DROPS },
	{ .name = "touch", .args = &touch_params, .call = touch },
	{ .name = "change", .args = &change_params, .call = change },
	{ .name = "hang_up", .call = hang_up },
	{ .name = "hidden", .call = log_some },
};

/* --- The server */

QUASH_MCP_WATCHES(watches, GALLERY_WATCHES, GALLERY_URI);

static const quash_mcp_part *const parts[] = {
	&resources.part, &prompts.part, &logging.part, &completion.part, &quash_mcp_asks, NULL };

static quash_mcp_session session;

static quash_mcp_server server = {
	.name = "gallery", .version = "1", .tools = tools, .session = &session, .parts = parts, .watches = &watches,
	.ttl = 1000, .tool_count = TOOLS, .page = 3, .token_size = GALLERY_TOKEN,
	.changes = QUASH_MCP_TOOLS_CHANGE | QUASH_MCP_PROMPTS_CHANGE | QUASH_MCP_RESOURCES_CHANGE };

const quash_method gallery_methods[] = {
	QUASH_MCP_METHODS(&server), QUASH_MCP_RESOURCES(&server), QUASH_MCP_PROMPTS(&server),
	QUASH_MCP_LOGGING(&server), QUASH_MCP_COMPLETION(&server), QUASH_MCP_SUBSCRIBE(&server),
	QUASH_MCP_LISTEN(&server) };

QUASH_STORAGE(store, 8, 64, GALLERY_STATE, 4096, 1024);

const quash_config gallery_config = {
	QUASH_STORED(store), .dialect = &quash_mcp, .methods = gallery_methods, .method_count = GALLERY_METHODS };

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
