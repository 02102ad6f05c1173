/* SPDX-License-Identifier: MIT
 * bridge [--protocol mcp|acp] [--request NAME] [--notification NAME] -- COMMAND [ARG...]
 *
 * Stands between a client on stdin and stdout and a server that it starts, and hands everything on: requests both
 * ways, their progress, notifications, and cancels with the ids of each hop. What a tool bridge is made of. */
#define _POSIX_C_SOURCE 200809L
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
	MS_AFTER_END = 1000,   /* for what is live when the client has finished speaking */
	QUIET_TURNS = 3,       /* without anything to say, until nothing is live on either side */
	MS_AFTER_CANCEL = 2000 /* for cancels to pass, and for what is live to let go */
};

struct side {
	quash_peer peer;
	quash_config config;
	quash_port port;
	struct posix_stdio *stdio;
	quash_method methods[MOST_METHODS];
	quash_request slots[SLOTS];
	uint8_t ids[SLOTS * ID_SIZE];
	uint64_t states[SLOTS][QUASH_FORWARD_STATE(TOKEN_SIZE) / 8 + 1];
	uint8_t tags[SLOTS * ID_SIZE];
	uint8_t arena[ARENA];
	uint8_t tx[TX];
};

static struct side front, back;
static struct posix_stdio terminal;
static struct posix_child child;

static const quash_route to_back = { &back.peer, NULL, &quash_mcp_progress_form, TOKEN_SIZE };
static const quash_route to_front = { &front.peer, NULL, &quash_mcp_progress_form, TOKEN_SIZE };

/* --- What is handed on */

struct protocol {
	const char *name;
	const quash_dialect *dialect;
	/* Each list ends with NULL: what the client says, then what the server says. */
	const char *const *requests, *const *notifications, *const *asked, *const *told;
};

static const char *const mcp_requests[] = { "initialize", "ping", "server/discover", "tools/list", "tools/call",
	"resources/list", "resources/templates/list", "resources/read", "resources/subscribe",
	"resources/unsubscribe", "prompts/list", "prompts/get", "logging/setLevel", "completion/complete", NULL };
static const char *const mcp_notifications[] = { "notifications/initialized", "notifications/roots/list_changed",
	NULL };
static const char *const mcp_asked[] = { "ping", "sampling/createMessage", "elicitation/create", "roots/list", NULL };
static const char *const mcp_told[] = { "notifications/message", "notifications/resources/updated",
	"notifications/resources/list_changed", "notifications/tools/list_changed",
	"notifications/prompts/list_changed", NULL };

static const char *const acp_requests[] = { "initialize", "authenticate", "session/new", "session/load",
	"session/list", "session/resume", "session/close", "session/prompt", "session/set_mode",
	"session/set_model", "session/set_config_option", NULL };
static const char *const acp_notifications[] = { "session/cancel", NULL };
static const char *const acp_asked[] = { "session/request_permission", "fs/read_text_file", "fs/write_text_file",
	"terminal/create", "terminal/output", "terminal/wait_for_exit", "terminal/kill", "terminal/release", NULL };
static const char *const acp_told[] = { "session/update", NULL };

static const struct protocol protocols[] = {
	{ "mcp", &quash_mcp, mcp_requests, mcp_notifications, mcp_asked, mcp_told },
	{ "acp", &quash_acp, acp_requests, acp_notifications, acp_asked, acp_told },
};

static void add(struct side *side, const char *name, quash_handler *handler, const quash_route *route, uint8_t marks)
{
	if (side->config.method_count >= MOST_METHODS)
		return;
	side->methods[side->config.method_count++] = (quash_method){
		.name = name, .handler = handler, .data = route, .marks = marks };
}

static void add_request(struct side *side, const char *name, const quash_route *route)
{
	const bool prompt = strcmp(name, "session/prompt") == 0;
	add(side, name, quash_forward, route, prompt ? QUASH_LONG | QUASH_PARTIAL : QUASH_LONG);
	if (prompt)
		side->methods[side->config.method_count - 1].cancelled = "{\"stopReason\":\"cancelled\"}";
}

static void add_notification(struct side *side, const char *name, const quash_route *route)
{
	add(side, name, quash_relay, route, QUASH_NOTIFICATION);
}

