/* SPDX-License-Identifier: MIT
 * A config that is known where the library is compiled: the same bytes, whole and one by one, must give the same answers. */
#define QUASH_THE_CONFIG known_config
#include "quash.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_OUT = 1 << 16, MOST_STEPS = 100000 };

static void put_same(quash_writer *w, const quash_request *request)
{
	quash_put_value(w, quash_params_of(request));
}

static int32_t echo(quash_request *request)
{
	return quash_reply(request, put_same);
}

static int32_t stay(quash_request *request)
{
	return quash_wait(request, 1000);
}

static const quash_method methods[] = { { .name = "echo", .handler = echo }, { .name = "wait", .handler = stay }, { .name = "",
	.handler = echo, .marks = QUASH_NOTIFICATION } };
QUASH_STORAGE(store, 3, 17, 0, 96, 128);
const quash_config known_config = { QUASH_CONFIG(store, &quash_jsonrpc, methods) };

struct written {
	uint8_t bytes[MOST_OUT];
	size_t count;
};

static void drain(quash_peer *peer, struct written *to)
{
	size_t n;
	const uint8_t *bytes;
	while (bytes = quash_out(peer, &n), n > 0) {
		const size_t kept = n < MOST_OUT - to->count ? n : MOST_OUT - to->count;
		memcpy(to->bytes + to->count, bytes, kept);
		to->count += kept;
		quash_sent(peer, n);
	}
}

/* How many bytes are taken, in pieces of `piece`. */
static size_t feed(quash_peer *peer, const uint8_t *data, size_t n, size_t piece)
{
	size_t at = 0;
	while (at < n) {
		const size_t length = n - at < piece ? n - at : piece;
		const size_t taken = quash_feed(peer, data + at, length);
		at += taken;
		if (taken < length)
			break;
	}
	return at;
}

static void serve(const uint8_t *data, size_t n, size_t piece, struct written *to)
{
	static quash_peer peer;
	size_t at = 0;
	to->count = 0;
	if (!quash_init(&peer, &known_config, NULL))
		abort();
	for (uint32_t step = 0; at < n; step++) {
		at += feed(&peer, data + at, n - at, piece);
		quash_tick(&peer, step);
		quash_step(&peer);
		drain(&peer, to);
		if (step == MOST_STEPS)
			abort();
	}
	quash_cancel_all(&peer);
	quash_step(&peer);
	drain(&peer, to);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static struct written whole, single;
	serve(data, n, n > 0 ? n : 1, &whole);
	serve(data, n, 1, &single);
	if (whole.count != single.count || memcmp(whole.bytes, single.bytes, whole.count) != 0)
		abort();
	return 0;
}

#include "quash.c"
