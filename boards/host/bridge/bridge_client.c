/* SPDX-License-Identifier: MIT */
#include "bridge_client.h"

#include "bridge_calls.h"
#include "bridge_forward.h"
#include "bridge_log.h"
#include "bridge_stranger.h"
#include "posix/posix_tcp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Seconds of silence: one that vanished on TCP is noticed within 15. */
enum { LEAVING_MS = 2, CANCELLED_LOOK = 5, TCP_SILENCE = 14, SILENCE_LOOK = 500 };

/* --- What it sends */

/* A web page can post to a port: who does not begin as JSON-RPC is not let in. */
static enum wire_verdict judge(struct wire *wire, struct look look, const char *text, size_t n, size_t *from)
{
	struct client *const client = (struct client *)(void *)wire;
	char shown[LOG_TEXT];
	(void)from;
	client->begun = client->begun || look.rpc;
	if (look.rpc)
		calls_look_at(client, text, n);
	if (client->begun || client->socket == NULL)
		return WIRE_TAKE;
	log_line(LOG_WARNING, "client %u: no JSON-RPC, closed: \"%s\"", client->number, log_text(shown, text, n));
	return WIRE_CLOSE;
}

/* --- Coming */

static struct client *make(bool http)
{
	struct client *const c = calloc(1, sizeof *c);
	if (c == NULL)
		return NULL;
	c->http = http;
	c->number = ++bridge.next_number;
	c->level = NO_LEVEL;
	snprintf(c->wire.name, sizeof c->wire.name, "client %u", c->number);
	c->request = forward_request("", NULL, 0);
	c->note = forward_own("", client_note, QUASH_NOTIFICATION);
	c->route = (quash_route){ &c->wire.peer, NULL, bridge.options.protocol->progress, WIRE_TOKEN, NULL };
	c->wire.other_request = &c->request;
	c->wire.other_note = &c->note;
	c->wire.judge = judge;
	c->wire.sees = calls_see;
	c->wire.ends = c->wire.queues = true;
	c->wire.traced = bridge.options.trace;
	bridge.options.protocol->client_methods(c);
	if (wire_open(&c->wire, bridge.options.protocol->dialect))
		return c;
	wire_close(&c->wire);
	free(c);
	return NULL;
}

static void set_place(unsigned place, struct client *client)
{
	bridge.clients[place] = client;
	if (place == bridge.client_places)
		bridge.client_places++;
	while (bridge.client_places > 0 && bridge.clients[bridge.client_places - 1] == NULL)
		bridge.client_places--;
}

struct client *client_open_terminal(void)
{
	struct client *const c = make(false);
	if (c == NULL)
		return NULL;
	posix_stdio_open(&c->terminal, STDIN_FILENO, STDOUT_FILENO);
	wire_join(&c->wire, &c->terminal, posix_stdio_port(&c->terminal));
	set_place(0, c);
	return c;
}

/* The place of one more; MOST_CLIENTS when there are enough of its kind. */
static unsigned place_for(bool http, unsigned most)
{
	unsigned count = 0, place = bridge.client_places;
	for (unsigned i = bridge.client_places; i-- > 0;) {
		count += bridge.clients[i] != NULL && bridge.clients[i]->http == http;
		place = bridge.clients[i] == NULL ? i : place;
	}
	return count < most ? place : MOST_CLIENTS;
}

static unsigned free_place(void)
{
	return place_for(false, bridge.options.protocol->one_client ? 1 : bridge.options.clients);
}

/* --- Coming with HTTP: it reads what is handed in */

static int peek_inbox(void *device, const uint8_t **bytes)
{
	const struct client *const c = device;
	size_t n;
	*bytes = queue_next(&c->inbox, &n);
	return (int)n;
}

/* As a port over a descriptor it shows that something is left: then the bridge does not sleep. */
static void note_inbox(struct client *c)
{
	c->terminal.from = 0;
	c->terminal.to = queue_is_empty(&c->inbox) ? 0 : 1;
}

