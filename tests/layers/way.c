/* SPDX-License-Identifier: MIT
 * way mcp|acp|own: one request, its cancel and its end, function by function. way call: a tool of MCP, and its answer.
 *
 * The library is compiled with -finstrument-functions, this file is not. Each function that is entered is a line: the stage, and how
 * far the function's code is from that of `main`, in hexadecimal. The request's handler polls its flag. */
#include <stdio.h>
#include <string.h>

#include "quash.h"

/* The stages: what a program does before; from the request's first byte; from the cancel's first byte; from the flag to the end. */
enum stage { BEFORE, REQUEST, CANCEL, FLAG };

int main(int argc, char **argv);
void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);

static enum stage stage;
static bool looking;
static const quash_request *polled; /* what the handler polls */
static const char *in;              /* what the port has received and not shown */
static bool answered;

/* True once the flag is set. What the look itself enters is not printed. */
static bool is_flag_set(void)
{
	looking = true;
	const bool set = polled != NULL && quash_cancelled(polled) != QUASH_NOT_CANCELLED;
	looking = false;
	return set;
}

static void follow(void)
{
	if (stage == CANCEL && is_flag_set())
		stage = FLAG;
}

void __cyg_profile_func_enter(void *function, void *site)
{
	(void)site;
	if (looking || stage == BEFORE)
		return;
	follow();
	printf("%d %lx\n", stage, (unsigned long)((uintptr_t)function - (uintptr_t)main));
}

void __cyg_profile_func_exit(void *function, void *site)
{
	(void)function;
	(void)site;
	if (!looking)
		follow();
}

/* --- The port */

static int peek(void *device, const uint8_t **bytes)
{
	(void)device;
	*bytes = (const uint8_t *)in;
	return (int)strlen(in);
}

static void take(void *device, size_t n)
{
	(void)device;
	in += n;
}

/* The answer's last byte is the end of the way. */
static void see(const uint8_t *bytes, size_t n)
{
	if ((stage == FLAG || stage == REQUEST) && memchr(bytes, '\n', n) != NULL) {
		stage = BEFORE;
		answered = true;
	}
}

static int write_bytes(void *device, const uint8_t *bytes, size_t n)
{
	(void)device;
	see(bytes, n);
	return (int)n;
}

static uint32_t now(void *device)
{
	(void)device;
	return 0;
}

static const quash_port port = { peek, take, write_bytes, now, NULL };

/* --- The programs */

static int32_t poll_flag(quash_request *request)
{
	polled = request;
	return quash_cancelled(request) != QUASH_NOT_CANCELLED ? QUASH_CANCELLED : QUASH_PENDING;
}

/* --- A tool that moves something, has one argument and answers */

struct turn {
	int32_t ms;
};

static const quash_param turn_list[] = { QUASH_ARG_INT(struct turn, ms, 1, 60000, "how long, in milliseconds") };
static const quash_params turn_params = QUASH_PARAMS(struct turn, turn_list);

static int32_t turn(quash_request *request)
{
	return QUASH_TOOL(struct turn, request)->ms > 0 ? quash_mcp_text(request, "turned") : QUASH_INTERNAL_ERROR;
}

static quash_mcp_session mcp_session;
static const quash_mcp_tool tools[] = {
	{ .name = "wait", .call = poll_flag },
	{ .name = "turn", .args = &turn_params, .call = turn },
};
static const quash_mcp_server server = { .name = "way", .version = "1", .session = &mcp_session, QUASH_MCP_TOOL_LIST(tools),
	.token_size = 16, .modern = &quash_mcp_modern };
static const quash_method mcp_methods[] = { QUASH_MCP_METHODS(&server) };
QUASH_STORAGE(mcp_store, 4, 24, QUASH_MCP_STATE(16, sizeof(struct turn)), 512, 512);
static const quash_config mcp_config = { QUASH_MCP_CONFIG(mcp_store, mcp_methods) };

static quash_acp_connection connection;
static quash_acp_session acp_sessions[1];
static const quash_acp_agent agent = { .name = "way", .version = "1", .connection = &connection, .sessions = acp_sessions,
	.session_count = 1, .prompt = poll_flag };
