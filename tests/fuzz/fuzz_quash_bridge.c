/* SPDX-License-Identifier: MIT
 * quash_bridge: the data are a script for the engine of quash-bridge, boards/host/engine, in a world of memory: clients, devices, their lines
 * and time (bridge/world.h). The first bytes choose protocol, devices, options; then clients and devices transmit anything
 * in any pieces, come, go, and stop reading, some clients for good. At the end all are well-behaved, and then the bridge ends.
 *
 * What must hold: each request is answered once, by its own answer, and by silence only if MCP demands it; progress, updates and
 * subscriptions reach whom they concern; ids on a device's line never repeat; what nobody wants any more is cancelled there;
 * nothing comes in front of the answer to `initialize`; clients that have gone are forgotten within the grace, and so are those that take nothing for too long; whoever never reads
 * again hinders nobody; what a device says of a request reaches the client that has made it, and the name of the request
 * reaches nobody; a call ends when its longest time is up; all that is transmitted is JSON in its framing; the bridge sleeps
 * when there is nothing to do; `bridge_next` tells of each line that is to be moved; it ends within the grace; memory is given back.
 * Where memory is refused once it lives on, sleeps, ends, and gives back all the same; nothing else must hold then.
 *
 * Not checked: what the log says, the order of notifications, and requests in text that the script transmits raw. */
#include "bridge/world.h"

#include <stdlib.h>

enum { FAILS = 256 };

static char token[] = "token";

static void set_options(struct bridge_options *o)
{
	static const char *const protocols[] = { "mcp", "acp", "lsp", "jsonrpc" };
	static const uint32_t graces[] = { 2000, 300, 1, 0 };
	const uint8_t first = take(&world.script), second = take(&world.script), third = take(&world.script);
	world.protocol = first % 8 < 4 ? MCP : first % 8 - 4;
	o->protocol = bridge_protocol(protocols[world.protocol]);
	o->clients = first / 64 == 3 ? 2 : 16;
	world.listens = first / 8 % 4 != 0;
	o->listen_unix = world.listens ? "door" : NULL;
	o->listens_tcp = world.listens && first / 32 % 2 == 1;
	o->listen_host = "127.0.0.1";
	o->token = o->listens_tcp && second % 2 == 1 ? token : NULL;
	o->grace = graces[second / 2 % 4];
	o->wait = 1000;
	o->initialize_timeout = 500;
	o->timeout = second / 8 % 4 == 1 ? 700 : 0;
	o->idle = second / 32 % 4 == 1 ? 200 : 0;
	world.limits = second / 128 == 1;
	world.times = o->timeout != 0 || o->idle != 0;
	world.lean = third % 4 == 3;
	world.leases = third / 4 % 2 == 1;
	world.unplugs = third / 8 % 2 == 1;
	world.fails_at = third / 16 % 8 == 2 ? 1 + take_below(&world.script, FAILS) : 0;
	o->trace = third / 16 == 1 || getenv("FUZZ_LOUD") != NULL;
	o->level = o->trace ? LOG_DEBUG : LOG_ERROR;
	world.now = third >= 128 ? UINT32_MAX - 1500 : 100000;
	devices_choose(take(&world.script));
	show("protocol %s, %u devices, listens %d, token %s, grace %u, timeout %u, idle %u\n", protocols[world.protocol], world.device_count, world.listens,
		o->token != NULL ? o->token : "none", (unsigned)o->grace, (unsigned)o->timeout, (unsigned)o->idle);
	world.headers = world.protocol == LSP;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	world_play(data, size, set_options);
	return 0;
}