static void take_inbox(void *device, size_t n)
{
	struct client *const c = device;
	queue_taken(&c->inbox, n, bridge.now);
	note_inbox(c);
}

/* The wire cuts it into messages. */
static int write_nowhere(void *device, const uint8_t *data, size_t n)
{
	(void)device, (void)data;
	return (int)n;
}

static uint32_t read_clock(void *device)
{
	(void)device;
	return bridge_clock();
}

struct client *client_open_http(void (*leaves)(struct wire *, const char *), void (*forgotten)(struct client *))
{
	const unsigned place = place_for(true, MOST_CLIENTS - MOST_LINES);
	struct client *const c = place < MOST_CLIENTS ? make(true) : NULL;
	if (c == NULL)
		return NULL;
	c->forgotten = forgotten;
	c->terminal.in = c->terminal.out = -1;
	c->wire.leaves = leaves;
	wire_join(&c->wire, &c->terminal, (quash_port){ peek_inbox, take_inbox, write_nowhere, read_clock, c });
	set_place(place, c);
	return c;
}

bool client_hand_in(struct client *c, const char *message, size_t n)
{
	const bool added = queue_add(&c->inbox, (const uint8_t *)message, n, true, bridge.now);
	note_inbox(c);
	return added;
}

bool client_has_room(const struct client *c, size_t n)
{
	return c->inbox.waiting + n <= QUEUE_MOST;
}

bool client_is_quiet(struct client *c)
{
	size_t waiting;
	quash_out(&c->wire.peer, &waiting);
	return waiting == 0 && queue_is_empty(&c->inbox) && c->wire.shown[0].n + c->wire.shown[1].n == 0;
}

static void close_socket(struct posix_socket *socket)
{
	posix_socket_close(socket);
	free(socket);
}

/* There is a place. */
static void make_client_of(struct posix_socket *socket)
{
	struct client *const c = make(false);
	if (c == NULL) {
		close_socket(socket);
		return;
	}
	c->socket = socket;
	wire_join(&c->wire, &socket->stdio, posix_socket_port(socket));
	set_place(free_place(), c);
	log_line(LOG_INFO, "client %u: connected", c->number);
}

static void admit(void)
{
	struct posix_socket *socket;
	strangers_turn();
	while (free_place() < MOST_CLIENTS && (socket = stranger_admit()) != NULL)
		make_client_of(socket);
}

/* A posix_stdio may not be moved: it has memory of its own. */
static bool accept_from(const struct posix_listener *listener, bool tcp)
{
	struct posix_socket *const socket = listener->fd >= 0 && free_place() < MOST_CLIENTS ? malloc(sizeof *socket) : NULL;
	if (socket == NULL)
		return false;
	const int error = tcp ? posix_tcp_accept(listener, socket) : posix_socket_accept(listener, socket);
	if (error != 0) {
		bridge.doors_full = error != EAGAIN;
		free(socket);
		return false;
	}
	if (tcp)
		posix_tcp_set_silence(socket, TCP_SILENCE);
	if (tcp && bridge.options.token != NULL)
		stranger_add(socket);
	else
		make_client_of(socket);
	return true;
}

static bool accept_next(const struct posix_listener *listener, bool tcp)
{
	struct pollfd fd = { .fd = listener->fd, .events = POLLIN };
	return listener->fd >= 0 && poll(&fd, 1, 0) > 0 && accept_from(listener, tcp);
}

/* Connections without end must not hold up others: the doors are polled again. */
void client_accept(void)
{
	unsigned count = 0;
	bridge.doors_full = false;
	admit();
	while (count < MOST_STRANGERS && accept_next(&bridge.unix_door.listener, false))
		count++;
	for (count = 0; count < MOST_STRANGERS && accept_next(&bridge.tcp_door, true); count++)
		admit(); /* so that none goes for another before it was read */
}

/* --- Listening */

