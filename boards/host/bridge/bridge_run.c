/* SPDX-License-Identifier: MIT */
#include "bridge_run.h"

#include "bridge.h"
#include "bridge_alive.h"
#include "bridge_alone.h"
#include "bridge_client.h"
#include "bridge_forward.h"
#include "bridge_http.h"
#include "bridge_http_mcp.h"
#include "bridge_log.h"
#include "bridge_server.h"
#include "bridge_stranger.h"
#include "posix/posix_serve.h"

#include <string.h>

struct bridge bridge;

bool bridge_keeps_lists(void)
{
	return bridge.options.many_servers || bridge.options.listens_http;
}

/* --- Its start */

static int open_record(void)
{
	const int error = bridge.options.record != NULL ?
		record_open(bridge.options.record, bridge.options.protocol->name, bridge_clock) : 0;
	if (error != 0)
		log_line(LOG_ERROR, "%s: %s", bridge.options.record, strerror(error));
	return error != 0 ? EXIT_OPTIONS : 0;
}

int bridge_open(void)
{
	bridge.now = bridge_clock();
	bridge.exit = -1;
	int code = open_record();
	bridge.listens = bridge.options.listen_unix != NULL || bridge.options.listens_tcp || bridge.options.listens_http;
	bridge.hello_known = bridge.listens && bridge.options.protocol == &protocol_mcp;
	for (unsigned i = 0; code == 0 && i < bridge.options.server_count; i++)
		code = server_open(&bridge, i) ? 0 : EXIT_OPTIONS;
	if (code == 0)
		code = bridge.listens ? client_listen() : client_open_terminal() != NULL ? 0 : EXIT_OPTIONS;
	if (code == 0 && bridge.options.listens_http)
		code = http_listen(&http_mcp);
	return code;
}

/* --- A turn */

enum { DOORS = 0, STRANGERS = DOORS + 3, PAIRS = STRANGERS + MOST_STRANGERS,
	FDS = PAIRS + 2 * (MOST_SERVERS + MOST_CLIENTS) + 1 + MOST_CONNECTIONS };

struct poller {
	struct pollfd fds[FDS];
	size_t count; /* of those that may have a descriptor */
	bool sleeps;
	uint32_t ms;
};

