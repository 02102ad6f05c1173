/* SPDX-License-Identifier: MIT
 * A bridge: its start, its turns, its end. */
#include "bridge_alive.h"
#include "bridge_alone.h"
#include "bridge_client.h"
#include "bridge_forward.h"
#include "bridge_http_mcp.h"
#include "bridge_log.h"
#include "bridge_device.h"
#include "bridge_stranger.h"
#include "least.h"

#include <string.h>

/* --- Its start */

const struct protocol *bridge_protocol(const char *name)
{
	static const struct protocol *const all[] = { &protocol_mcp, &protocol_acp, &protocol_lsp, &protocol_jsonrpc };
	size_t i = 0;
	while (i < sizeof all / sizeof all[0] && strcmp(all[i]->name, name) != 0)
		i++;
	return i < sizeof all / sizeof all[0] ? all[i] : NULL;
}

const char *bridge_protocol_name(const struct protocol *protocol)
{
	return protocol->name;
}

static bool open_devices(struct bridge *b)
{
	for (unsigned i = 0; i < b->options.device_count; i++) {
		if (!device_open(b, i))
			return false;
	}
	return b->listens || client_open_terminal(b) != NULL;
}

struct bridge *bridge_new(const struct bridge_options *options, const struct bridge_host *host, uint32_t now)
{
	struct bridge *const b = heap_new(&host->heap, sizeof *b);
	if (b == NULL)
		return NULL;
	b->heap = host->heap;
	b->host = *host;
	b->options = *options;
	b->now = b->woken = now;
	b->exit = -1;
	b->listens = options->listen_unix != NULL || options->listens_tcp || options->listens_http;
	b->hello_known = b->listens && options->protocol == &protocol_mcp;
	b->http.service = options->listens_http ? &http_mcp : NULL;
	if (open_devices(b))
		return b;
	bridge_free(b);
	return NULL;
}

struct bridge_line *bridge_terminal(struct bridge *b)
{
	return b->listens ? NULL : b->clients[0]->line;
}

/* --- Doors */

bool bridge_is_ending(const struct bridge *b)
{
	return b->ending > ENDING_FIRST;
}

bool bridge_takes(struct bridge *b, enum bridge_way way)
{
	if (bridge_is_ending(b))
		return false;
	if (way == BRIDGE_HTTP)
		return http_has_room(b);
	clients_admit(b); /* who has shown the token goes before who comes now */
	return clients_have_room(b);
}

struct bridge_line *bridge_client(struct bridge *b, enum bridge_way way)
{
	b->stirred = true;
	if (bridge_is_ending(b))
		return NULL;
	return way == BRIDGE_HTTP ? http_comes(b) : client_comes(b, way);
}

bool bridge_yields(struct bridge *b)
{
	return http_yields(b);
}

/* --- A turn */

/* Those that have turns. */
static unsigned devices(const struct bridge *b)
{
	return b->hung_up ? 0 : b->device_count;
}

static uint32_t bridge_rest_of(struct bridge *b)
{
	uint32_t rest = less(b->http.service != NULL ? http_rest(b) : UINT32_MAX, b->options.token != NULL ? strangers_rest(b) : UINT32_MAX);
	for (unsigned i = 0; i < devices(b); i++)
		rest = less(rest, less(device_rest(b->devices[i]), alive_left(b->devices[i])));
	for (unsigned i = 0; i < b->client_places; i++) {
		if (b->clients[i] != NULL)
			rest = less(rest, client_rest(b->clients[i]));
	}
	return rest;
}

/* A peer's time may not fall behind by half of its range. */
static void wake_all_clients(struct bridge *b)
{
	enum { SLEEP_MS = 1 << 24 };
	if (b->now - b->woken < SLEEP_MS)
		return;
	b->woken = b->now;
	for (unsigned i = 0; i < b->client_places; i++) {
		if (b->clients[i] != NULL)
			wire_wake(&b->clients[i]->wire);
	}
}

static void turn_clients(struct bridge *b)
{
	wake_all_clients(b);
	for (unsigned i = 0; i < b->client_places; i++) {
		if (b->clients[i] != NULL)
			client_turn(b->clients[i]);
	}
}

