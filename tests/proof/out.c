/* SPDX-License-Identifier: MIT
 * What is shown to the port lies in the TX buffer, wherever its reading has come to: notifications are written
 * and leave in pieces of any length. */
#include "any.h"
#include "quash.h"

#ifndef DIALECT
#define DIALECT quash_acp
#endif

enum { SLOTS = 2 };

static quash_request slots[SLOTS];
static quash_word word;
static quash_counters counters;
static uint8_t ids[(SLOTS + 1) * QUASH_ID_MIN], arena[QUASH_ARENA_MIN], tx[QUASH_TX_MIN];
static quash_peer peer;

#ifndef QUASH_THE_CONFIG
static
#endif
const quash_config out_config = {
	.dialect = &DIALECT,
	.slots = slots,
	.word = &word,
	.counters = &counters,
	.ids = ids,
	.arena = arena,
	.tx = tx,
	.arena_size = QUASH_ARENA_MIN,
	.tx_size = QUASH_TX_MIN,
	.slot_count = SLOTS,
	.id_size = QUASH_ID_MIN,
	.word_size = sizeof word.text,
};

static void notify(void)
{
	quash_writer *w = quash_notify(&peer, "note");
	while (any_bool())
		quash_put_int(w, any_int());
	(void)quash_notify_send(&peer);
}

static void drain(void)
{
	size_t n;
	(void)quash_out(&peer, &n); /* may close the gap in front */
	/*@ split peer.writer.sent; */
	/*@ split peer.out.crowded; */
	const uint8_t *data = quash_out(&peer, &n);
	const uint8_t last = n > 0 ? data[n - 1] : 0;
	(void)last;
	quash_sent(&peer, any_size(QUASH_TX_MIN));
}

int main(void)
{
#ifdef QUASH_THE_CONFIG
	quash_start_with_(&peer, quash_the_config_());
#else
	quash_start_with_(&peer, &out_config);
#endif
	/*@ widen_hints global:"all", QUASH_TX_MIN; */
	while (any_bool()) {
		notify();
		drain();
	}
	return 0;
}