static const quash_method acp_methods[] = { QUASH_ACP_METHODS(&agent) };
static uint8_t tags[QUASH_ACP_TAGS(4)];
QUASH_STORAGE(acp_store, 4, 24, QUASH_ACP_STATE(0), 512, 512);
static const quash_config acp_config = { QUASH_STORED(acp_store), .dialect = &quash_acp, .methods = acp_methods,
	.method_count = sizeof acp_methods / sizeof acp_methods[0], .tags = tags, .tag_size = QUASH_ACP_TAG_SIZE,
	.check = quash_acp_check, .new_session = quash_acp_new_session };

/* A method of the program's own. */
static const quash_method own_methods[] = { { .name = "wait", .handler = poll_flag } };
QUASH_STORAGE(own_store, 4, 24, 0, 512, 512);
static const quash_config own_config = { QUASH_CONFIG(own_store, &quash_acp, own_methods) };

#define MESSAGE(members) "{\"jsonrpc\":\"2.0\"," members "}\n"

#define INITIALIZED \
	MESSAGE("\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\"}") \
	MESSAGE("\"method\":\"notifications/initialized\"")

static const struct talk {
	const char *name;
	const quash_config *config;
	const char *before, *request, *cancel;
	bool pumped; /* by a port, else by hand */
	bool silent; /* the protocol wants no answer */
	bool plain;  /* nothing is cancelled */
} talks[] = {
	{ "mcp", &mcp_config, INITIALIZED,
		MESSAGE("\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"wait\"}"),
		MESSAGE("\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}"), true, true, false },
	{ "call", &mcp_config, INITIALIZED,
		MESSAGE("\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"turn\",\"arguments\":{\"ms\":500}}"),
		"", true, false, true },
	{ "acp", &acp_config,
		MESSAGE("\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":1}")
			MESSAGE("\"id\":1,\"method\":\"session/new\",\"params\":{\"cwd\":\"/\",\"mcpServers\":[]}"),
		MESSAGE("\"id\":2,\"method\":\"session/prompt\",\"params\":{\"sessionId\":\"s1\",\"prompt\":[]}"),
		MESSAGE("\"method\":\"session/cancel\",\"params\":{\"sessionId\":\"s1\"}"), true, false, false },
	{ "own", &own_config, "", MESSAGE("\"id\":1,\"method\":\"wait\""),
		MESSAGE("\"method\":\"$/cancel_request\",\"params\":{\"requestId\":1}"), false, false, false },
};

static void by_hand(quash_peer *peer)
{
	const size_t taken = quash_feed(peer, (const uint8_t *)in, strlen(in));
	size_t n;
	const uint8_t *const bytes = quash_out(peer, &n);
	in += taken;
	see(bytes, n);
	if (n > 0)
		quash_sent(peer, n);
}

static void move(quash_peer *peer, const struct talk *talk)
{
	if (talk->pumped)
		quash_pump(peer, &port);
	else
		by_hand(peer);
}

/* A program's loop, until nothing moves. */
static void run(quash_peer *peer, const struct talk *talk, const char *text)
{
	in = text;
	for (int i = 0; i < 10; i++) {
		move(peer, talk);
		(void)quash_step(peer);
	}
}

static bool walk(const struct talk *talk)
{
	static quash_peer peer;
	if (!quash_init(&peer, talk->config, NULL))
		return false;
	run(&peer, talk, talk->before);
	in = talk->request;
	stage = REQUEST;
	move(&peer, talk);
	(void)quash_step(&peer);
	if (!talk->plain) {
		in = talk->cancel;
		stage = CANCEL;
	}
	move(&peer, talk);
	(void)quash_step(&peer);
	move(&peer, talk);
	const bool flagged = stage == FLAG || answered;
	stage = BEFORE;
	run(&peer, talk, "");
	return flagged && answered != talk->silent && quash_live_count(&peer) == 0;
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof talks / sizeof talks[0]; i++) {
		if (strcmp(argv[1], talks[i].name) == 0)
			return walk(&talks[i]) ? 0 : 1;
	}
	return 2;
}
