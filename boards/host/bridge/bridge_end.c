/* SPDX-License-Identifier: MIT */
#include "bridge_end.h"

#include "bridge_client.h"
#include "bridge_forward.h"
#include "bridge_mcp.h"
#include "bridge_run.h"
#include "bridge_server.h"

enum { TURN_MS = 5, TURNS_AFTER_LOSS = 3 };

/* --- In MCP nobody answers a cancel: a ping behind it is answered once the device has read on. */

static void send_ping(struct server *s)
{
	if (s->phase == SERVER_READY && bridge.options.protocol == &protocol_mcp && s->greeted != NULL)
		mcp_ask(s, &s->parting, "ping", NULL, 0);
}

static bool is_taken(const struct server *s)
{
	if (s->phase != SERVER_READY)
		return true;
	return !quash_call_in_use(&s->parting) || quash_call_has_ended(&s->parting);
}

/* --- At rest */

/* What they have asked is over. */
static bool clients_are_done(void)
{
	bool done = true;
	for (unsigned i = 0; i < MOST_CLIENTS; i++) {
		const struct client *const c = bridge.clients[i];
		done = done && (c == NULL || quash_is_gone(&c->wire.peer) || quash_is_at_rest(&c->wire.peer));
	}
	return done;
}

/* They have taken all that was for them, too. */
static bool clients_at_rest(void)
{
	bool rest = true;
	for (unsigned i = 0; i < MOST_CLIENTS; i++) {
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
	for (unsigned i = 0; i < MOST_CLIENTS; i++) {
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

/* The pings leave behind the cancels, which the first turns write. */
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

void bridge_end(void)
{
	const uint32_t start = bridge_clock();
	client_stop_listening();
	for (unsigned i = 0; bridge.exit >= 0 && i < TURNS_AFTER_LOSS; i++)
		bridge_turn(0); /* Link lost is an answer, and not a cancel */
	cancel_all();
	wait_for_devices(start);
	hang_up();
	wait_for_clients(start);
	for (unsigned i = 0; i < bridge.server_count; i++)
		server_close(bridge.servers[i], left(start));
}
