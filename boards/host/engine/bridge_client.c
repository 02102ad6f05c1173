/* SPDX-License-Identifier: MIT */
#include "bridge_client.h"

#include "bridge_calls.h"
#include "bridge_forward.h"
#include "bridge_log.h"
#include "bridge_memory.h"
#include "bridge_stranger.h"
#include "format.h"
#include "least.h"

#include <string.h>

enum { LEAVING_MS = 2, CANCELLED_LOOK = 5 };

/* It has come by itself, through a door of bytes. */
static bool connects(const struct client *c)
{
	return !c->http && c->line->way != BRIDGE_TERMINAL;
}

/* --- What it sends */

/* A web page can post to a port: who does not begin as JSON-RPC is not let in. */
static enum wire_verdict client_judge(struct wire *wire, struct look look, const char *text, size_t n, size_t *from)
{
	struct bridge *const b = wire->bridge;
	struct client *const client = (struct client *)(void *)wire;
	char shown[LOG_TEXT];
	(void)from;
	client->begun = client->begun || look.rpc;
	if (look.rpc)
		calls_look_at(client, text, n);
	if (client->begun || !connects(client))
		return WIRE_TAKE;
	log_line(b, LOG_WARNING, "client %u: no JSON-RPC, closed: \"%s\"", client->number, log_text(shown, text, n));
	return WIRE_CLOSE;
}

/* --- Coming */

/* Those that wait for room on a line are enough if the line always finds one. Of several devices one that is slow must not hold up what is
 * for the others. */
static enum ahead_room client_room(const struct wire *wire, unsigned requests)
{
	enum { WAIT_FOR_ONE = 16, WAIT_FOR_SEVERAL = 128 };
	const struct client *const client = (const struct client *)(const void *)wire;
	const unsigned live = quash_live_count(&wire->peer), most = wire->bridge->options.many_devices ? WAIT_FOR_SEVERAL : WAIT_FOR_ONE;
	if (live >= WIRE_LIVE)
		return AHEAD_NO_REQUEST;
	const bool places = live + requests <= WIRE_LIVE - WIRE_SPARE || live == 0; /* a batch may have more than there are */
	return places && client->waiting < most ? AHEAD_ANY : AHEAD_URGENT;
}

/* The line is its own from now on, unless there is no memory. */
static struct client *client_make(struct bridge *b, struct bridge_line *line, bool http)
{
	struct client *const c = line != NULL ? heap_new(&b->heap, sizeof *c) : NULL;
	if (c == NULL)
		return NULL;
	c->wire.bridge = b;
	c->line = line;
	c->http = http;
	c->subscriptions.heap = c->sessions.heap = &b->heap;
	c->number = ++b->next_number;
	c->level = NO_LEVEL;
	format_text(c->wire.name, sizeof c->wire.name, "client %u", c->number);
	c->request = forward_request("", NULL, 0);
	c->note = forward_own("", client_note, QUASH_NOTIFICATION);
	c->route = (quash_route){ &c->wire.peer, NULL, b->options.protocol->progress, WIRE_TOKEN, NULL };
	c->wire.other_request = &c->request;
	c->wire.other_note = &c->note;
	c->wire.judge = client_judge;
	c->wire.sees = calls_see;
	c->wire.room = client_room;
	c->wire.ends = c->wire.queues = true;
	c->wire.traced = b->options.trace;
	b->options.protocol->client_methods(c);
	if (wire_open(&c->wire, b, b->options.protocol->dialect))
		return c;
	wire_close(&c->wire);
	heap_free(&b->heap, c);
	return NULL;
}

static unsigned *count_of(struct bridge *b, bool http)
{
	return http ? &b->http_clients : &b->line_clients;
}

static void set_place(struct bridge *b, unsigned place, struct client *client)
{
	if (client != NULL)
		++*count_of(b, client->http);
	else
		--*count_of(b, b->clients[place]->http);
	b->clients[place] = client;
	if (place == b->client_places)
		b->client_places++;
	while (b->client_places > 0 && b->clients[b->client_places - 1] == NULL)
		b->client_places--;
}

