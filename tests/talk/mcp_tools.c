/* SPDX-License-Identifier: MIT
 * MCP servers with tools of all kinds: what they answer, report, and move. */
#include "programs.h"

#include "quash.h"

#include <string.h>

enum { TOKEN = 8 };

struct sum {
	int32_t a, b, sum;
};

static const quash_param add_list[] = {
	QUASH_ARG_INT(struct sum, a, -99, 99, "one"),
	QUASH_ARG_INT_OR(struct sum, b, -99, 99, 1, "other"),
};
static const quash_param sum_list[] = { QUASH_ARG_INT(struct sum, sum, -198, 198, NULL) };
static const quash_params add_params = QUASH_PARAMS(struct sum, add_list);
static const quash_params sum_params = QUASH_PARAMS(struct sum, sum_list);

static int32_t add(quash_request *request)
{
	struct sum *const s = QUASH_TOOL(struct sum, request);
	s->sum = s->a + s->b;
	return quash_mcp_struct(request);
}

/* A text that stays in the params. */
struct repeat {
	uint8_t calls;
};

static const quash_param repeat_list[] = { QUASH_ARG_STRING("text", NULL) };
static const quash_params repeat_params = QUASH_PARAMS_ONLY(repeat_list);
static const quash_params repeat_late_params = QUASH_PARAMS(struct repeat, repeat_list);

static void put_repeat(quash_writer *w, const quash_request *request)
{
	quash_put_object(w);
	quash_put_key(w, "text");
	quash_put_value(w, quash_mcp_argument(request, "text"));
}

static int32_t repeat(quash_request *request)
{
	return quash_mcp_structured(request, put_repeat);
}

static void put_text(quash_writer *w, const quash_request *request)
{
	quash_put_value(w, quash_mcp_argument(request, "text"));
}

/* Its text is still there at the third call. */
static int32_t repeat_late(quash_request *request)
{
	struct repeat *const r = QUASH_TOOL(struct repeat, request);
	return r->calls++ < 2 ? QUASH_PENDING : quash_mcp_reply(request, put_text);
}

struct work {
	int32_t steps;
	int32_t done;
};

static const quash_param work_list[] = { QUASH_ARG_INT(struct work, steps, 0, 1000, NULL) };
static const quash_params work_params = QUASH_PARAMS(struct work, work_list);

/* Only its first call finds the params, those after it what was copied. */
static int32_t work(quash_request *request)
{
	struct work *const w = QUASH_TOOL(struct work, request);
	const quash_value params = quash_params_of(request);
	const bool me = quash_is(quash_get(params, "_meta.progressToken"), "me");
	program_note(request, me ? "me" : (quash_kind_of(params) == QUASH_OBJECT) == (w->done == 0) ? "work" : "work with odd params");
	if (w->done == w->steps)
		return quash_mcp_text(request, "worked");
	w->done++;
	(void)quash_mcp_progress(request, (uint32_t)w->done, (uint32_t)w->steps, NULL);
	return QUASH_PENDING;
}

static int32_t work_end(quash_request *request)
{
	program_note(request, "end");
	return QUASH_DONE;
}

static void work_released(quash_request *request)
{
	program_note(request, "released");
}

/* Its motor needs three more steps to come to rest. */
static int32_t brake(quash_request *request)
{
	struct work *const w = QUASH_TOOL(struct work, request);
	if (w->done >= 0) {
		program_note(request, "end");
		w->done = -3;
	}
	return ++w->done < 0 ? QUASH_PENDING : QUASH_DONE;
}

/* Reports progress that goes back and forth, without total. */
static int32_t waver(quash_request *request)
{
	static const uint32_t values[] = { 0, 0, 5, 4, 5, 6, UINT32_MAX, 7 };
	for (size_t i = 0; i < COUNT(values); i++)
		program_note(NULL, quash_mcp_progress(request, values[i], 0, "so \"far\"") ? "told" : "not");
	return quash_mcp_text(request, "");
}

static int32_t broken(quash_request *request)
{
	return quash_mcp_failure(request, "no \"water\"");
}

static void put_why(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_put_string_open(w);
	quash_put_string_int(w, 7);
	quash_put_string_part(w, " valves", 7);
	quash_put_string_close(w);
}

static int32_t broken_too(quash_request *request)
{
	return quash_mcp_failure_put(request, put_why);
}

static void put_links(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_put_raw(w, "{\"type\":\"resource_link\",\"uri\":\"a:b\",\"name\":\"c\"}");
	quash_put_raw(w, "{\"type\":\"text\",\"text\":\"d\"}");
}

static int32_t links(quash_request *request)
{
	return quash_mcp_content(request, false, put_links);
}

static int32_t broken_links(quash_request *request)
{
	return quash_mcp_content(request, true, put_links);
}

static void put_list(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_put_raw(w, "[1,\"2\"]");
}

static int32_t json(quash_request *request)
{
	return quash_mcp_json(request, put_list);
}

static int32_t wrong(quash_request *request)
{
	return quash_mcp_struct(request);
}