static int listen_unix(void)
{
	const int error = posix_unix_listen(&bridge.unix_door, bridge.options.listen_unix);
	if (error != 0) {
		log_line(LOG_ERROR, "%s: %s", bridge.options.listen_unix, strerror(error));
		return EXIT_OPTIONS;
	}
	log_line(LOG_INFO, "listening on %s", bridge.options.listen_unix);
	return 0;
}

static int listen_tcp(void)
{
	const char *const host = bridge.options.listen_host;
	const int error = posix_tcp_listen(&bridge.tcp_door, host, bridge.options.listen_number);
	if (error != 0) {
		log_line(LOG_ERROR, "%s:%u: %s", host, (unsigned)bridge.options.listen_number, strerror(error));
		return EXIT_OPTIONS;
	}
	log_line(LOG_INFO, "listening on %s:%u", host, (unsigned)posix_tcp_number(&bridge.tcp_door));
	return 0;
}

int client_listen(void)
{
	bridge.unix_door.listener.fd = bridge.tcp_door.fd = -1;
	int code = bridge.options.listen_unix != NULL ? listen_unix() : 0;
	if (code == 0 && bridge.options.listens_tcp)
		code = listen_tcp();
	return code;
}

void client_watch_doors(struct pollfd fds[2])
{
	const bool open = !bridge.doors_full && free_place() < MOST_CLIENTS;
	fds[0] = (struct pollfd){ .fd = open && bridge.listens ? bridge.unix_door.listener.fd : -1, .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = open && bridge.listens ? bridge.tcp_door.fd : -1, .events = POLLIN };
}

void client_stop_listening(void)
{
	if (!bridge.listens)
		return;
	posix_unix_stop(&bridge.unix_door);
	posix_listener_close(&bridge.tcp_door);
	strangers_close();
}

/* --- Going */

static unsigned live_requests(const struct client *c)
{
	quash_live live = { .request = NULL };
	unsigned count = 0;
	while (quash_next_live(&c->wire.peer, &live))
		count += live.id != NULL && !live.ended;
	return count;
}

static void note_leaving(const struct client *c, const char *why, unsigned live)
{
	char cancelled[48] = "";
	if (live > 0)
		snprintf(cancelled, sizeof cancelled, ", %u request%s cancelled", live, live == 1 ? "" : "s");
	log_line(LOG_INFO, "client %u: %s%s", c->number, why, cancelled);
}

void client_leave(struct client *c, const char *why)
{
	const unsigned live = live_requests(c);
	if (c->leaving)
		return;
	c->leaving = true;
	c->leaves = bridge.now;
	bridge.cancelled += live;
	if (live > 0 || c->socket != NULL)
		note_leaving(c, why, live);
	quash_cancel_all(&c->wire.peer);
}

bool client_is_present(const struct client *c)
{
	return !c->leaving && !wire_has_ended(&c->wire);
}

void client_free(struct client *c)
{
	for (unsigned i = bridge.client_places; i-- > 0;) {
		if (bridge.clients[i] == c)
			set_place(i, NULL);
	}
	if (c->forgotten != NULL)
		c->forgotten(c);
	if (c->socket != NULL)
		close_socket(c->socket);
	queue_free(&c->inbox);
	texts_clear(&c->subscriptions);
	texts_clear(&c->sessions);
	wire_close(&c->wire);
	free(c);
}

static bool may_be_freed(const struct client *c)
{
	return quash_live_count(&c->wire.peer) == 0 && quash_call_count(&c->wire.peer) == 0 && wire_is_at_rest(&c->wire);
}

/* What the device has not taken within the grace is given up: until then the slot stays in use. */
static void go(struct client *c)
{
	quash_cancel_all(&c->wire.peer);
	if (bridge.now - c->leaves >= bridge.options.grace)
		quash_gone(&c->wire.peer);
	if (may_be_freed(c) && (c->socket != NULL || c->http)) {
		if (bridge.options.protocol->one_client && c->begun)
			bridge.exit = EXIT_WELL;
		client_free(c);
	}
}

