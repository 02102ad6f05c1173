/* SPDX-License-Identifier: MIT
 * What is refused before it is used: a config with any numbers, any of its arrays missing, methods with any names, marks
 * and times, a dialect that lacks what it needs. Either one thing that a peer relies on is wrong, and all else is anything:
 * then it is refused. Or all of that is right, and what is not refused can be begun with.
 *
 * Its caller's part is taken for granted: arrays are as long as the counts say, texts end. Names are one of a few. */
#include "any.h"
#include "quash.h"

enum { METHODS = 3, SIZE = 64, WRONGS = 14 };

static quash_request slots[QUASH_SLOTS_MAX];
static union {
	quash_word word;
	uint8_t bytes[UINT8_MAX];
} longest;
static quash_counters counters;
static uint8_t ids[SIZE], tags[SIZE], states[SIZE], arena[SIZE], tx[SIZE];
static char reason[SIZE], long_name[UINT8_MAX + 2];
static quash_cancel_method cancels[2];
static quash_dialect dialect;
static quash_method methods[METHODS];
static quash_group group;
static quash_config config;
static quash_peer peer;

static int32_t handle(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static bool check(const quash_config *of, quash_fault *fault)
{
	(void)of;
	fault->table = "config";
	return any_bool();
}

static const char *any_name(void)
{
	switch (Frama_C_interval(0, 6)) {
	case 0: return NULL;
	case 1: return "";
	case 2: return "a";
	case 3: return "$/cancelRequest";
	case 4: return "cancel";
	case 5: return "longer than the smallest word";
	default: return long_name;
	}
}

static void be_any_method(quash_method *method)
{
	method->name = any_name();
	method->handler = any_bool() ? handle : NULL;
	method->marks = any_byte();
	method->motion.end = any_bool() ? handle : NULL;
	method->motion.longest = any_uint();
	method->motion.lease = any_uint();
	method->motion.group = any_bool() ? &group : NULL;
	method->state_size = (quash_size)any_uint();
}

static void be_any_dialect(void)
{
	dialect.cancels = any_bool() ? cancels : NULL;
	dialect.cancel_count = any_byte();
	dialect.cancel_id = any_bool() ? "id" : NULL;
	dialect.own_code = any_int();
	dialect.other_code = any_int();
	dialect.batch = any_bool() ? &quash_batch : NULL;
	dialect.framing = any_bool() ? QUASH_LINES : QUASH_CONTENT_LENGTH;
}

static void be_good_dialect(bool two)
{
	be_any_dialect();
	cancels[0].method = "$/cancelRequest";
	cancels[1].method = two ? "cancel" : NULL;
	dialect.cancels = cancels;
	dialect.cancel_count = two ? 2 : 1;
}

static void be_any_config(void)
{
	config.slot_count = any_byte();
	config.id_size = any_byte();
	config.word_size = any_byte();
	config.arena_size = (quash_size)any_uint();
	config.tx_size = (quash_size)any_uint();
	config.state_size = (quash_size)any_uint();
	config.tag_size = any_byte();
	config.reason_size = any_byte();
	config.method_count = any_byte();
	config.body_limit = any_uint();
	config.slots = any_bool() ? slots : NULL;
	config.word = any_bool() ? &longest.word : NULL;
	config.counters = any_bool() ? &counters : NULL;
	config.ids = any_bool() ? ids : NULL;
	config.arena = any_bool() ? arena : NULL;
	config.tx = any_bool() ? tx : NULL;
	config.states = any_bool() ? states : NULL;
	config.tags = any_bool() ? tags : NULL;
	config.reason = any_bool() ? reason : NULL;
	config.methods = any_bool() ? methods : NULL;
	config.dialect = any_bool() ? &dialect : NULL;
	config.check = any_bool() ? check : NULL;
}

/* What a peer relies on is there; all else is anything. */
static void be_good_config(bool none)
{
	config.slots = slots;
	config.slot_count = (uint8_t)Frama_C_interval(1, QUASH_SLOTS_MAX);
	config.word = &longest.word;
	config.word_size = (uint8_t)Frama_C_interval(QUASH_WORD_MIN, UINT8_MAX);
	config.ids = ids;
	config.id_size = (uint8_t)Frama_C_interval(QUASH_ID_MIN, UINT8_MAX);
	config.arena = arena;
	config.arena_size = (quash_size)Frama_C_unsigned_int_interval(QUASH_ARENA_MIN, (quash_size)-1);
	config.tx = tx;
	config.tx_size = (quash_size)Frama_C_unsigned_int_interval(QUASH_TX_MIN, (quash_size)-1);
	config.methods = none ? NULL : methods;
	config.method_count = none ? 0 : (uint8_t)any_size(METHODS);
	config.dialect = &dialect;
}

/* One thing is wrong. */
static void spoil(int which)
{
	switch (which) {
	case 0: config.slots = NULL; config.slot_count = (uint8_t)Frama_C_interval(1, UINT8_MAX); break;
	case 1: config.slot_count = 0; break;
	case 2: config.slot_count = (uint8_t)Frama_C_interval(QUASH_SLOTS_MAX + 1, UINT8_MAX); break;
	case 3: config.id_size = (uint8_t)any_size(QUASH_ID_MIN - 1); break;
	case 4: config.arena_size = (quash_size)any_size(QUASH_ARENA_MIN - 1); break;
	case 5: config.tx_size = (quash_size)any_size(QUASH_TX_MIN - 1); break;
	case 6: config.methods = NULL; config.method_count = (uint8_t)Frama_C_interval(1, UINT8_MAX); break;
	case 7: config.method_count = (uint8_t)Frama_C_interval(QUASH_METHODS_MAX + 1, UINT8_MAX); break;
	case 8: config.dialect = NULL; break;
	case 9: dialect.cancels = NULL; break;
	case 10: config.word = NULL; break;
	case 11: config.word_size = (uint8_t)any_size(QUASH_WORD_MIN - 1); break;
	case 12: dialect.cancel_count = 0; break;
	default: cancels[0].method = NULL; break;
	}
}

static void look(const quash_fault *fault)
{
	const char of = fault->table[0];
	(void)of;
}

int main(void)
{
	for (int i = 0; i < UINT8_MAX + 1; i++)
		long_name[i] = 'a';
	be_any_dialect();
	be_any_config();
	const int wrong = Frama_C_interval(0, WRONGS);
	const bool none = any_bool(), two = any_bool();
	/*@ split wrong; */
	/*@ split none; */
	/*@ split two; */
	if (wrong < WRONGS) {
		spoil(wrong);
	} else {
		be_good_config(none);
		be_good_dialect(two);
	}
	/*@ loop unroll METHODS; */
	for (int i = 0; i < METHODS; i++)
		be_any_method(&methods[i]);
	quash_fault fault = { .table = "none" };
	if (!quash_init(&peer, &config, any_bool() ? &fault : NULL)) {
		look(&fault);
		return 1;
	}
	/*@ assert wrong == WRONGS; */
	/*@ assert 1 <= config.slot_count <= QUASH_SLOTS_MAX; */
	/*@ assert config.id_size >= QUASH_ID_MIN; */
	/*@ assert config.word_size >= QUASH_WORD_MIN; */
	/*@ assert config.arena_size >= QUASH_ARENA_MIN; */
	/*@ assert config.tx_size >= QUASH_TX_MIN; */
	return 0;
}