/* The first answer stands, and so does what it reads. */
static int32_t twice(quash_request *request)
{
	(void)quash_mcp_text(request, "first");
	return quash_mcp_failure_put(request, put_why);
}

/* Tries until its progress is taken. */
static int32_t patient(quash_request *request)
{
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	return quash_mcp_progress(request, 1, 0, NULL) ? quash_mcp_text(request, "waited") : QUASH_PENDING;
}

static quash_group motor;

static const quash_mcp_tool tools[] = {
	{ .name = "add", .title = "Sum", .description = "adds", .args = &add_params, .output = &sum_params,
	  .call = add,
	  .hints = QUASH_MCP_READ_ONLY | QUASH_MCP_ADDITIVE | QUASH_MCP_IDEMPOTENT | QUASH_MCP_CLOSED_WORLD },
	{ .name = "repeat", .args = &repeat_params, .output = &repeat_params, .call = repeat },
	{ .name = "repeat_late", .args = &repeat_late_params, .call = repeat_late },
	{ .name = "work", .args = &work_params, .call = work, .motion = { .end = work_end, .longest = QUASH_NO_LIMIT }, .released = work_released },
	{ .name = "late", .args = &work_params, .call = work, .motion = { .end = work_end, .longest = 5 }, .released = work_released, .marks = QUASH_FINISHES },
	{ .name = "waver", .call = waver, .output_schema = "{\"type\":\"object\"}" },
	{ .name = "broken", .call = broken },
	{ .name = "links", .call = links },
	{ .name = "wrong", .call = wrong },
	{ .name = "broken_too", .call = broken_too },
	{ .name = "broken_links", .call = broken_links },
	{ .name = "json", .call = json },
	{ .name = "twice", .call = twice },
	{ .name = "patient", .call = patient },
};

static const quash_mcp_tool moving_tools[] = {
	{ .name = "move", .args = &work_params, .call = work,
	  .motion = { .end = brake, .longest = QUASH_NO_LIMIT, .lease = 300, .group = &motor }, .busy = "motor is busy" },
	{ .name = "home", .args = &work_params, .call = work, .motion = { .end = brake, .longest = 60000, .lease = 200, .group = &motor } },
	{ .name = "blink", .args = &work_params, .call = work },
};

static quash_mcp_session session;

static const quash_mcp_server server = {
	.name = "unit", .version = "1", .title = "Unit", .instructions = "Test.", .tools = tools,
	.modern = &quash_mcp_modern,
	.session = &session, .ttl = 1000, .tool_count = COUNT(tools), .page = 4, .token_size = TOKEN,
};
static const quash_mcp_server moving_server = { .name = "moving", .version = "3", .session = &session,
	QUASH_MCP_TOOL_LIST(moving_tools), .token_size = TOKEN, .modern = &quash_mcp_modern };
static const quash_mcp_server plain_server = {
	.name = "plain", .version = "2", .tools = tools, .modern = &quash_mcp_modern, .session = &session, .tool_count = 2,
};

static const char *const host_names[] = { "toolCallId", "sessionId", NULL };
static const quash_mcp_server closed_server = {
	.name = "closed", .version = "1", .tools = tools, .session = &session, .tool_count = 3, .ignored = host_names, .closed = &quash_mcp_closed,
};

static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };
static const quash_method closed_methods[] = { QUASH_MCP_LEGACY(&closed_server), QUASH_MCP_TOOLS(&closed_server) };
static const quash_method plain_methods[] = { QUASH_MCP_METHODS(&plain_server) };
static const quash_method moving_methods[] = { QUASH_MCP_METHODS(&moving_server) };

/* --- The longest time */

static int32_t hurry(quash_request *request)
{
	struct work *const w = QUASH_TOOL(struct work, request);
	if (w->done++ == 0)
		quash_deadline(request, 3);
	return quash_cancelled(request) != QUASH_NOT_CANCELLED ? QUASH_INTERNAL_ERROR : QUASH_PENDING;
}

static int32_t linger(quash_request *request)
{
	quash_deadline(request, 1000);
	return QUASH_PENDING;
}

static int32_t hasten(quash_request *request)
{
	struct work *const w = QUASH_TOOL(struct work, request);
	quash_deadline(request, w->done++ == 0 ? 2 : 1000);
	return QUASH_PENDING;
}

static const quash_params still_params = QUASH_NO_PARAMS(struct work);
static const char *const tolerated[] = { "mine", NULL };
static const quash_params tolerant_params = QUASH_PARAMS_IGNORING(struct work, work_list, tolerated);