/* What devices have answered goes on at once. */
static void turn_woken_clients(struct bridge *b)
{
	for (unsigned i = 0; i < b->client_places; i++) {
		if (b->clients[i] != NULL && client_is_woken(b->clients[i]))
			client_turn(b->clients[i]);
	}
}

static void bridge_turn(struct bridge *b)
{
	clients_admit(b);
	if (b->http.service != NULL)
		http_turn(b);
	turn_clients(b);
	for (unsigned i = 0; i < devices(b); i++) {
		device_turn(b->devices[i]);
		alive_ask(b->devices[i]);
	}
	turn_woken_clients(b);
	if (b->http.service != NULL)
		http_write(b);
	clients_admit(b); /* a place may be free again, which wakes nobody else */
}

/* --- Its end */

enum { TURN_MS = 5, TURNS_AFTER_LOSS = 3 };

/* --- Its end: in MCP a cancel is not answered, but a ping after it is, once the device has read on */

static void send_ping(struct device *d)
{
	if (d->phase == DEVICE_READY && d->wire.bridge->options.protocol == &protocol_mcp && d->greeted != NULL)
		device_ask(d, &d->parting, "ping", NULL, 0);
}

static bool is_taken(const struct device *d)
{
	if (d->phase != DEVICE_READY)
		return true;
	return !quash_call_in_use(&d->parting) || quash_call_has_ended(&d->parting);
}

/* --- Its end: at rest */

/* What they have asked is over. */
static bool clients_are_done(const struct bridge *b)
{
	bool done = true;
	for (unsigned i = 0; i < b->client_places; i++) {
		const struct client *const c = b->clients[i];
		done = done && (c == NULL || quash_is_gone(&c->wire.peer) || quash_is_at_rest(&c->wire.peer));
	}
	return done;
}

/* They have taken all that was for them, too. */
static bool clients_at_rest(const struct bridge *b)
{
	bool rest = true;
	for (unsigned i = 0; i < b->client_places; i++) {
		const struct client *const c = b->clients[i];
		rest = rest && (c == NULL || wire_is_at_rest(&c->wire));
	}
	return rest;
}

static bool devices_at_rest(const struct bridge *b)
{
	bool rest = true;
	for (unsigned i = 0; i < b->device_count; i++) {
		const struct device *const d = b->devices[i];
		rest = rest && is_taken(d) && (d->phase != DEVICE_READY || quash_is_at_rest(&d->wire.peer));
	}
	return rest;
}

static void cancel_all(struct bridge *b)
{
	for (unsigned i = 0; i < b->client_places; i++) {
		if (b->clients[i] != NULL)
			client_leave(b->clients[i], "at its end");
	}
	for (unsigned i = 0; i < b->device_count; i++)
		quash_cancel_all(&b->devices[i]->wire.peer);
}

static uint32_t left(const struct bridge *b)
{
	const uint32_t passed = b->now - b->began;
	return passed < b->options.grace ? b->options.grace - passed : 0;
}

/* A host that has just started us is told why we end: its first message comes soon. */
static bool waits_for_first(const struct bridge *b)
{
	if (b->exit < 0 || b->listens || !alone_is_silent(b))
		return false;
	return !b->clients[0]->begun && !b->clients[0]->leaving && !b->stopped && left(b) > 0;
}

/* Commands end at once, and not one after the other. Meanwhile they bring to rest what they move. One that takes longer has the other
 * half of what was left, and not a signal at once, whatever a client does not read. */
static void hang_up(struct bridge *b)
{
	b->hung_up = true;
	for (unsigned i = 0; i < b->device_count; i++)
		device_hang_up(b->devices[i]);
	b->half = left(b) / 2;
}

static void close_all(struct bridge *b)
{
	http_close(b);
	for (unsigned i = 0; i < b->device_count; i++)
		device_close(b->devices[i], left(b));
}

