/* SPDX-License-Identifier: MIT
 * quash_bridge: the data are a script for the sources of boards/host/bridge in a world of memory: clients, devices, their lines
 * and time (bridge/world.h). The first bytes choose protocol, devices, options; then clients and devices transmit anything
 * in any pieces, come, go, and stop reading, some clients for good. At the end all are well-behaved, and then the bridge ends.
 *
 * What must hold: each request is answered once, by its own answer, and by silence only if MCP demands it; progress, updates and
 * subscriptions reach whom they concern; ids on a device's line never repeat; what nobody wants any more is cancelled there;
 * clients that have gone are forgotten within the grace, and so are those that take nothing for too long; whoever never reads
 * again hinders nobody; what a device says of a request reaches the client that has made it, and the name of the request
 * reaches nobody; a call ends when its longest time is up; all that is transmitted is JSON in its framing; the bridge sleeps
 * when there is nothing to do; it ends within the grace; memory is given back.
 *
 * Not checked: what the log says, the order of notifications, and requests in text that the script transmits raw. */
#include "bridge/world.h"

#include "bridge_client.h"
#include "bridge_log.h"
#include "bridge_run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { END_SLACK = 100, LAST_TURNS = 4 };

struct world world;
static FILE *errors, *nowhere;
static char token[] = "token";

_Noreturn void wrong(const char *rule, const char *format, ...)
{
	char words[600];
	va_list list;
	stderr = errors;
	va_start(list, format);
	vsnprintf(words, sizeof words, format, list);
	va_end(list);
	broken(rule, "at %u ms: %s", (unsigned)world.now, words);
}

/* --- Setup */

static void set_devices(uint8_t choice)
{
	static const enum device_kind kinds[] = { DEVICE_TTY, DEVICE_UNIX, DEVICE_COMMAND, DEVICE_TCP };
	static const char *const names[] = { "one", "two", "three" };
	struct options *const o = &bridge.options;
	o->many_servers = o->protocol == &protocol_mcp && choice % 2 == 1;
	o->server_count = world.device_count = o->many_servers ? 1 + choice / 2 % DEVICES : 1;
	for (unsigned i = 0; i < o->server_count; i++) {
		o->servers[i].name = o->many_servers ? names[i] : "device";
		o->servers[i].device = (struct device_options){ .kind = kinds[(choice / 8 + i) % 4], .number = (uint16_t)i };
	}
}

static void set_options(struct options *o)
{
	static const struct protocol *const protocols[] = { &protocol_mcp, &protocol_acp, &protocol_lsp, &protocol_jsonrpc };
	static const uint32_t graces[] = { 2000, 300, 1, 0 };
	const uint8_t first = take(&world.script), second = take(&world.script), third = take(&world.script);
	o->protocol = protocols[first % 8 < 4 ? 0 : first % 8 - 4];
	o->clients = first / 64 == 3 ? 2 : 16;
	world.listens = first / 8 % 4 != 0;
	o->listen_unix = world.listens ? "door" : NULL;
	o->listens_tcp = world.listens && first / 32 % 2 == 1;
	o->listen_host = "127.0.0.1";
	o->token = o->listens_tcp && second % 2 == 1 ? token : NULL;
	o->grace = graces[second / 2 % 4];
	o->wait = 1000;
	o->timeout = second / 8 % 4 == 1 ? 700 : 0;
	o->idle = second / 32 % 4 == 1 ? 200 : 0;
	world.limits = second / 128 == 1;
	world.times = o->timeout != 0 || o->idle != 0;
	world.lean = third % 4 == 3;
	world.leases = third / 4 % 2 == 1;
	world.unplugs = third / 8 % 2 == 1;
	o->trace = third / 16 == 1 || getenv("FUZZ_LOUD") != NULL;
	log_set_level(o->trace ? LOG_DEBUG : LOG_ERROR);
	world.now = third >= 128 ? UINT32_MAX - 1500 : 100000;
	set_devices(take(&world.script));
	show("protocol %s, %u devices, listens %d, token %s, grace %u, timeout %u, idle %u\n", o->protocol->name, world.device_count, world.listens,
		o->token != NULL ? o->token : "none", (unsigned)o->grace, (unsigned)o->timeout, (unsigned)o->idle);
	world.headers = o->protocol == &protocol_lsp;
}

/* --- Giving back what the bridge keeps to its end */

static void free_server(struct server *s)
{
	free(s->greeted);
	free(s->refused);
	free(s->modern);
	free(s->subscription);
	free(s->cursor);
	texts_clear(&s->subscribed);
	texts_clear(&s->unaddressed);
	for (unsigned i = 0; i < MOST_LISTENERS; i++)
		free(s->listeners[i].id);
	for (unsigned i = 0; i < s->limit_count; i++)
		free(s->limits[i].tool);
	for (int kind = 0; kind < LIST_KINDS; kind++) {
		list_clear(&s->list[kind]);
		list_clear(&s->fresh[kind]);
	}
	wire_close(&s->wire);
	free(s);
}

static void rest(struct wire *wire)
{
	quash_gone(&wire->peer);
	(void)quash_step(&wire->peer);
}

static void free_bridge(void)
{
	for (unsigned turn = 0; turn < LAST_TURNS; turn++) {
		for (unsigned i = 0; i < MOST_CLIENTS; i++) {
			if (bridge.clients[i] != NULL)
				rest(&bridge.clients[i]->wire);
		}
		for (unsigned i = 0; i < bridge.server_count; i++)
			rest(&bridge.servers[i]->wire);
	}
	for (unsigned i = 0; i < MOST_CLIENTS; i++) {
		if (bridge.clients[i] != NULL)
			client_free(bridge.clients[i]);
	}
	for (unsigned i = 0; i < bridge.server_count; i++)
		free_server(bridge.servers[i]);
	free(bridge.hello);
}

static void free_world(void)
{
	for (int fd = LINE_FDS; line_of(fd) != NULL; fd += 2)
		line_clear(line_of(fd));
	for (unsigned i = 0; i < DEVICES; i++)
		free(world.devices[i].ids);
}

/* --- A run */

static void end(void)
{
	const uint32_t start = world.now;
	world.phase = PHASE_END;
	world.script.at = world.script.end;
	world.passing = UINT32_MAX;
	bridge_end();
	if (world.now - start > bridge.options.grace + END_SLACK)
		wrong("end", "it took %u ms", (unsigned)(world.now - start));
	if (bridge.options.grace > END_SLACK)
		devices_check_cancelled();
	for (unsigned i = 0; i < world.device_count; i++) {
		if (world.devices[i].line.open)
			wrong("end", "device %u is still open", i);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (nowhere == NULL)
		nowhere = fopen("/dev/null", "w");
	errors = stderr;
	stderr = getenv("FUZZ_LOUD") == NULL ? nowhere : stderr;
	memset(&bridge, 0, sizeof bridge);
	memset(&world, 0, sizeof world);
	world.script = (struct bytes){ data, data + size };
	set_options(&bridge.options);
	clients_begin();
	devices_begin();
	if (bridge_open() != 0)
		wrong("open", "it does not begin");
	while (!bridge_is_over())
		bridge_turn(UINT32_MAX);
	end();
	show("%u turns\n", (unsigned)world.turns);
	free_bridge();
	free_world();
	stderr = errors;
	return 0;
}