static int32_t no_end(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static const quash_mcp_tool limited_tools[] = {
	{ .name = "tolerant", .args = &tolerant_params, .call = work },
	{ .name = "short", .args = &work_params, .call = work, .motion = { .end = brake, .longest = 4, .lease = 300, .group = &motor } },
	{ .name = "hurry", .args = &still_params, .call = hurry },
	{ .name = "fails", .args = &still_params, .call = hurry, .motion = { .end = no_end, .longest = 3 }, .marks = QUASH_FINISHES },
	{ .name = "endless", .args = &still_params, .call = hurry, .motion = { .end = no_end, .longest = QUASH_NO_LIMIT }, .marks = QUASH_FINISHES },
	{ .name = "lingers", .args = &work_params, .call = linger, .motion = { .end = brake, .longest = 4, .lease = 300, .group = &motor } },
	{ .name = "hastens", .args = &work_params, .call = hasten, .motion = { .end = brake, .longest = 9, .lease = 300, .group = &motor } },
};
static const quash_mcp_server limited_server = { .name = "limited", .version = "4", .session = &session,
	QUASH_MCP_TOOL_LIST(limited_tools), .token_size = TOKEN, .modern = &quash_mcp_modern };
static const quash_method limited_methods[] = { QUASH_MCP_METHODS(&limited_server) };
/* The struct and the token fill the state: neither has a byte of the other's. */
enum { FULL_TOKEN = 7 };
struct full {
	int32_t steps;
	char bytes[16 - (sizeof(quash_mcp_slot) + sizeof(int32_t) + FULL_TOKEN + 1) % 8];
};

static int32_t fill(quash_request *request)
{
	struct full *const f = QUASH_TOOL(struct full, request);
	for (size_t i = 0; i < sizeof f->bytes; i++) {
		if (f->bytes[i] != 0)
			return QUASH_INTERNAL_ERROR;
		f->bytes[i] = 'x';
	}
	(void)quash_mcp_progress(request, 1, 0, NULL);
	return quash_mcp_text(request, "full");
}

static const quash_param full_list[] = { QUASH_ARG_INT(struct full, steps, 1, 9, NULL) };
static const quash_params full_params = QUASH_PARAMS(struct full, full_list);
static const quash_mcp_tool full_tools[] = { { .name = "fill", .call = fill, .args = &full_params } };
static const quash_mcp_server full_server = { .name = "full", .version = "1", .session = &session,
	QUASH_MCP_TOOL_LIST(full_tools), .token_size = FULL_TOKEN, .modern = &quash_mcp_modern };
static const quash_method full_methods[] = { QUASH_MCP_METHODS(&full_server) };

/* A method that stands beside the tools may have a shorter lease. */
static const quash_method beside[] = {
	QUASH_MCP_METHODS(&moving_server), { .name = "x/turn", .handler = quash_mcp_ping_, .motion = { .end = brake, .longest = 9000, .lease = 150 }, .marks = QUASH_FINISHES }
};

/* The method of the tools has a time of its own. */
static const quash_method briefly[] = { QUASH_MCP_LEGACY(&limited_server), QUASH_MCP_MODERN(&limited_server),
	{ .name = "tools/call", .handler = quash_mcp_tools_call_, .motion = { .end = quash_mcp_tools_end_, .longest = 2 },
	  .released = quash_mcp_tools_released_, .data = &limited_server, .state_size = sizeof(quash_mcp_slot),
	  .marks = QUASH_LISTED | QUASH_FINISHES } };

/* A tool that wants to be called when it is cancelled. */
static const quash_mcp_tool turning_tools[] = { { .name = "turn", .call = broken, .motion = { .end = work_end, .longest = QUASH_NO_LIMIT, .lease = 300 }, .marks = QUASH_FINISHES } };
static const quash_mcp_server turning_server = { .name = "turning", .version = "3", .session = &session,
	QUASH_MCP_TOOL_LIST(turning_tools), .token_size = TOKEN, .modern = &quash_mcp_modern };
static const quash_method turning_methods[] = { QUASH_MCP_METHODS(&turning_server) };

/* --- As programs */

static void forget(void)
{
	static const quash_mcp_session fresh;
	static const quash_group nobodys;
	session = fresh;
	motor = nobodys;
}

#define CONFIG(list, size) { PROGRAM_MCP(list, size) }
#define STATE QUASH_MCP_STATE(TOKEN, sizeof(struct sum))

static const quash_config config = CONFIG(methods, STATE), plain = CONFIG(plain_methods, STATE), closed = CONFIG(closed_methods, STATE),
	moving = CONFIG(moving_methods, STATE), limited = CONFIG(limited_methods, STATE), beside_config = CONFIG(beside, STATE),
	briefly_config = CONFIG(briefly, STATE), turning = CONFIG(turning_methods, STATE),
	full = CONFIG(full_methods, QUASH_MCP_STATE(FULL_TOKEN, sizeof(struct full)));

const struct program mcp_programs[] = { { "tools", &config, forget, NULL }, { "tools-plain", &plain, forget, NULL },
	{ "tools-closed", &closed, forget, NULL }, { "motions", &moving, forget, NULL }, { "motions-limited", &limited, forget, NULL },
	{ "motions-beside", &beside_config, forget, NULL }, { "motions-briefly", &briefly_config, forget, NULL },
	{ "motions-turning", &turning, forget, NULL }, { "tools-full", &full, forget, NULL }, { NULL, NULL, NULL, NULL } };
