/* SPDX-License-Identifier: MIT
 * What is refused before it is used: a config with any numbers, any of its arrays missing, methods with any names, marks
 * and times, a dialect that lacks what it needs. What is not refused can be begun with, and has what a peer relies on.
 *
 * Its caller's part is taken for granted: arrays are as long as the counts say, texts end. Names are one of a few. */
#include "any.h"
#include "quash.h"

enum { METHODS = 3, SIZE = 64 };

static quash_request slots[QUASH_SLOTS_MAX];
static uint8_t ids[SIZE], tags[SIZE], states[SIZE], arena[SIZE], tx[SIZE];
static char reason[SIZE], long_name[UINT8_MAX + 2];
static quash_dialect dialect;
static quash_method methods[METHODS];
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
	switch (Frama_C_interval(0, 5)) {
	case 0: return NULL;
	case 1: return "";
	case 2: return "a";
	case 3: return "$/cancelRequest";
	case 4: return "cancel";
	default: return long_name;
	}
}

static void be_any_method(quash_method *method)
{
	method->name = any_name();
	method->handler = any_bool() ? handle : NULL;
	method->marks = any_byte();
	method->deadline = any_uint();
	method->lease = any_uint();
	method->state_size = (quash_size)any_uint();
}

static void be_any_dialect(void)
{
	static quash_cancel_method cancels[2];
	cancels[0].method = any_bool() ? "$/cancelRequest" : NULL;
	cancels[1].method = any_bool() ? "cancel" : NULL;
	dialect.cancels = any_bool() ? cancels : NULL;
	dialect.cancel_count = (uint8_t)any_size(2);
	dialect.cancel_id = any_bool() ? "id" : NULL;
	dialect.own_code = any_int();
	dialect.other_code = any_int();
	dialect.batch = any_bool() ? &quash_batch : NULL;
	dialect.framing = any_bool() ? QUASH_LINES : QUASH_CONTENT_LENGTH;
}

static void have_any_sizes(void)
{
	config.slot_count = any_byte();
	config.id_size = any_byte();
	config.arena_size = (quash_size)any_uint();
	config.tx_size = (quash_size)any_uint();
	config.state_size = (quash_size)any_uint();
	config.tag_size = any_byte();
	config.reason_size = any_byte();
	config.method_count = any_bool() ? (uint8_t)any_size(METHODS) : QUASH_METHODS_MAX + 1;
	config.body_limit = any_uint();
}

static void have_any_arrays(void)
{
	config.slots = any_bool() ? slots : NULL;
	config.ids = any_bool() ? ids : NULL;
	config.arena = any_bool() ? arena : NULL;
	config.tx = any_bool() ? tx : NULL;
	config.states = any_bool() ? states : NULL;
	config.tags = any_bool() ? tags : NULL;
	config.reason = any_bool() ? reason : NULL;
	const bool has_methods = any_bool(), has_dialect = any_bool();
	/*@ split has_methods; */
	/*@ split has_dialect; */
	config.methods = has_methods ? methods : NULL;
	config.dialect = has_dialect ? &dialect : NULL;
	config.check = any_bool() ? check : NULL;
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
	have_any_sizes();
	have_any_arrays();
	be_any_dialect();
	/*@ loop unroll METHODS; */
	for (int i = 0; i < METHODS; i++)
		be_any_method(&methods[i]);
	quash_fault fault = { .table = "none" };
	if (!quash_init(&peer, &config, any_bool() ? &fault : NULL)) {
		look(&fault);
		return 1;
	}
	/*@ assert 1 <= config.slot_count <= QUASH_SLOTS_MAX; */
	/*@ assert config.id_size >= QUASH_ID_MIN; */
	/*@ assert config.arena_size >= QUASH_ARENA_MIN; */
	/*@ assert config.tx_size >= QUASH_TX_MIN; */
	return 0;
}
