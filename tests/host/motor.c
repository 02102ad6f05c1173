/* SPDX-License-Identifier: MIT
 * A program on the loop of the host's others whose motor can be seen: on stderr.
 *
 * `turn` turns for ever; cancelled, it takes a while to stand still. `stay` does too, but without leaving its handler.
 * `ramp` is over at once, and then its `end` hook takes a while to bring the motor to rest; that of `runaway` never
 * does. `shout` transmits more than anybody reads. */
#include "main.h"

#include <stdio.h>

enum { RAMP_MS = 150, LONG_RAMP_MS = 600, LONGEST = 1 << 14 };

static struct host host = { .name = "motor" };

struct turn {
	uint32_t since;
	bool begun, braking;
};

static uint32_t now(const quash_request *request)
{
	return quash_now(quash_peer_of(request));
}

static int32_t turn(quash_request *request)
{
	struct turn *const t = QUASH_STATE(struct turn, request);
	if (!t->begun)
		fputs("motor on\n", stderr);
	t->begun = true;
	if (!t->braking) {
		t->braking = quash_cancelled(request) != QUASH_NOT_CANCELLED;
		t->since = now(request);
		return quash_wait(request, 1);
	}
	return now(request) - t->since < RAMP_MS ? quash_wait(request, 1) : QUASH_CANCELLED;
}

static int32_t stay(quash_request *request)
{
	fputs("motor on\n", stderr);
	while (quash_cancelled(request) == QUASH_NOT_CANCELLED)
		host_pump(&host);
	return QUASH_CANCELLED;
}

static int32_t start(quash_request *request)
{
	fputs("motor on\n", stderr);
	return quash_reply_null(request);
}

static void put_words(quash_writer *w, const quash_request *request)
{
	static const char words[LONGEST];
	(void)request;
	quash_put_string(w, words, sizeof words);
}

static int32_t shout(quash_request *request)
{
	return quash_reply(request, put_words);
}

static int32_t off(quash_request *request)
{
	(void)request;
	fputs("motor off\n", stderr);
	return QUASH_DONE;
}

static int32_t brake(quash_request *request)
{
	struct turn *const t = QUASH_STATE(struct turn, request);
	if (!t->braking)
		t->since = now(request);
	t->braking = true;
	return now(request) - t->since < LONG_RAMP_MS ? quash_wait(request, 1) : off(request);
}

static int32_t never(quash_request *request)
{
	(void)request;
	return QUASH_PENDING;
}

static const quash_method methods[] = {
	{ .name = "turn", .handler = turn, .motion = { .end = off, .longest = QUASH_NO_LIMIT }, .state_size = sizeof(struct turn), .marks = QUASH_FINISHES },
	{ .name = "stay", .handler = stay, .motion = { .end = off, .longest = QUASH_NO_LIMIT }, .marks = QUASH_FINISHES },
	{ .name = "ramp", .handler = start, .motion = { .end = brake, .longest = QUASH_NO_LIMIT }, .state_size = sizeof(struct turn), .marks = QUASH_FINISHES },
	{ .name = "runaway", .handler = start, .motion = { .end = never, .longest = QUASH_NO_LIMIT }, .marks = QUASH_FINISHES },
	{ .name = "shout", .handler = shout },
};

QUASH_STORAGE(store, 16, 17, sizeof(struct turn), 1024, 256);

static const quash_config config = { QUASH_STORED(store), .dialect = &quash_jsonrpc, .methods = methods,
	.method_count = sizeof methods / sizeof methods[0] };

int main(void)
{
	return host_run(&host, &config);
}
