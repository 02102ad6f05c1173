/* SPDX-License-Identifier: MIT
 * quash-bridge [--protocol mcp|acp] [--request NAME] [--notification NAME] [--trace] -- COMMAND [ARG...]
 *
 * Stands between a client on stdin and stdout and a server that it starts, and hands everything on: requests both
 * ways, their progress, notifications, and cancels with the ids of each hop. What a tool bridge is made of.
 * --trace: each event of both peers in a line on stderr, with its reason. */
#define _POSIX_C_SOURCE 200809L
#include "events.h"
#include "main.h"
#include "posix/posix_child.h"
#include "stop.h"

#include "quash/forward.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

enum {
	MOST_METHODS = 64,
	SLOTS = 64,
	ID_SIZE = 255,
	TOKEN_SIZE = 255,
	ARENA = 1 << 22,
	TX = 1 << 16,
	EXIT_SERVER_GONE = 1,
	EXIT_BAD_OPTION = 2,
	MS_AFTER_END = 1000,   /* for what is live when the client has finished transmitting */
	QUIET_TURNS = 3,       /* in which both sides are at rest: cancels have passed */
	MS_AFTER_CANCEL = 2000 /* for cancels to pass, and for what is live to let go */
};

struct side {
	const char *name;
	quash_peer peer;
	quash_config config;
	quash_port port;
	struct posix_stdio *stdio;
	quash_method methods[MOST_METHODS];
	quash_request slots[SLOTS];
	uint8_t ids[(SLOTS + 1) * ID_SIZE];
	uint64_t states[SLOTS][QUASH_FORWARD_STATE(TOKEN_SIZE) / 8 + 1];
	uint8_t tags[(SLOTS + 1) * ID_SIZE];
	uint8_t arena[ARENA];
	uint8_t tx[TX];
};

static struct side front, back;
static struct posix_stdio terminal;
static struct posix_child child;

static const quash_route to_back = { &back.peer, NULL, &quash_mcp_progress_form, TOKEN_SIZE, NULL };
static const quash_route to_front = { &front.peer, NULL, &quash_mcp_progress_form, TOKEN_SIZE, NULL };

/* --- What is handed on */

struct protocol {
	const char *name;
	const quash_dialect *dialect;
	/* Each list ends with NULL: what comes from the client, then what comes from the server. */
	const char *const *requests, *const *notifications, *const *asked, *const *reported;
};

static const char *const mcp_requests[] = { "initialize", "ping", "server/discover", "tools/list", "tools/call",
	"resources/list", "resources/templates/list", "resources/read", "resources/subscribe",
	"resources/unsubscribe", "prompts/list", "prompts/get", "logging/setLevel", "completion/complete", NULL };
static const char *const mcp_notifications[] = { "notifications/initialized", "notifications/roots/list_changed",
	NULL };
static const char *const mcp_asked[] = { "ping", "sampling/createMessage", "elicitation/create", "roots/list", NULL };
static const char *const mcp_reported[] = { "notifications/message", "notifications/resources/updated",
	"notifications/resources/list_changed", "notifications/tools/list_changed",
	"notifications/prompts/list_changed", NULL };

static const char *const acp_requests[] = { "initialize", "authenticate", "session/new", "session/load",
	"session/list", "session/resume", "session/close", "session/prompt", "session/set_mode",
	"session/set_model", "session/set_config_option", NULL };
static const char *const acp_notifications[] = { "session/cancel", NULL };
static const char *const acp_asked[] = { "session/request_permission", "fs/read_text_file", "fs/write_text_file",
	"terminal/create", "terminal/output", "terminal/wait_for_exit", "terminal/kill", "terminal/release", NULL };
static const char *const acp_reported[] = { "session/update", NULL };

static const struct protocol protocols[] = {
	{ "mcp", &quash_mcp, mcp_requests, mcp_notifications, mcp_asked, mcp_reported },
	{ "acp", &quash_acp, acp_requests, acp_notifications, acp_asked, acp_reported },
};

static void add(struct side *side, const quash_method *method)
{
	if (side->config.method_count < MOST_METHODS)
		side->methods[side->config.method_count++] = *method;
}

