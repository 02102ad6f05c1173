/* SPDX-License-Identifier: MIT
 * A message costs the same whether there is one peer or there are 10,000; a step costs in proportion to what is live. */
#include "drive.h"

enum { MOST_PEERS = 10000, SLOTS = 2, ID_SIZE = 17, ARENA = 64, TX = 64 };

static int32_t ok(quash_request *request)
{
	return quash_reply_text(request, "ok");
}

static const quash_method methods[] = { { .name = "ok", .handler = ok } };

static struct peer {
	quash_peer peer;
	quash_config config;
	quash_request slots[SLOTS];
	quash_word word;
	quash_counters counters;
	uint8_t ids[(SLOTS + 1) * ID_SIZE], arena[ARENA], tx[TX];
} peers[MOST_PEERS];

static void start(struct peer *p)
{
	p->config = (quash_config){ .slots = p->slots, .word = &p->word, .word_size = QUASH_WORD,
		.counters = &p->counters, .ids = p->ids, .arena = p->arena, .tx = p->tx, .slot_count = SLOTS, .id_size = ID_SIZE,
		.arena_size = ARENA, .tx_size = TX, .dialect = &quash_jsonrpc, .methods = methods, .method_count = 1 };
	if (!quash_init(&p->peer, &p->config, NULL))
		cost_check(false, "a peer does not begin");
}

/* From the first byte of a request to the last one of its answer. */
static uint64_t cost_of_message(struct peer *p)
{
	uint8_t text[100];
	const size_t n = cost_message("{'jsonrpc':'2.0','id':1,'method':'ok'}", text, sizeof text);
	const uint64_t before = cost_blocks;
	size_t out;
	const size_t taken = quash_feed(&p->peer, text, n);
	(void)quash_step(&p->peer);
	(void)quash_out(&p->peer, &out);
	quash_sent(&p->peer, out);
	if (taken != n || out == 0 || !quash_is_at_rest(&p->peer))
		cost_check(false, "a request is not answered");
	return cost_blocks - before;
}

static void check_peers(unsigned count, uint64_t of_one)
{
	uint64_t most = 0;
	for (unsigned i = 0; i < count; i++)
		start(&peers[i]);
	for (unsigned i = 0; i < count; i++) {
		const uint64_t blocks = cost_of_message(&peers[i]);
		most = blocks > most ? blocks : most;
	}
	cost_check(most == of_one, "%u peers: a message costs %llu blocks, with one peer %llu", count, (unsigned long long)most,
		(unsigned long long)of_one);
}

void cost_of_peers(void)
{
	start(&peers[0]);
	const uint64_t of_one = cost_of_message(&peers[0]);
	for (unsigned count = 1; count <= MOST_PEERS; count *= 10)
		check_peers(count, of_one);
}