/* What is done once in a phase, on the way into it. The pings leave after the cancels, which the first turn writes. */
static void begin_phase(struct bridge *b)
{
	b->turns = 0;
	switch (b->ending) {
	case ENDING_FIRST: b->began = b->now; break;
	case ENDING_LOSS: strangers_close(b); break;
	case ENDING_DEVICES: cancel_all(b); break;
	case ENDING_CLIENTS: hang_up(b); break;
	case ENDING_OVER: close_all(b); break;
	default: break;
	}
}

static void ping_all(struct bridge *b)
{
	for (unsigned i = 0; b->cancelled > 0 && i < b->device_count; i++)
		send_ping(b->devices[i]);
}

/* Link lost is an answer, and not a cancel: it leaves before these. */
static bool phase_is_over(const struct bridge *b)
{
	switch (b->ending) {
	case ENDING_FIRST: return !waits_for_first(b);
	case ENDING_LOSS: return b->exit < 0 || b->turns >= TURNS_AFTER_LOSS;
	case ENDING_DEVICES: return b->turns > 0 && (left(b) == 0 || (clients_are_done(b) && devices_at_rest(b)));
	case ENDING_CLIENTS: return left(b) <= b->half || clients_at_rest(b);
	default: return false;
	}
}

static void go_on_ending(struct bridge *b)
{
	while (phase_is_over(b)) {
		b->ending++;
		begin_phase(b);
	}
}

static void begin_end(struct bridge *b)
{
	b->ending = ENDING_FIRST;
	begin_phase(b);
	go_on_ending(b);
}

/* Phases of the end change between two turns. */
static void end_turn(struct bridge *b)
{
	if (b->ending == ENDING_OVER)
		return;
	bridge_turn(b);
	if (b->ending == ENDING_DEVICES && b->turns == 0)
		ping_all(b);
	b->turns++;
	go_on_ending(b);
}

static uint32_t rest_at_end(struct bridge *b)
{
	if (b->ending == ENDING_OVER)
		return UINT32_MAX;
	return b->ending == ENDING_LOSS || (b->ending == ENDING_DEVICES && b->turns < 2) ? 0 : less(TURN_MS, bridge_rest_of(b));
}

static bool is_to_end(const struct bridge *b)
{
	return b->exit >= 0 || b->stopped || (!b->listens && b->clients[0]->leaving);
}

void bridge_tick(struct bridge *b, uint32_t now)
{
	b->now = now;
	b->stirred = false;
	if (b->ending == ENDING_NOT) {
		bridge_turn(b);
		if (is_to_end(b))
			begin_end(b);
	} else {
		end_turn(b);
	}
	lines_retry(b);
	b->rest = b->ending == ENDING_NOT ? bridge_rest_of(b) : rest_at_end(b);
}

uint32_t bridge_idle_ms(const struct bridge *b)
{
	enum { STARVED_MS = 5 };
	return b->stirred ? 0 : b->starved ? less(b->rest, STARVED_MS) : b->rest;
}

void bridge_end(struct bridge *b)
{
	b->stirred = b->stirred || !b->stopped;
	b->stopped = true;
}

bool bridge_is_over(const struct bridge *b, int *code)
{
	*code = b->exit >= 0 ? b->exit : EXIT_WELL;
	return b->ending == ENDING_OVER;
}

/* --- Giving back */

/* What is live ends, and hooks run: each in turns of its own. */
static void let_go(struct bridge *b)
{
	enum { TURNS = 4 };
	for (unsigned turn = 0; turn < TURNS; turn++) {
		for (unsigned i = 0; i < b->client_places; i++) {
			if (b->clients[i] != NULL)
				wire_let_go(&b->clients[i]->wire);
		}
		for (unsigned i = 0; i < b->device_count; i++)
			wire_let_go(&b->devices[i]->wire);
	}
}

void bridge_free(struct bridge *b)
{
	const struct heap heap = b->heap;
	let_go(b);
	http_close(b);
	strangers_close(b);
	for (unsigned i = b->client_places; i-- > 0;) {
		if (b->clients[i] != NULL)
			client_free(b->clients[i]);
	}
	for (unsigned i = 0; i < b->device_count; i++)
		device_free(b->devices[i]);
	lines_free(b);
	heap_free(&heap, b->hello);
	heap_free(&heap, b);
}
