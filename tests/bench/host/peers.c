/* SPDX-License-Identifier: MIT
 * peers COUNT MESSAGES
 *
 * So many peers in one program, each with memory of its own; a request to each in turn, answered before the next one gets
 * its own. Once around to be warm, then MESSAGES of them in `measured`. Prints the bytes of a peer with its memory, and
 * the nanoseconds of processor for all messages. */
#define _GNU_SOURCE 1
#include "quash/peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SLOTS = 4, ID_SIZE = 40, ARENA = 512, TX = 256 };

struct one {
	quash_peer peer;
	quash_config config;
	quash_request slots[SLOTS];
	quash_word word;
	quash_counters counters;
	uint8_t ids[(SLOTS + 1) * ID_SIZE];
	uint8_t arena[ARENA];
	uint8_t tx[TX];
};

static const char request[] = "{\"jsonrpc\":\"2.0\",\"id\":42,\"method\":\"ping\"}\n";
static const char answer[] = "{\"jsonrpc\":\"2.0\",\"id\":42,\"result\":{}}\n";

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "peers: %s\n", what);
	exit(1);
}

static int32_t ping(quash_request *r)
{
	return quash_reply_json(r, "{}");
}

static void make(struct one *one)
{
	static const quash_method methods[] = { { .name = "ping", .handler = ping } };
	const quash_config config = { .slot_count = SLOTS, .id_size = ID_SIZE, .arena_size = ARENA, .tx_size = TX,
		.slots = one->slots, .word = &one->word, .word_size = QUASH_WORD, .counters = &one->counters, .ids = one->ids, .arena = one->arena, .tx = one->tx, .dialect = &quash_jsonrpc,
		.methods = methods, .method_count = 1 };
	one->config = config;
	if (!quash_init(&one->peer, &one->config, NULL))
		fail("bad config");
}

/* Anything but the result is a refusal. */
static void serve(quash_peer *peer)
{
	size_t n;
	if (quash_feed(peer, (const uint8_t *)request, sizeof request - 1) != sizeof request - 1)
		fail("the request was not taken");
	quash_step(peer);
	const uint8_t *const bytes = quash_out(peer, &n);
	if (n != sizeof answer - 1 || memcmp(bytes, answer, n) != 0)
		fail("the answer is no result");
	quash_sent(peer, n);
}

/* What callgrind counts: a function that is seen from outside. */
void measured(struct one *all, size_t count, size_t messages);
__attribute__((noinline)) void measured(struct one *all, size_t count, size_t messages)
{
	for (size_t i = 0, peer = 0; i < messages; i++) {
		serve(&all[peer].peer);
		peer = peer + 1 < count ? peer + 1 : 0;
	}
}

static unsigned long long nanoseconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* others use the machine too */
	return (unsigned long long)t.tv_sec * 1000000000u + (unsigned long long)t.tv_nsec;
}

int main(int argc, char **argv)
{
	const size_t count = argc > 2 ? strtoul(argv[1], NULL, 10) : 0;
	const size_t messages = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	struct one *const all = count > 0 ? calloc(count, sizeof *all) : NULL;
	if (all == NULL)
		fail("usage: peers COUNT MESSAGES");
	for (size_t i = 0; i < count; i++) {
		make(&all[i]);
		serve(&all[i].peer);
	}
	const unsigned long long from = nanoseconds();
	measured(all, count, messages);
	printf("bytes %zu\nnanoseconds %llu\n", sizeof *all, nanoseconds() - from);
	free(all);
	return 0;
}