/* The library calls what is cancelled in every step, also a prompt whose agent has still to answer. */
static bool waits_for_agent(const struct client *c)
{
	quash_live live = { .request = NULL };
	while (quash_next_live(&c->wire.peer, &live)) {
		if (!live.ended && forward_of(live.request) != NULL && quash_cancelled(live.request) != QUASH_NOT_CANCELLED)
			return true;
	}
	return false;
}

static bool is_idle(const struct client *c)
{
	return !c->leaving && !c->unacknowledged && wire_is_idle(&c->wire);
}

/* Of the grace of one that leaves; UINT32_MAX: none. */
static uint32_t grace_left(const struct client *c)
{
	const uint32_t passed = bridge.now - c->leaves, grace = bridge.options.grace;
	if (!c->leaving || quash_is_gone(&c->wire.peer))
		return UINT32_MAX;
	return passed < grace ? grace - passed : 0;
}

uint32_t client_rest(const struct client *c)
{
	const uint32_t idle = quash_idle_ms(&c->wire.peer), left = grace_left(c), unread = queue_left(&c->wire.queue, bridge.now);
	const uint32_t rest = idle == 0 && waits_for_agent(c) ? CANCELLED_LOOK : idle;
	const uint32_t look = c->unacknowledged && unread > SILENCE_LOOK ? SILENCE_LOOK : unread;
	const uint32_t most = c->wire.hung && left > LEAVING_MS ? LEAVING_MS : c->leaving ? left : look;
	return rest < most ? rest : most;
}

bool client_watch(struct client *c, struct pollfd fds[2], uint32_t *rest)
{
	if (is_idle(c)) {
		wire_watch_idle(&c->wire, fds);
		return true;
	}
	const bool sleeps = wire_watch(&c->wire, fds);
	const uint32_t ms = client_rest(c);
	*rest = ms < *rest ? ms : *rest;
	return sleeps;
}

/* True if it is closed for that. */
static bool is_unread(const struct client *c)
{
	const bool late = queue_left(&c->wire.queue, bridge.now) == 0;
	if (c->wire.closed || !(c->wire.queue.full || late))
		return false;
	if (c->wire.queue.full)
		log_line(LOG_WARNING, "client %u does not read: more than %u MiB wait for it, closed", c->number, (unsigned)QUEUE_MOST >> 20);
	else
		log_line(LOG_WARNING, "client %u does not read: it has taken nothing for %u s, closed", c->number, QUEUE_MS / 1000u);
	return true;
}

/* The system takes minutes to give up sending to a host that is not there. One that is there and reads nothing may take seconds to
 * answer. */
static bool has_vanished(struct client *c)
{
	uint32_t unheard = 0;
	c->unacknowledged = c->socket != NULL && posix_tcp_unacknowledged(c->socket, &unheard);
	if (!c->unacknowledged)
		c->acknowledged = bridge.now;
	const uint32_t waited = bridge.now - c->acknowledged;
	return c->unacknowledged && !c->wire.closed && (waited < unheard ? waited : unheard) >= TCP_SILENCE * 1000u;
}

static void close_client(struct client *c, const char *why)
{
	client_leave(c, why);
	wire_shut(&c->wire);
}

/* Many are idle beside one that asks. */
void client_turn(struct client *c)
{
	if (is_idle(c)) {
		c->acknowledged = bridge.now;
		quash_tick(&c->wire.peer, bridge.now);
		return;
	}
	wire_turn(&c->wire, bridge.now);
	if (is_unread(c))
		close_client(c, "closed");
	else if (has_vanished(c))
		close_client(c, "gone");
	else if (c->wire.stdio->gone || c->wire.closed || quash_is_gone(&c->wire.peer))
		client_leave(c, "gone");
	else if (c->wire.stdio->ended || c->wire.hung)
		client_leave(c, "gone");
	if (c->leaving)
		go(c);
}