/* A cancelled prompt is answered with what comes from behind. A client that greets again is a new one. */
static void add_request(struct side *side, const char *name, const quash_route *route)
{
	const bool prompt = strcmp(name, "session/prompt") == 0, greeting = strcmp(name, "initialize") == 0;
	const quash_method method = { .name = name,
		.handler = quash_forward,
		.cancelled = prompt ? "{\"stopReason\":\"cancelled\"}" : NULL,
		.data = route,
		.state_size = QUASH_FORWARD_STATE(TOKEN_SIZE),
		.marks = prompt ? QUASH_PARTIAL : greeting ? QUASH_SESSION : QUASH_REQUEST };
	add(side, &method);
}

static void add_notification(struct side *side, const char *name, quash_handler *handler, const quash_route *route)
{
	const quash_method method = {
		.name = name, .handler = handler, .data = route, .marks = QUASH_NOTIFICATION };
	add(side, &method);
}

static void add_all(struct side *side, const char *const *requests, const char *const *notifications, const quash_route *route)
{
	for (; *requests != NULL; requests++)
		add_request(side, *requests, route);
	for (; *notifications != NULL; notifications++)
		add_notification(side, *notifications, quash_relay, route);
	add_notification(side, route->progress->method, quash_forward_progress, route);
}

/* --- Both sides */

struct options {
	const struct protocol *protocol;
	bool trace;
};

static void trace(quash_peer *peer, quash_event event, const quash_request *request, int32_t detail, quash_why why)
{
	const struct side *const side = quash_context(peer);
	char line[EVENT_LINE];
	event_line(line, event, request, detail, why);
	fprintf(stderr, "quash-bridge: %s: %s\n", side->name, line);
}

static void prepare(struct side *side, const char *name, const struct options *options)
{
	side->name = name;
	side->config.dialect = options->protocol->dialect;
	side->config.trace = options->trace ? trace : NULL;
	side->config.context = side;
	side->config.methods = side->methods;
	side->config.slots = side->slots;
	side->config.slot_count = SLOTS;
	side->config.ids = side->ids;
	side->config.id_size = ID_SIZE;
	side->config.states = side->states;
	side->config.state_size = sizeof side->states[0];
	side->config.tags = side->tags;
	side->config.tag_size = ID_SIZE - 1;
	side->config.arena = side->arena;
	side->config.arena_size = ARENA;
	side->config.tx = side->tx;
	side->config.tx_size = TX;
}

static void pump(struct side *side)
{
	quash_pump(&side->peer, &side->port);
}

static bool over(const struct side *side)
{
	return side->stdio->ended || side->stdio->gone;
}

static bool all_at_rest(void)
{
	return quash_is_at_rest(&front.peer) && quash_is_at_rest(&back.peer);
}

/* While requests are live, or one side has finished transmitting, a turn takes about a millisecond. */
static uint32_t longest_sleep(void)
{
	const bool idle = all_at_rest() && !over(&front) && !over(&back) && stop_signal() == 0;
	const uint32_t most = idle ? UINT32_MAX : 1;
	const uint32_t front_ms = quash_idle_ms(&front.peer), back_ms = quash_idle_ms(&back.peer);
	const uint32_t ms = front_ms < back_ms ? front_ms : back_ms;
	return ms == 0 || ms > most ? most : ms;
}

/* What to poll for; false: there is something to do now. From a side that is gone nothing is to be had. */
static bool watch(struct side *side, struct pollfd fds[2])
{
	const bool sleeps = posix_stdio_watch(side->stdio, &side->peer, fds);
	if (side->stdio->gone)
		fds[0].fd = fds[1].fd = -1;
	return sleeps || side->stdio->gone;
}

static void seen(struct side *side, const struct pollfd fds[2])
{
	if (!side->stdio->gone)
		posix_stdio_seen(side->stdio, fds);
}

/* One round: receives from both sides, steps, transmits, and sleeps until there is something to do again. */
static void turn(void)
{
	struct pollfd fds[5];
	pump(&front);
	pump(&back);
	quash_step(&front.peer);
	quash_step(&back.peer);
	const bool front_sleeps = watch(&front, &fds[0]);
	const bool back_sleeps = watch(&back, &fds[2]);
	if (!front_sleeps || !back_sleeps)
		return;
	fds[4] = stop_poll();
	posix_stdio_poll(fds, 5, longest_sleep());
	seen(&front, &fds[0]);
	seen(&back, &fds[2]);
}

/* It cannot wait for answers: a signal has come, or nobody is there to read them. */
static bool must_stop(void)
{
	return stop_signal() != 0 || front.stdio->gone;
}