static uint32_t less(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Those that have turns. */
static unsigned servers(void)
{
	return bridge.hung_up ? 0 : bridge.server_count;
}

/* Pairs of servers come first, then those of clients, then what HTTP has. */
static void watch_all(struct poller *p)
{
	struct pollfd *at = &p->fds[PAIRS];
	p->count = PAIRS + 2 * (servers() + bridge.client_places) + http_places();
	for (size_t i = 0; i < p->count; i++)
		p->fds[i] = (struct pollfd){ .fd = -1 };
	for (unsigned i = 0; i < servers(); i++, at += 2) {
		p->sleeps = wire_watch(&bridge.servers[i]->wire, at) && p->sleeps;
		p->ms = less(p->ms, less(server_rest(bridge.servers[i]), alive_left(bridge.servers[i])));
	}
	for (unsigned i = 0; i < bridge.client_places; i++, at += 2) {
		if (bridge.clients[i] != NULL)
			p->sleeps = client_watch(bridge.clients[i], at, &p->ms) && p->sleeps;
	}
	p->sleeps = http_watch(at) && p->sleeps;
	p->ms = less(p->ms, http_rest());
	client_watch_doors(&p->fds[DOORS]);
	p->fds[DOORS + 2] = posix_signals_poll();
	strangers_watch(&p->fds[STRANGERS]);
	p->ms = less(p->ms, strangers_rest());
}

static void see_all(struct poller *p)
{
	const struct pollfd *at = &p->fds[PAIRS];
	for (unsigned i = 0; i < servers(); i++, at += 2)
		wire_seen(&bridge.servers[i]->wire, at);
	for (unsigned i = 0; i < bridge.client_places; i++, at += 2) {
		if (bridge.clients[i] != NULL)
			wire_seen(&bridge.clients[i]->wire, at);
	}
	strangers_seen(&p->fds[STRANGERS]);
	http_seen(at);
}

/* Some places have no descriptor. */
static void poll_used(struct poller *p, uint32_t ms)
{
	struct pollfd used[FDS];
	size_t places[FDS], n = 0;
	for (size_t i = 0; i < p->count; i++) {
		if (p->fds[i].fd < 0)
			continue;
		used[n] = p->fds[i];
		places[n++] = i;
	}
	posix_stdio_poll(used, n, ms);
	for (size_t i = 0; i < n; i++)
		p->fds[places[i]].revents = used[i].revents;
}

static void sleep_a_while(unsigned most)
{
	struct poller p;
	p.sleeps = true;
	p.ms = most;
	record_flush();
	watch_all(&p);
	poll_used(&p, p.sleeps ? p.ms : 0); /* who hangs up is seen, however much there is to do */
	see_all(&p);
}

bool bridge_is_over(void)
{
	return bridge.exit >= 0 || posix_signals_caught() != 0 || (!bridge.listens && bridge.clients[0]->leaving);
}

/* Who has got room on a line comes last in the next turn. */
static void turn_clients(void)
{
	const unsigned first = bridge.granted + 1, places = bridge.client_places;
	for (unsigned i = 0; i < places; i++) {
		struct client *const client = bridge.clients[(first + i) % places];
		if (client != NULL)
			client_turn(client);
	}
}

/* What has just ended it is not slept over. */
void bridge_turn(unsigned most)
{
	bridge.now = bridge_clock();
	if (bridge.listens)
		client_accept();
	http_turn();
	turn_clients();
	for (unsigned i = 0; i < servers(); i++) {
		server_turn(bridge.servers[i]);
		alive_ask(bridge.servers[i]);
	}
	http_write();
	sleep_a_while(bridge_is_over() && most == UINT32_MAX ? 0 : most);
}

/* --- Its end */

enum { TURN_MS = 5, TURNS_AFTER_LOSS = 3 };

/* --- Its end: in MCP a cancel is not answered, but a ping after it is, once the device has read on */

static void send_ping(struct server *s)
{
	if (s->phase == SERVER_READY && bridge.options.protocol == &protocol_mcp && s->greeted != NULL)
		server_ask(s, &s->parting, "ping", NULL, 0);
}

static bool is_taken(const struct server *s)
{
	if (s->phase != SERVER_READY)
		return true;
	return !quash_call_in_use(&s->parting) || quash_call_has_ended(&s->parting);
}

/* --- Its end: at rest */

/* What they have asked is over. */
static bool clients_are_done(void)
{
	bool done = true;
	for (unsigned i = 0; i < bridge.client_places; i++) {
		const struct client *const c = bridge.clients[i];
		done = done && (c == NULL || quash_is_gone(&c->wire.peer) || quash_is_at_rest(&c->wire.peer));
	}
	return done;
}

/* They have taken all that was for them, too. */
static bool clients_at_rest(void)
{
	bool rest = true;
	for (unsigned i = 0; i < bridge.client_places; i++) {
		const struct client *const c = bridge.clients[i];
		rest = rest && (c == NULL || wire_is_at_rest(&c->wire));
	}
	return rest;
}

static bool servers_at_rest(void)
{
	bool rest = true;
	for (unsigned i = 0; i < bridge.server_count; i++) {
		const struct server *const s = bridge.servers[i];
		rest = rest && is_taken(s) && (s->phase != SERVER_READY || quash_is_at_rest(&s->wire.peer));
	}
	return rest;
}

static void cancel_all(void)
{
	for (unsigned i = 0; i < bridge.client_places; i++) {
		if (bridge.clients[i] != NULL)
			client_leave(bridge.clients[i], "at its end");
	}
	for (unsigned i = 0; i < bridge.server_count; i++)
		quash_cancel_all(&bridge.servers[i]->wire.peer);
}

static uint32_t left(uint32_t start)
{
	const uint32_t passed = bridge_clock() - start;
	return passed < bridge.options.grace ? bridge.options.grace - passed : 0;
}

/* The pings leave after the cancels, which the first turn writes. */
static void wait_for_devices(uint32_t start)
{
	bridge_turn(0);
	for (unsigned i = 0; bridge.cancelled > 0 && i < bridge.server_count; i++)
		send_ping(bridge.servers[i]);
	while (left(start) > 0 && !(clients_are_done() && servers_at_rest()))
		bridge_turn(TURN_MS);
}

/* Commands end at once, and not one after the other. */
static void hang_up(void)
{
	bridge.hung_up = true;
	for (unsigned i = 0; i < bridge.server_count; i++)
		device_hang_up(&bridge.servers[i]->device);
}

/* Meanwhile the commands bring to rest what they move. One that takes longer has the other half of what was left, and not a
 * signal at once, whatever a client does not read. */
static void wait_for_clients(uint32_t start)
{
	const uint32_t half = left(start) / 2;
	while (left(start) > half && !clients_at_rest())
		bridge_turn(TURN_MS);
}

/* A host that has just started us is told why we end: its first message comes soon. */
static void wait_for_first(uint32_t start)
{
	const bool never = bridge.exit >= 0 && !bridge.listens && alone_is_silent();
	while (never && !bridge.clients[0]->begun && !bridge.clients[0]->leaving && posix_signals_caught() == 0 && left(start) > 0)
		bridge_turn(TURN_MS);
}

void bridge_end(void)
{
	const uint32_t start = bridge_clock();
	wait_for_first(start);
	client_stop_listening();
	http_stop_listening();
	for (unsigned i = 0; bridge.exit >= 0 && i < TURNS_AFTER_LOSS; i++)
		bridge_turn(0); /* Link lost is an answer, and not a cancel */
	cancel_all();
	wait_for_devices(start);
	hang_up();
	wait_for_clients(start);
	http_close();
	for (unsigned i = 0; i < bridge.server_count; i++)
		server_close(bridge.servers[i], left(start));
}
