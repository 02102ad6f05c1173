/* SPDX-License-Identifier: MIT
 * MCP servers whose tools answer with values in a text. */
#include "programs.h"

#include "quash.h"

enum { TOKEN = 39 };

/* The struct and the token fill the state: neither has a byte of the other's. */
struct said {
	int32_t n;
	uint8_t calls;
	uint8_t bytes[24 - (sizeof(quash_mcp_slot) + sizeof(int32_t) + 1 + TOKEN + 1) % 8];
};

static const quash_param say_list[] = { QUASH_ARG_INT_OR(struct said, n, INT32_MIN, INT32_MAX, 0, NULL), QUASH_ARG_STRING_OR("name", NULL) };
static const quash_params say_params = QUASH_PARAMS(struct said, say_list);
static const quash_param count_list[] = { QUASH_ARG_INT(struct said, n, INT32_MIN, INT32_MAX, NULL) };
static const quash_params count_params = QUASH_PARAMS(struct said, count_list);

/* The name stands in params that are released, and moved, before the answer leaves. */
static int32_t say(quash_request *request)
{
	const struct said *const s = QUASH_TOOL(struct said, request);
	const int32_t outcome = quash_mcp_textf(request, "%ld steps, 100 %% \"%s\"", (long)s->n, quash_text(quash_mcp_argument(request, "name")));
	quash_release_params(request);
	return outcome;
}

static int32_t fail(quash_request *request)
{
	const struct said *const s = QUASH_TOOL(struct said, request);
	return quash_mcp_failuref(request, "no water at %.2ld m%c", (long)s->n, '!');
}

/* The second answer changes nothing of the first. */
static int32_t twice(quash_request *request)
{
	(void)quash_mcp_textf(request, "first %d", 1);
	return quash_mcp_failuref(request, "second %d", 2);
}

/* Reports with its token as long as it may, and its struct stays what it was: `end` looks. */
static int32_t fill(quash_request *request)
{
	struct said *const s = QUASH_TOOL(struct said, request);
	for (size_t i = 0; i < sizeof s->bytes; i++)
		s->bytes[i] = 'x';
	(void)quash_mcp_progress(request, ++s->calls, 0, NULL);
	if (s->calls < 3)
		return QUASH_PENDING;
	return quash_mcp_textf(request, "%s", "a text that is as long as the room for it and longer");
}

static int32_t look(quash_request *request)
{
	const struct said *const s = QUASH_TOOL(struct said, request);
	bool whole = s->calls == 3;
	for (size_t i = 0; i < sizeof s->bytes; i++)
		whole = whole && s->bytes[i] == 'x';
	program_note(request, whole ? "whole" : "spoilt");
	return QUASH_DONE;
}

/* Answers when it is cancelled, which nobody reads. */
static int32_t late(quash_request *request)
{
	quash_deadline(request, 5);
	return quash_cancelled(request) == QUASH_NOT_CANCELLED ? QUASH_PENDING : quash_mcp_textf(request, "stopped at %d", 4);
}

static const quash_mcp_tool tools[] = {
	{ .name = "say", .call = say, .args = &say_params },
	{ .name = "fail", .call = fail, .args = &count_params },
	{ .name = "twice", .call = twice, .args = &count_params },
	{ .name = "fill", .call = fill, .args = &count_params, .motion = { .end = look, .longest = QUASH_NO_LIMIT } },
	{ .name = "late", .call = late, .args = &count_params },
};

static quash_mcp_session session;
#define SERVER(size) \
	{ .name = "texts", .version = "1", .session = &session, .tools = tools, .tool_count = COUNT(tools), .modern = &quash_mcp_modern, \
	  .token_size = size }
static const quash_mcp_server server = SERVER(TOKEN), short_server = SERVER(8), no_server = SERVER(0);
static const quash_method methods[] = { QUASH_MCP_METHODS(&server) }, short_methods[] = { QUASH_MCP_METHODS(&short_server) },
	no_methods[] = { QUASH_MCP_METHODS(&no_server) };

static void forget(void)
{
	static const quash_mcp_session fresh;
	session = fresh;
}

#define CONFIG(list, size) { PROGRAM_MCP(list, QUASH_MCP_STATE(size, sizeof(struct said))) }
static const quash_config config = CONFIG(methods, TOKEN), short_config = CONFIG(short_methods, 8), no_config = CONFIG(no_methods, 0);

const struct program text_programs[] = { { "texts", &config, forget, NULL }, { "texts-short", &short_config, forget, NULL },
	{ "texts-none", &no_config, forget, NULL }, { NULL, NULL, NULL, NULL } };