/* There is one: of both kinds together there are as many places as may be in use. */
static unsigned free_place(const struct bridge *b)
{
	unsigned place = 0;
	while (place < b->client_places && b->clients[place] != NULL)
		place++;
	return place;
}

bool clients_have_room(const struct bridge *b)
{
	return b->line_clients < (b->options.protocol->one_client ? 1 : b->options.clients);
}

static void join(struct client *c)
{
	wire_join(&c->wire, c->line, line_port(c->line));
	set_place(c->wire.bridge, free_place(c->wire.bridge), c);
}

struct client *client_open_terminal(struct bridge *b)
{
	struct bridge_line *const line = line_new(b, BRIDGE_TERMINAL);
	struct client *const c = client_make(b, line, false);
	if (c != NULL)
		join(c);
	return c;
}

/* --- Coming with HTTP: it reads what is handed in */

/* The wire cuts it into messages. */
static int write_nowhere(void *device, const uint8_t *data, size_t n)
{
	(void)device, (void)data;
	return (int)n;
}

struct client *client_open_http(struct bridge *b, void (*leaves)(struct wire *, const char *), void (*forgotten)(struct client *))
{
	struct bridge_line *const line = b->http_clients < MOST_CLIENTS - MOST_LINES ? line_inner(b) : NULL;
	struct client *const c = client_make(b, line, true);
	if (c == NULL) {
		if (line != NULL)
			line_close(line, 0);
		return NULL;
	}
	quash_port port = line_port(line);
	port.write = write_nowhere;
	c->forgotten = forgotten;
	c->wire.leaves = leaves;
	wire_join(&c->wire, line, port);
	set_place(b, free_place(b), c);
	return c;
}

bool client_hand_in(struct client *c, const char *message, size_t n)
{
	return line_hand_in(c->line, message, n);
}

bool client_has_room(const struct client *c, size_t n)
{
	return ahead_has_room(&c->wire.ahead, line_unread(c->line) + n);
}

bool client_is_quiet(struct client *c)
{
	size_t waiting;
	quash_out(&c->wire.peer, &waiting);
	return waiting == 0 && !line_shows(c->line) && ahead_is_empty(&c->wire.ahead) && c->wire.shown[0].n + c->wire.shown[1].n == 0;
}

/* --- Coming through a door of bytes */

/* There is a place. False: there is no memory. */
static bool make_client_of(struct bridge *b, struct bridge_line *line)
{
	struct client *const c = client_make(b, line, false);
	if (c == NULL)
		return false;
	join(c);
	log_line(b, LOG_INFO, "client %u: connected", c->number);
	return true;
}

void clients_admit(struct bridge *b)
{
	struct bridge_line *line;
	if (b->options.token == NULL)
		return;
	strangers_turn(b);
	while (clients_have_room(b) && (line = stranger_admit(b)) != NULL) {
		if (!make_client_of(b, line))
			line_close(line, 0);
	}
}

/* So that none goes for another before it was read. */
struct bridge_line *client_comes(struct bridge *b, enum bridge_way way)
{
	clients_admit(b);
	struct bridge_line *const line = clients_have_room(b) ? line_new(b, way) : NULL;
	if (line == NULL)
		return NULL;
	if (way == BRIDGE_TCP && b->options.token != NULL) {
		stranger_add(b, line);
	} else if (!make_client_of(b, line)) {
		line_drop(line);
		return NULL;
	}
	return line;
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
	struct bridge *const b = c->wire.bridge;
	char cancelled[48] = "";
	if (live > 0)
		format_text(cancelled, sizeof cancelled, ", %u request%s cancelled", live, live == 1 ? "" : "s");
	log_line(b, LOG_INFO, "client %u: %s%s", c->number, why, cancelled);
}

void client_leave(struct client *c, const char *why)
{
	struct bridge *const b = c->wire.bridge;
	if (c->leaving)
		return;
	wire_wake(&c->wire);
	const unsigned live = live_requests(c) + wire_forget_ahead(&c->wire);
	c->leaving = true;
	c->leaves = b->now;
	b->cancelled += live;
	if (live > 0 || connects(c))
		note_leaving(c, why, live);
	quash_cancel_all(&c->wire.peer);
}

