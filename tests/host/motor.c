/* SPDX-License-Identifier: MIT
 * A program on the loop of the host's others whose motor can be seen: on stderr.
 *
 * `turn` turns for ever; cancelled, it takes a while to stand still. `stay` does too, but without leaving its handler.
 * `shout` says more than anybody reads. */
#include "main.h"

#include <stdio.h>

enum { RAMP_MS = 150, LONGEST = 1 << 14 };

static struct host host;

struct turn {
	uint32_t since;
	bool begun, braking;
};

static int32_t turn(quash_request *request, quash_value params)
{
	struct turn *const t = quash_state(request);
	const uint32_t now = quash_now(quash_peer_of(request));
	(void)params;
	if (!t->begun)
		fputs("motor on\n", stderr);
	t->begun = true;
	if (!t->braking) {
		t->braking = quash_cancelled(request) != QUASH_NOT_CANCELLED;
		t->since = now;
		return quash_wait(request, 1);
	}
	return now - t->since < RAMP_MS ? quash_wait(request, 1) : QUASH_CANCELLED;
}

static int32_t stay(quash_request *request, quash_value params)
{
	(void)params;
	fputs("motor on\n", stderr);
	while (quash_cancelled(request) == QUASH_NOT_CANCELLED)
		host_pump(&host);
	return QUASH_CANCELLED;
}

static int32_t shout(quash_request *request, quash_value params)
{
	static const char words[LONGEST];
	(void)params;
	quash_put_string(quash_reply(request), words, sizeof words);
	return quash_send(request);
}

static void off(quash_request *request)
{
	(void)request;
	fputs("motor off\n", stderr);
}

static const quash_method methods[] = {
	{ .name = "turn", .handler = turn, .end = off },
	{ .name = "stay", .handler = stay, .end = off },
	{ .name = "shout", .handler = shout, .marks = QUASH_LONG },
};

QUASH_STORAGE(store, 16, 17, sizeof(struct turn), 1024, 256);

static const quash_config config = { QUASH_STORED(store), .dialect = &quash_jsonrpc, .methods = methods,
	.method_count = sizeof methods / sizeof methods[0] };

int main(void)
{
	return host_init(&host, &config) != NULL ? 2 : host_run(&host);
}
