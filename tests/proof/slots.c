/* SPDX-License-Identifier: MIT
 * The slots: claimed and freed in any order, while anything stands in those that are looked at, and in the one that is
 * received. */
#include "any.h"
#include "core/slots.h"

#ifndef SLOTS
#define SLOTS 2
#endif
#ifndef ID
#define ID QUASH_ID_MIN
#endif
#ifndef TAG
#define TAG 5
#endif

enum { ARENA = 19, STATE = 3 };

static quash_request slots[SLOTS];
static quash_word word;
static quash_counters counters;
static uint8_t ids[(SLOTS + 1) * ID], tags[(SLOTS + 1) * TAG], states[SLOTS * STATE], arena[ARENA];

static int32_t end(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static const quash_method methods[2] = { { .name = "a" }, { .name = "b", .motion = { .end = end, .longest = QUASH_NO_LIMIT } } };

static const quash_config config = {
	.methods = methods,
	.slots = slots,
	.word = &word,
	.counters = &counters,
	.ids = ids,
	.states = states,
	.tags = tags,
	.arena = arena,
	.arena_size = ARENA,
	.state_size = STATE,
	.method_count = 2,
	.slot_count = SLOTS,
	.id_size = ID,
	.word_size = sizeof word.text,
	.tag_size = TAG,
};

static quash_peer peer;

static quash_request *any_slot(void)
{
	return any_bool() ? quash_received(&peer) : quash_slot(&peer, any_byte());
}

static void change(quash_request *slot)
{
	slot->life = any_byte();
	slot->answer = any_byte();
	slot->method = any_byte();
	slot->id_kind = any_byte();
	slot->id_length = any_byte();
	slot->tag_length = any_byte();
	peer.writer.size = 1; /* it has TX: it is not silent */
	peer.in.id_kind = any_byte();
	peer.in.id_length = any_byte();
	peer.in.tag_length = any_byte();
	slot->tape = (quash_size)any_size(ARENA);
	slot->tape_size = (quash_size)any_size(ARENA);
	peer.tape.start = (quash_size)any_size(ARENA);
	peer.tape.length = (quash_size)any_size(ARENA);
}

static void look(const quash_request *slot)
{
	const quash_method *method = quash_slot_method(slot);
	const char *name = method != NULL ? method->name : "";
	(void)name[0];
	(void)quash_slot_named(slot);
	(void)quash_slot_marked(slot, any_byte());
	(void)quash_slot_drops(slot);
	(void)quash_id_byte(slot, any_byte());
	(void)quash_slots_have_room(&peer);
	(void)quash_slot_of_id(&peer);
	(void)quash_tag_same(slot, any_slot());
}

static void turn(quash_request *slot)
{
	switch (Frama_C_interval(0, 7)) {
	case 0: quash_slots_receive(&peer); break;
	case 1: (void)quash_slot_claim(&peer); break;
	case 2: quash_slot_free(slot); break;
	case 3: quash_arena_pack(&peer); break;
	case 4: quash_id_append(&peer, any_byte()); break;
	case 5: quash_tag_append(&peer, any_byte()); break;
	case 6: quash_note(slot, (quash_event)Frama_C_interval(QUASH_RECEIVED, QUASH_MISUSED)); break;
	default: peer.now = any_uint(); break;
	}
}

int main(void)
{
	peer.config = &config;
	quash_slots_init(&peer);
	/*@ widen_hints global:"all", ID, TAG, ARENA; */
	while (any_bool()) {
		if (any_bool())
			change(any_slot());
		turn(any_slot());
		look(any_slot());
	}
	return 0;
}