bool client_is_present(const struct client *c)
{
	return !c->leaving && !wire_has_ended(&c->wire);
}

void client_free(struct client *c)
{
	struct bridge *const b = c->wire.bridge;
	for (unsigned i = b->client_places; i-- > 0;) {
		if (b->clients[i] == c)
			set_place(b, i, NULL);
	}
	if (c->forgotten != NULL)
		c->forgotten(c);
	line_close(c->line, 0);
	texts_clear(&c->subscriptions);
	texts_clear(&c->sessions);
	wire_close(&c->wire);
	heap_free(&b->heap, c);
}

static bool may_be_freed(const struct client *c)
{
	return quash_live_count(&c->wire.peer) == 0 && quash_call_count(&c->wire.peer) == 0 && wire_is_at_rest(&c->wire);
}

/* What the device has not taken within the grace is given up: until then the slot stays in use. */
static void go(struct client *c)
{
	struct bridge *const b = c->wire.bridge;
	quash_cancel_all(&c->wire.peer);
	if (b->now - c->leaves >= b->options.grace)
		quash_gone(&c->wire.peer);
	if (may_be_freed(c) && c->line->way != BRIDGE_TERMINAL) {
		if (b->options.protocol->one_client && c->begun)
			b->exit = EXIT_WELL;
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

static bool client_is_idle(const struct client *c)
{
	return !c->leaving && wire_is_idle(&c->wire) && line_is_clear(c->line);
}

/* Of the grace of one that leaves; UINT32_MAX: none. */
static uint32_t grace_left(const struct client *c)
{
	struct bridge *const b = c->wire.bridge;
	const uint32_t passed = b->now - c->leaves, grace = b->options.grace;
	if (!c->leaving || quash_is_gone(&c->wire.peer))
		return UINT32_MAX;
	return passed < grace ? grace - passed : 0;
}

uint32_t client_rest(struct client *c)
{
	if (wire_sleeps(&c->wire) || client_is_idle(c))
		return UINT32_MAX;
	if (wire_is_due(&c->wire))
		return 0;
	const uint32_t idle = quash_idle_ms(&c->wire.peer), left = grace_left(c), unread = line_left(c->line, QUEUE_MS);
	const uint32_t rest = idle == 0 && waits_for_agent(c) ? CANCELLED_LOOK : idle;
	const uint32_t most = wire_is_hung(&c->wire) && left > LEAVING_MS ? LEAVING_MS : c->leaving ? left : unread;
	return less(less(rest, most), memory_shrink_left(&c->wire));
}

/* True if it is closed for that. */
static bool is_unread(const struct client *c)
{
	struct bridge *const b = c->wire.bridge;
	const bool late = line_left(c->line, QUEUE_MS) == 0;
	if (c->wire.closed || !(c->wire.queue.full || late))
		return false;
	if (c->wire.queue.full)
		log_line(b, LOG_WARNING, "client %u does not read: more than %u MiB wait for it, closed", c->number, (unsigned)QUEUE_MOST >> 20);
	else
		log_line(b, LOG_WARNING, "client %u does not read: it has taken nothing for %u s, closed", c->number, QUEUE_MS / 1000u);
	return true;
}

static void close_client(struct client *c, const char *why)
{
	client_leave(c, why);
	wire_shut(&c->wire);
}

bool client_is_woken(const struct client *c)
{
	return !c->wire.asleep && !c->leaving && quash_idle_ms(&c->wire.peer) == 0;
}

/* Many are idle beside one that asks. */
void client_turn(struct client *c)
{
	struct bridge *const b = c->wire.bridge;
	if (wire_sleeps(&c->wire))
		return;
	if (client_is_idle(c)) {
		wire_sleep(&c->wire);
		return;
	}
	wire_turn(&c->wire, b->now);
	if (is_unread(c))
		close_client(c, "closed");
	else if (c->line->gone || c->line->ended || c->wire.closed || quash_is_gone(&c->wire.peer) || wire_is_hung(&c->wire))
		client_leave(c, "gone");
	if (c->leaving)
		go(c);
}
