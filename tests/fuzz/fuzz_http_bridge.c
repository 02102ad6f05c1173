/* SPDX-License-Identifier: MIT
 * http_bridge: the data are a script for the HTTP side of quash-bridge in a world of memory (bridge/world.h, http/agents.h). The first
 * bytes choose devices and options; then clients of both eras transmit requests, in any pieces, resume streams, end sessions, close at any
 * point, and stop reading; some transmit what is wrong. At the end all are well-behaved, what broke off goes on, and all leave.
 *
 * What must hold: each request whose connection lives, or whose stream goes on, is answered once, by its own answer; a message reaches
 * whom it concerns, on the stream of its request, and each event once, without a gap, whatever breaks off; a modern request whose
 * connection has closed is cancelled at its device, once; a legacy one is not before its session ends, or is without a connection for a
 * lease; a session that has ended has no streams; whoever reads gets at once what a device has answered, whoever else does not read; each
 * response is HTTP, and has the status that is due; a connection is closed only for a reason; after all have gone nothing is left of them.
 * What must hold of memory and of `bridge_next` stands in fuzz_quash_bridge.c.
 *
 * Not checked: what the log says, and which messages a client gets that has asked for none. */
#include "http/agents.h"

#include <stdlib.h>

enum { FAILS = 1000 };

static char token[] = "token";

static void set_options(struct bridge_options *o)
{
	static const uint32_t graces[] = { 2000, 300, 1, 0 }, idles[] = { 0, 0, 900, 2500 };
	const uint8_t first = take(&world.script), second = take(&world.script), third = take(&world.script);
	o->protocol = bridge_protocol("mcp");
	o->clients = 16;
	world.listens = o->listens_http = true;
	o->http_host = "127.0.0.1";
	o->page = "<!doctype html>";
	o->token = first % 8 == 1 ? token : NULL;
	o->session_idle = idles[first / 8 % 4];
	o->grace = graces[second / 2 % 4];
	o->wait = 1000;
	o->initialize_timeout = 500;
	o->timeout = second / 8 % 8 == 1 ? 700 : 0;
	world.limits = second / 64 == 1;
	world.times = o->timeout != 0;
	world.lean = third % 8 == 3;
	world.leases = third / 8 % 2 == 1;
	world.unplugs = third / 16 % 4 == 1;
	world.fails_at = third / 16 == 2 ? 1 + take_below(&world.script, FAILS) : 0;
	o->trace = getenv("FUZZ_LOUD") != NULL;
	o->level = o->trace ? LOG_DEBUG : LOG_ERROR;
	world.now = third >= 192 ? UINT32_MAX - 1500 : 100000;
	devices_choose(take(&world.script));
	show("%u devices, token %s, grace %u, timeout %u, session idle %u, leases %d\n", world.device_count, o->token != NULL ? o->token : "none", (unsigned)o->grace,
		(unsigned)o->timeout, (unsigned)o->session_idle, world.leases);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	world_play(data, size, set_options);
	return 0;
}