static void add_all(struct side *side, const char *const *requests, const char *const *notifications, const quash_route *route)
{
	for (; *requests != NULL; requests++)
		add_request(side, *requests, route);
	for (; *notifications != NULL; notifications++)
		add_notification(side, *notifications, route);
	add(side, route->progress->method, quash_forward_progress, route, QUASH_NOTIFICATION);
}

/* --- Both sides */

static void prepare(struct side *side, const struct protocol *protocol)
{
	side->config.dialect = protocol->dialect;
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

static bool quiet(struct side *side)
{
	size_t waiting;
	quash_out(&side->peer, &waiting);
	return waiting == 0 && quash_live_count(&side->peer) == 0;
}

static bool over(const struct side *side)
{
	return side->stdio->ended || side->stdio->gone;
}

/* While requests are live, or one side has finished speaking, a turn takes about a millisecond. */
static uint32_t longest_sleep(void)
{
	const bool idle = quiet(&front) && quiet(&back) && !over(&front) && !over(&back) && stop_signal() == 0;
	const uint32_t most = idle ? UINT32_MAX : 1;
	const uint32_t front_ms = quash_idle_ms(&front.peer), back_ms = quash_idle_ms(&back.peer);
	const uint32_t ms = front_ms < back_ms ? front_ms : back_ms;
	return ms == 0 || ms > most ? most : ms;
}

/* Says what to poll for; false: there is something to do now. From a side that is gone nothing is to be had. */
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

/* One round: hears both sides, does, says, and sleeps until there is something to do again. */
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

/* It cannot wait for answers: a signal has come, or nobody is there to hear them. */
static bool must_stop(void)
{
	return stop_signal() != 0 || front.stdio->gone;
}

static bool all_done(void)
{
	return quiet(&front) && quiet(&back);
}

static uint32_t now(void)
{
	return front.port.now(front.port.device);
}

/* What is live when one side has finished speaking is answered, or cancelled in the end. */
static void wait_for_answers(void)
{
	const uint32_t start = now();
	while (now() - start < MS_AFTER_END && !must_stop() && !all_done()) {
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
		quiet_turns = all_done() ? quiet_turns + 1 : 0;
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
	fprintf(stderr, "bridge: %s %s\n", command, fate);
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

/* The index of the command, or minus that of the first bad argument. */
static int parse_options(int argc, char **argv, const struct protocol **protocol)
{
	int i = 1;
	for (; i < argc && strcmp(argv[i], "--") != 0; i += 2) {
		if (i + 1 == argc)
			return -i;
		if (strcmp(argv[i], "--protocol") == 0)
			*protocol = find_protocol(argv[i + 1]);
		else if (strcmp(argv[i], "--request") == 0)
			add_request(&front, argv[i + 1], &to_back);
		else if (strcmp(argv[i], "--notification") == 0)
			add_notification(&front, argv[i + 1], &to_back);
		else
			return -i;
		if (*protocol == NULL)
			return -(i + 1);
	}
	return i + 1;
}

int main(int argc, char **argv)
{
	const struct protocol *protocol = &protocols[0];
	const int at = parse_options(argc, argv, &protocol);
	if (at < 0)
		return host_bad_option("bridge", "bad option", argv[-at]);
	if (at >= argc)
		return host_bad_option("bridge", "no command",
			"bridge [--protocol mcp|acp] [--request NAME] [--notification NAME] -- COMMAND [ARG...]");
	prepare(&front, protocol);
	prepare(&back, protocol);
	add_all(&front, protocol->requests, protocol->notifications, &to_back);
	add_all(&back, protocol->asked, protocol->told, &to_front);
	const char *wrong = quash_init(&front.peer, &front.config);
	if (wrong == NULL)
		wrong = quash_init(&back.peer, &back.config);
	if (wrong != NULL)
		return host_bad_option("bridge", "bad config", wrong);
	stop_catch();
	const int error = posix_child_start(&child, &argv[at]);
	if (error != 0)
		return host_bad_option("bridge", argv[at], strerror(error));
	posix_stdio_open(&terminal, 0, 1);
	front.stdio = &terminal;
	front.port = posix_stdio_port(&terminal);
	back.stdio = &child.stdio;
	back.port = posix_stdio_port(&child.stdio);
	return serve(argv[at]);
}
