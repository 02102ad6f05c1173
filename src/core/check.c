/* SPDX-License-Identifier: MIT
 * What can be known of a config before it is used. */
#include "faults.h"

#include "../json/c_text.h"
#include "../json/rom.h"
#include "envelope.h"

#include <stddef.h>

/* The first thing that is wrong. True, so that `||` can follow. */
static bool is_fault(quash_fault *fault, const char *member, uint32_t is, uint32_t needs)
{
	fault->member = member;
	fault->is = is;
	fault->needs = needs;
	return true;
}

/* --- Sizes, and the arrays that they are of */

struct extent {
	const char *size, *array;
	uint8_t size_at, array_at;
	uint8_t least, most; /* WIDE: it is a quash_size */
};

enum { WIDE };

#define EXTENT(size, array, least, most) \
	{ #size, #array, offsetof(quash_config, size), offsetof(quash_config, array), least, most }

static uint32_t size_of(const quash_config *c, const struct extent *e)
{
	const uint8_t *at = (const uint8_t *)c + e->size_at;
	return e->most != WIDE ? *at : *(const quash_size *)(const void *)at;
}

/* The lengths on a tape have 24 bits. */
static uint32_t most_of(const struct extent *e)
{
	if (e->most != WIDE)
		return e->most;
	return e->array_at == offsetof(quash_config, arena) ? 0xFFFFFF : UINT32_MAX;
}

static bool is_array(const quash_config *c, const struct extent *e)
{
	return *(void *const *)(const void *)((const uint8_t *)c + e->array_at) != NULL;
}

static bool is_wrong_extent(const quash_config *c, const struct extent *e, quash_fault *fault)
{
	const uint32_t size = size_of(c, e), most = most_of(e);
	if (size < e->least || size > most)
		return is_fault(fault, e->size, size, size < e->least ? e->least : most);
	return size > 0 && !is_array(c, e) && is_fault(fault, e->array, 0, 0);
}

/* What a peer needs to answer at all stands before the methods. */
static bool is_wrong_size(const quash_config *c, quash_fault *fault)
{
	static const struct extent extents[] = {
		EXTENT(slot_count, slots, 1, QUASH_SLOTS_MAX),
		EXTENT(id_size, ids, QUASH_ID_MIN, UINT8_MAX),
		EXTENT(word_size, word, QUASH_WORD_MIN, UINT8_MAX),
		EXTENT(arena_size, arena, QUASH_ARENA_MIN, WIDE),
		EXTENT(tx_size, tx, QUASH_TX_MIN, WIDE),
		EXTENT(tag_size, tags, 0, NO_INDEX - 1),
		EXTENT(reason_size, reason, 0, UINT8_MAX),
		EXTENT(text_size, texts, 0, UINT8_MAX),
		EXTENT(state_size, states, 0, WIDE),
		EXTENT(method_count, methods, 0, QUASH_METHODS_MAX),
	};
	uint8_t i = 0;
	while (i < sizeof extents / sizeof *extents && !is_wrong_extent(c, &extents[i], fault))
		i++;
	return i < sizeof extents / sizeof *extents;
}

static bool are_states_askew(const quash_config *c, quash_fault *fault)
{
	return c->state_size > 0 && quash_are_states_askew(c) &&
		is_fault(fault, "state_size", c->state_size, QUASH_STATE_ALIGNMENT);
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
QUASH_INLINED_ static bool is_word_short(
	const quash_config *c, const void *first, uint8_t stride, uint8_t count, quash_fault *fault)
{
	const uint8_t *at = first;
	uint16_t needs = 0;
	/*@ loop unroll 5; */
	for (uint8_t i = 0; i < count && needs <= c->word_size; i++) {
		const char *const name = quash_rom_text((const char *const *)(const void *)at);
		needs = name != NULL ? word_for(name) : 0;
		at += stride;
	}
	return needs > c->word_size && is_fault(fault, "word_size", c->word_size, needs);
}

/* --- The dialect */

static bool are_good_cancels(const quash_dialect *d)
{
	uint8_t i = 0;
	if (d->cancels == NULL || d->cancel_count > QUASH_METHODS_MAX)
		return false;
	while (i < d->cancel_count && d->cancels[i].method != NULL)
		i++;
	return i > 0 && i == d->cancel_count;
}

static bool is_wrong_dialect(const quash_dialect *d, quash_fault *fault)
{
	const bool good = d != NULL && are_good_cancels(d) && d->cancel_id != NULL && d->own_code < 0 &&
		d->other_code <= 0 && (d->batch == NULL || d->framing == QUASH_LINES);
	return !good && is_fault(fault, "dialect", 0, 0);
}

static bool are_its_names_long(const quash_config *c, quash_fault *fault)
{
	const quash_dialect *d = c->dialect;
	return is_word_short(c, d->cancels, sizeof *d->cancels, d->cancel_count, fault) ||
		is_word_short(c, &d->cancel_id, sizeof d->cancel_id, P_COUNT, fault);
}

/* --- Motions */

static bool is_too_late(quash_fault *fault, const char *member, uint32_t ms)
{
	return ms > INT32_MAX && is_fault(fault, member, ms, INT32_MAX);
}

/* Half of one would move something that nothing brings to rest, or for ever. */
bool quash_is_motion_wrong(const QUASH_FLASH quash_motion *motion, quash_fault *fault)
{
	const bool ends = motion->end != NULL, is_limited = motion->longest != 0;
	if (!ends && !is_limited && motion->lease == 0 && motion->group == NULL)
		return false;
	if (!ends)
		return is_fault(fault, "motion.end", 0, 0);
	if (!is_limited)
		return is_fault(fault, "motion.longest", 0, 0);
	return (motion->longest != QUASH_NO_LIMIT && is_too_late(fault, "motion.longest", motion->longest)) ||
		is_too_late(fault, "motion.lease", motion->lease);
}

/* --- Methods */

static bool is_notification(const quash_method *method)
{
	return (method->marks & QUASH_NOTIFICATION) != 0;
}

static bool is_both(const quash_method *a, const quash_method *b)
{
	return ((a->marks | b->marks) & QUASH_BOTH) != 0;
}

/* A name may stand once for requests and once for notifications. What is stored of params is decided before it is known
 * which. */
static bool clashes(const quash_method *a, const quash_method *b)
{
	return quash_same_text(a->name, b->name) &&
		(is_both(a, b) || is_notification(a) == is_notification(b) || ((a->marks ^ b->marks) & QUASH_LISTED) != 0);
}

/* The dialect takes these names itself: a handler of requests by that name is never called. */
static bool is_taken(const quash_dialect *d, const quash_method *method)
{
	uint8_t i = 0;
	while (i < d->cancel_count && !quash_same_text(method->name, d->cancels[i].method))
		i++;
	return i < d->cancel_count && !is_notification(method);
}

static bool is_wrong_name(const quash_config *c, uint8_t i)
{
	const quash_method *method = &c->methods[i];
	if (method->name == NULL || word_for(method->name) > UINT8_MAX || is_taken(c->dialect, method))
		return true;
	for (uint8_t k = 0; k < i; k++) {
		if (clashes(method, &c->methods[k]))
			return true;
	}
	return false;
}

static bool are_wrong_marks(const quash_method *method)
{
	const uint8_t marks = method->marks, moves = QUASH_FINISHES, of_requests = QUASH_PARTIAL | QUASH_SESSION;
	const uint8_t all = QUASH_NOTIFICATION | moves | of_requests | QUASH_LISTED | QUASH_NEVER_BUSY | QUASH_BOTH;
	const bool finishes = (marks & moves) != 0, ends = method->motion.end != NULL;
	return marks > all || (finishes && !ends) || ((marks & QUASH_PARTIAL) != 0 && ends && !finishes) ||
		((marks & (QUASH_NOTIFICATION | QUASH_BOTH)) != 0 && (marks & of_requests) != 0) ||
		(marks & (QUASH_NOTIFICATION | QUASH_BOTH)) == (QUASH_NOTIFICATION | QUASH_BOTH);
}

static bool is_wrong_method(const quash_config *c, uint8_t i, quash_fault *fault)
{
	const quash_method *method = &c->methods[i];
	fault->table = "methods";
	fault->name = method->name;
	fault->index = i;
	if (is_wrong_name(c, i))
		return is_fault(fault, "name", 0, 0);
	if (is_word_short(c, method, 0, 1, fault))
		return true;
	if (quash_is_motion_wrong(&method->motion, fault))
		return true;
	if (are_wrong_marks(method))
		return is_fault(fault, "marks", 0, 0);
	if (method->handler == NULL)
		return is_fault(fault, "handler", 0, 0);
	return method->state_size > c->state_size && is_fault(fault, "state_size", c->state_size, method->state_size);
}

static bool is_any_method_wrong(const quash_config *c, quash_fault *fault)
{
	uint8_t i = 0;
	while (i < c->method_count && !is_wrong_method(c, i, fault))
		i++;
	return i < c->method_count;
}

/* --- All of it */

enum quash_config_state quash_check_config(const quash_config *config, quash_fault *fault)
{
	fault->table = fault->member = "config"; /* a check of the program may name no member */
	fault->name = NULL;
	fault->index = 0;
	fault->is = fault->needs = 0;
	fault->reason = QUASH_FAULT_NONE;
	const bool unusable = (quash_is_other_config_(config) && is_fault(fault, "QUASH_THE_CONFIG", 0, 0)) ||
		is_wrong_dialect(config->dialect, fault) || is_wrong_size(config, fault);
	if (unusable)
		return CONFIG_UNUSABLE;
	const bool wrong = are_states_askew(config, fault) || are_its_names_long(config, fault) ||
		is_any_method_wrong(config, fault) || (config->check != NULL && !config->check(config, fault));
	return wrong ? CONFIG_WRONG : CONFIG_RIGHT;
}
