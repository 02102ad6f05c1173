/* SPDX-License-Identifier: MIT
 * Each kind of answer, written into the smallest TX: what a slot's unions hold is what its answer reads. Each is a run
 * of its own, with this very message; the config is checked before, and in one of two proofs known (QUASH_THE_CONFIG). No
 * other thread takes part (volatile= in the settings).
 *
 * REFUSED: each kind is a fault of the method instead, and the answer says which, with its reason. */
#include "any.h"
#include "quash.h"

#ifdef REFUSED
enum { KINDS = 8, STEPS = 4 };
#else
enum { KINDS = 14, STEPS = 4 };
#endif

static quash_request slots[1];
static quash_word word;
static quash_counters counters;
static uint8_t ids[2 * QUASH_ID_MIN], arena[QUASH_ARENA_MIN], tx[QUASH_TX_MIN];
static quash_peer peer;
static int kind;
static bool mended;

static void put_long(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_put_text(w, "a text that is longer than what is left of the smallest buffer");
}

/* Wrong ones: one ends what it has not begun, one notifies. */
static void put_wrong(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_put_end(w);
}

static void put_notifying(quash_writer *w, const quash_request *request)
{
	(void)w;
	(void)request;
	(void)quash_notify(&peer, "note");
	(void)quash_notify_send(&peer);
}

static void put_table(quash_writer *w, const quash_request *request)
{
	quash_put_text(w, quash_table_of_(request));
}

static bool put_item(quash_writer *w, const quash_request *request, uint16_t index)
{
	(void)request;
	if (index == 0)
		quash_put_array(w);
	if (index < 3)
		quash_put_text(w, "some text of forty characters, or of less");
	return index < 3;
}

#ifdef REFUSED
/* Never called. */
static int32_t handle(quash_request *request)
{
	/*@ assert \false; */
	return quash_reply_null(request);
}
#else
static int32_t handle(quash_request *request)
{
	switch (kind) {
	case 0: return quash_reply(request, put_long);
	case 1: return quash_reply(request, put_wrong);
	case 2: return quash_reply(request, put_notifying);
	case 3: return quash_reply_items(request, put_item);
	case 4: return quash_reply_table_(request, put_table, "table");
	case 5: return quash_reply_int(request, -70);
	case 6: return quash_reply_bool(request, true);
	case 7: return quash_reply_null(request);
	case 8: return quash_reply_text(request, "text");
	case 9: return quash_fail(request, -1, "text");
	case 10: return quash_fail_data(request, -1, "text", put_long);
	case 11: return quash_fail_put(request, -1, put_long);
	case 12: return quash_fail_as(request, -1, put_long);
	default: return QUASH_CANCELLED;
	}
}
#endif

extern const quash_config config;

#ifdef REFUSED
static quash_method methods[] = { { .name = "a", .handler = handle } };

static void spoil(quash_method *method)
{
	switch (kind) {
	case 0: method->name = NULL; break;
	case 1: method->handler = NULL; break;
	case 2: method->state_size = 300; break;
	case 3: method->motion.longest = INT32_MAX + 1u; break;
	case 4: method->motion.lease = 10; break;
	case 5: method->marks = UINT8_MAX; break;
	case 6: method->name = "longer than the word, which has room for sixty-four characters, as is its default"; break;
	default: method->name = "\"\n"; method->handler = NULL; break;
	}
}

/* What was wrong may be set right since. */
static bool begin(void)
{
	const quash_method right = methods[0];
	quash_fault fault;
	spoil(&methods[0]);
	const bool begun = quash_init(&peer, &config, &fault);
	/*@ assert begun == 0; */
	if (mended)
		methods[0] = right;
	return !begun;
}
#else
static const quash_method methods[] = { { .name = "a", .handler = handle, .cancelled = "{}" } };

static bool begin(void)
{
	quash_fault fault;
	return quash_init(&peer, &config, &fault);
}
#endif

const quash_config config = {
	.dialect = &quash_jsonrpc,
	.methods = methods,
	.slots = slots,
	.word = &word,
	.counters = &counters,
	.ids = ids,
	.arena = arena,
	.tx = tx,
	.arena_size = QUASH_ARENA_MIN,
	.tx_size = QUASH_TX_MIN,
	.method_count = 1,
	.slot_count = 1,
	.id_size = QUASH_ID_MIN,
	.word_size = sizeof word.text,
#ifdef REFUSED
	.reasons = &quash_reasons,
	.faults = &quash_faults,
#endif
};

static const char message[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}\n";

int main(void)
{
	kind = Frama_C_interval(0, KINDS - 1);
	mended = any_bool();
	/*@ split kind; */
	/*@ split mended; */
	if (!begin())
		return 1;
	(void)quash_feed(&peer, (const uint8_t *)message, sizeof message - 1);
	for (int i = 0; i < STEPS; i++) {
		size_t n;
		(void)quash_step(&peer);
		(void)quash_out(&peer, &n);
		quash_sent(&peer, n);
	}
	return 0;
}