static uint32_t now(void)
{
	return front.port.now(front.port.device);
}

/* What is live when one side has finished transmitting is answered, or cancelled in the end. */
static void wait_for_answers(void)
{
	const uint32_t start = now();
	while (now() - start < MS_AFTER_END && !must_stop() && !all_at_rest()) {
		if (over(&back) && back.stdio->gone)
			quash_gone(&back.peer);
		turn();
	}
}

/* The cancels of what is live pass to the server before it loses us. Those of a client that is gone are flagged by the pump. */
static void let_go(void)
{
	const uint32_t start = now();
	int quiet_turns = 0;
	while (quiet_turns < QUIET_TURNS && now() - start < MS_AFTER_CANCEL) {
		quash_cancel_all(&front.peer);
		if (stop_signal() != 0)
			quash_cancel_all(&back.peer);
		turn();
		quiet_turns = all_at_rest() ? quiet_turns + 1 : 0;
	}
}

static int serve(const char *command)
{
	while (stop_signal() == 0 && !over(&front) && !over(&back))
		turn();
	const bool lost = stop_signal() == 0 && !over(&front);
	wait_for_answers();
	let_go();
	posix_child_end(&child, POSIX_CHILD_PATIENCE);
	posix_stdio_close(&terminal);
	if (stop_signal() != 0)
		return stop_exit_code();
	if (!lost)
		return 0;
	char fate[64];
	posix_child_fate(&child, fate, sizeof fate);
	fprintf(stderr, "quash-bridge: %s %s\n", command, fate);
	return EXIT_SERVER_GONE;
}

/* --- Options */

static const struct protocol *find_protocol(const char *name)
{
	for (size_t i = 0; i < sizeof protocols / sizeof protocols[0]; i++) {
		if (strcmp(protocols[i].name, name) == 0)
			return &protocols[i];
	}
	return NULL;
}

/* Takes an option that has an argument. */
static bool parse_option(const char *name, const char *argument, struct options *options)
{
	if (strcmp(name, "--protocol") == 0)
		options->protocol = find_protocol(argument);
	else if (strcmp(name, "--request") == 0)
		add_request(&front, argument, &to_back);
	else if (strcmp(name, "--notification") == 0)
		add_notification(&front, argument, quash_relay, &to_back);
	else
		return false;
	return options->protocol != NULL;
}

/* The index of the command, or minus that of the first bad argument. */
static int parse_options(int argc, char **argv, struct options *options)
{
	int i = 1;
	while (i < argc && strcmp(argv[i], "--") != 0) {
		const bool alone = strcmp(argv[i], "--trace") == 0;
		options->trace = options->trace || alone;
		if (!alone && (i + 1 == argc || !parse_option(argv[i], argv[i + 1], options)))
			return -i;
		i += alone ? 1 : 2;
	}
	return i + 1;
}

static bool open_peers(const struct options *options)
{
	const struct protocol *const protocol = options->protocol;
	quash_fault fault;
	prepare(&front, "client", options);
	prepare(&back, "server", options);
	add_all(&front, protocol->requests, protocol->notifications, &to_back);
	add_all(&back, protocol->asked, protocol->reported, &to_front);
	if (quash_init(&front.peer, &front.config, &fault) && quash_init(&back.peer, &back.config, &fault))
		return true;
	host_bad_config("quash-bridge", &fault);
	return false;
}

static void join(void)
{
	posix_stdio_open(&terminal, 0, 1);
	front.stdio = &terminal;
	front.port = posix_stdio_port(&terminal);
	back.stdio = &child.stdio;
	back.port = posix_stdio_port(&child.stdio);
}

int main(int argc, char **argv)
{
	struct options options = { .protocol = &protocols[0] };
	const int at = parse_options(argc, argv, &options);
	if (at < 0)
		return host_bad_option("quash-bridge", "bad option", argv[-at]);
	if (at >= argc)
		return host_bad_option("quash-bridge", "no command",
			"quash-bridge [--protocol mcp|acp] [--request NAME] [--notification NAME] [--trace] -- COMMAND [ARG...]");
	if (!open_peers(&options))
		return EXIT_BAD_OPTION;
	stop_catch();
	const int error = posix_child_start(&child, &argv[at]);
	if (error != 0)
		return host_bad_option("quash-bridge", argv[at], strerror(error));
	join();
	return serve(argv[at]);
}
