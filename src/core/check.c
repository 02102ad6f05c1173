/* SPDX-License-Identifier: MIT
 * What can be known of a config before it is used. */
#include "faults.h"

#include "../json/c_text.h"
#include "../json/rom.h"
#include "envelope.h"

#include <stddef.h>

/* For what has no sizes. `wrong` may be NULL: nothing is. */
static bool is_wrong(quash_fault *fault, const char *wrong)
{
	return wrong != NULL && quash_is_fault(fault, wrong, 0, 0);
}

/* --- Sizes, and the arrays that they are of */

struct extent {
	const char *size, *array;
	uint8_t size_at, size_width, array_at;
	uint8_t least;
	uint32_t most;
};

#define EXTENT(size, array, least, most) \
	{ IS_SMALL #size, IS_MISSING #array, offsetof(quash_config, size), sizeof(((quash_config *)0)->size), offsetof(quash_config, array), least, most }

static uint32_t size_of(const quash_config *c, const struct extent *e)
{
	const uint8_t *at = (const uint8_t *)c + e->size_at;
	return e->size_width == 1 ? *at : *(const quash_size *)(const void *)at;
}

static bool is_array(const quash_config *c, const struct extent *e)
{
	return *(void *const *)(const void *)((const uint8_t *)c + e->array_at) != NULL;
}

static bool is_wrong_extent(const quash_config *c, const struct extent *e, quash_fault *fault)
{
	const uint32_t size = size_of(c, e);
	const bool large = size > e->most;
	if (large || size < e->least) {
		(void)quash_is_fault(fault, e->size, size, large ? e->most : e->least);
		fault->reason = large ? QUASH_FAULT_LARGE : QUASH_FAULT_SMALL;
		return true;
	}
	return size > 0 && !is_array(c, e) && quash_is_fault(fault, e->array, 0, 0);
}

/* What a peer needs to answer at all. */
static bool is_wrong_size(const quash_config *c, quash_fault *fault)
{
	static const struct extent extents[] = {
		EXTENT(slot_count, slots, 1, QUASH_SLOTS_MAX),
		EXTENT(id_size, ids, QUASH_ID_MIN, UINT8_MAX),
		EXTENT(word_size, word, QUASH_WORD_MIN, UINT8_MAX),
		EXTENT(arena_size, arena, QUASH_ARENA_MIN, 0xFFFFFF), /* the lengths on a tape have 24 bits */
		EXTENT(tx_size, tx, QUASH_TX_MIN, UINT32_MAX),
		EXTENT(tag_size, tags, 0, NO_INDEX - 1),
		EXTENT(reason_size, reason, 0, UINT8_MAX),
		EXTENT(state_size, states, 0, UINT32_MAX),
	};
	uint8_t i = 0;
	while (i < sizeof extents / sizeof *extents && !is_wrong_extent(c, &extents[i], fault))
		i++;
	return i < sizeof extents / sizeof *extents;
}

static bool is_wrong_table(const quash_config *c, quash_fault *fault)
{
	static const struct extent methods = EXTENT(method_count, methods, 0, QUASH_METHODS_MAX);
	return is_wrong_extent(c, &methods, fault);
}

struct padded {
	char first;
	void *pointer;
};

/* 1 where nothing is aligned, whatever the size of a pointer. */
enum { ALIGNMENT = offsetof(struct padded, pointer) };

static bool are_states_askew(const quash_config *c, quash_fault *fault)
{
	const uint32_t size = c->state_size;
	const uint32_t next = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	if (size == 0)
		return false;
	if (size != next)
		return quash_is_fault(fault, IS_ASKEW "state_size", size, next);
	return (uintptr_t)c->states % ALIGNMENT != 0 && is_wrong(fault, IS_ASKEW "states");
}

/* --- Names: while they are received, they stand in the word */

/* A name is compared if another character would still have room. What is in no word is not counted on. */
static uint16_t word_for(const char *name)
{
	uint16_t n = QUASH_LEX_ROOM;
	while (n <= UINT8_MAX && quash_rom(&name[n - QUASH_LEX_ROOM]) != '\0')
		n++;
	return n;
}

/* One of these names is too long: one stands at the beginning of each `stride` bytes. */
static bool is_word_short(const quash_config *c, const void *first, uint8_t stride, uint8_t count, quash_fault *fault)
{
	const uint8_t *at = first;
	uint16_t needs = 0;
	/*@ loop unroll 4; */
	for (uint8_t i = 0; i < count && needs <= c->word_size; i++) {
		const char *const name = quash_rom_text((const char *const *)(const void *)at);
		needs = name != NULL ? word_for(name) : 0;
		at += stride;
	}
	return needs > c->word_size && quash_is_fault(fault, IS_SMALL "word_size", c->word_size, needs);
}

/* --- The dialect */

static bool are_cancels_wrong(const quash_dialect *d)
{
	uint8_t i = 0;
	if (d->cancels == NULL || d->cancel_count > QUASH_METHODS_MAX)
		return true;
	while (i < d->cancel_count && d->cancels[i].method != NULL)
		i++;
	return i == 0 || i < d->cancel_count;
}

static quash_fault_reason reason_of_dialect(const quash_dialect *d)
{
	if (d == NULL)
		return QUASH_FAULT_MISSING;
	if (are_cancels_wrong(d))
		return QUASH_FAULT_CANCELS;
	if (d->cancel_id == NULL)
		return QUASH_FAULT_CANCEL_ID;
	if (d->own_code >= 0 || d->other_code > 0)
		return QUASH_FAULT_CODES;
	return d->batch != NULL && d->framing != QUASH_LINES ? QUASH_FAULT_BATCH : QUASH_FAULT_NONE;
}

static bool is_wrong_dialect(const quash_dialect *d, quash_fault *fault)
{
	const quash_fault_reason reason = reason_of_dialect(d);
	(void)is_wrong(fault, IS_MISSING "dialect");
	fault->reason = reason;
	return reason != QUASH_FAULT_NONE;
}

static bool are_its_names_long(const quash_config *c, quash_fault *fault)
{
	const quash_dialect *d = c->dialect;
	return is_word_short(c, d->cancels, sizeof *d->cancels, d->cancel_count, fault) ||
		is_word_short(c, &d->cancel_id, sizeof d->cancel_id, P_COUNT, fault);
}

/* --- Methods */

static bool is_notification(const quash_method *method)
{
	return (method->marks & QUASH_NOTIFICATION) != 0;
}

/* The entry for all other names may stand once for requests and once for notifications. What is stored of params is decided before
 * it is known which. */
static bool clashes(const quash_method *a, const quash_method *b)
{
	return quash_same_text(a->name, b->name) &&
		(quash_rom(a->name) != '\0' || is_notification(a) == is_notification(b) || ((a->marks ^ b->marks) & QUASH_LISTED) != 0);
}

/* The dialect takes these names itself: a handler of requests by that name is never called. */
static bool is_taken(const quash_dialect *d, const quash_method *method)
{
	uint8_t i = 0;
	while (i < d->cancel_count && !quash_same_text(method->name, d->cancels[i].method))
		i++;
	return i < d->cancel_count && !is_notification(method);
}

static const char *wrong_name(const quash_config *c, uint8_t i)
{
	const quash_method *method = &c->methods[i];
	uint8_t k = 0;
	if (method->name == NULL)
		return IS_MISSING "name";
	if (word_for(method->name) > UINT8_MAX)
		return IS_LONG "name";
	if (is_taken(c->dialect, method))
		return IS_TAKEN "name";
	while (k < i && !clashes(method, &c->methods[k]))
		k++;
	return k < i ? IS_TWICE "name" : NULL;
}

static bool are_wrong_marks(uint8_t marks)
{
	const uint8_t both = QUASH_DROPS | QUASH_PARTIAL;
	const uint8_t of_requests = QUASH_PARTIAL | QUASH_SESSION;
	return marks > (QUASH_NOTIFICATION | both | QUASH_SESSION | QUASH_LISTED) || (marks & both) == both ||
		((marks & QUASH_NOTIFICATION) != 0 && (marks & of_requests) != 0);
}

static bool is_too_late(quash_fault *fault, const char *member, uint32_t ms)
{
	return ms > INT32_MAX && quash_is_fault(fault, member, ms, INT32_MAX);
}

/* The wrong member, or NULL. */
static const char *wrong_member_of_method(const quash_config *c, uint8_t i)
{
	const char *const name = wrong_name(c, i);
	if (name != NULL)
		return name;
	if (are_wrong_marks(c->methods[i].marks))
		return HAS_WRONG_MARKS "marks";
	return c->methods[i].handler == NULL ? IS_MISSING "handler" : NULL;
}

/* What has a lease moves something: it must come to rest, whatever its client has forgotten. */
static bool is_wrong_motion(const quash_method *method, quash_fault *fault)
{
	if ((method->deadline != QUASH_NO_LIMIT && is_too_late(fault, IS_LARGE "deadline", method->deadline)) ||
		is_too_late(fault, IS_LARGE "lease", method->lease))
		return true;
	const bool ends = method->end != NULL;
	return method->lease > 0 && (!ends || method->deadline == 0) && is_wrong(fault, ends ? HAS_NO_LIMIT "deadline" : HAS_NO_END "end");
}

static bool is_wrong_method(const quash_config *c, uint8_t i, quash_fault *fault)
{
	const quash_method *method = &c->methods[i];
	fault->table = "methods";
	fault->name = method->name;
	fault->index = i;
	return is_wrong(fault, wrong_member_of_method(c, i)) || is_word_short(c, method, 0, 1, fault) ||
		is_wrong_motion(method, fault) || quash_is_state_short(fault, c, method->state_size);
}

static bool is_any_method_wrong(const quash_config *c, quash_fault *fault)
{
	uint8_t i = 0;
	while (i < c->method_count && !is_wrong_method(c, i, fault))
		i++;
	return i < c->method_count;
}

/* --- All of it */

static void is_of_config(quash_fault *fault)
{
	fault->table = "config";
	fault->name = NULL;
	fault->index = 0;
}

bool quash_is_config_mute(const quash_config *config, quash_fault *fault)
{
	is_of_config(fault);
	if (config == NULL)
		return is_wrong(fault, IS_MISSING "config");
	if (quash_is_other_config(config))
		return is_wrong(fault, IS_ANOTHER "QUASH_THE_CONFIG");
	return is_wrong_size(config, fault) || is_wrong_dialect(config->dialect, fault);
}

bool quash_is_config_wrong(const quash_config *config, quash_fault *fault)
{
	is_of_config(fault);
	return is_wrong_table(config, fault) || are_states_askew(config, fault) || are_its_names_long(config, fault) || is_any_method_wrong(config, fault) ||
		(config->check != NULL && !config->check(config, fault));
}
