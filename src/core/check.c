/* SPDX-License-Identifier: MIT
 * What can be known of a config before it is used. */
#include "match.h"

#include "../json/rom.h"

static bool wrong(quash_fault *fault, const char *member, uint32_t is, uint32_t needs)
{
	const quash_fault found = { "config", NULL, member, 0, is, needs };
	*fault = found;
	return false;
}

static bool wrong_method(quash_fault *fault, const quash_method *method, uint8_t i, const char *member, uint32_t is,
	uint32_t needs)
{
	const quash_fault found = { "methods", method->name, member, i, is, needs };
	*fault = found;
	return false;
}

/* --- Sizes */

static bool check_sizes(const quash_config *c, quash_fault *fault)
{
	if (c->slot_count < 1)
		return wrong(fault, "slot_count", c->slot_count, 1);
	if (c->slot_count > QUASH_SLOTS_MAX)
		return wrong(fault, "slot_count", c->slot_count, QUASH_SLOTS_MAX);
	if (c->id_size < QUASH_ID_MIN)
		return wrong(fault, "id_size", c->id_size, QUASH_ID_MIN);
	if (c->arena_size < QUASH_ARENA_MIN)
		return wrong(fault, "arena_size", c->arena_size, QUASH_ARENA_MIN);
	if ((uint32_t)c->arena_size > 0xFFFFFF) /* the lengths on a tape have 24 bits */
		return wrong(fault, "arena_size", (uint32_t)c->arena_size, 0xFFFFFF);
	if (c->tx_size < QUASH_TX_MIN)
		return wrong(fault, "tx_size", c->tx_size, QUASH_TX_MIN);
	if (c->tag_size == NOBODY)
		return wrong(fault, "tag_size", c->tag_size, NOBODY - 1);
	if (c->method_count > QUASH_METHODS_MAX)
		return wrong(fault, "method_count", c->method_count, QUASH_METHODS_MAX);
	return true;
}

static const char *missing_array(const quash_config *c)
{
	if (c->slots == NULL)
		return "slots";
	if (c->ids == NULL)
		return "ids";
	if (c->arena == NULL)
		return "arena";
	if (c->tx == NULL)
		return "tx";
	if (c->states == NULL && c->state_size > 0)
		return "states";
	if (c->tags == NULL && c->tag_size > 0)
		return "tags";
	if (c->reason == NULL && c->reason_size > 0)
		return "reason";
	return c->methods == NULL && c->method_count > 0 ? "methods" : NULL;
}

static bool is_aligned(const void *states, quash_size size)
{
	const uintptr_t width = sizeof(void *);
	return size == 0 || ((uintptr_t)states % width == 0 && size % width == 0);
}

static bool check_arrays(const quash_config *c, quash_fault *fault)
{
	const char *missing = missing_array(c);
	if (missing != NULL)
		return wrong(fault, missing, 0, 0);
	if (!is_aligned(c->states, c->state_size))
		return wrong(fault, "state_size", c->state_size, (uint32_t)sizeof(void *));
	return true;
}

/* --- Dialect */

static bool check_dialect(const quash_config *c, quash_fault *fault)
{
	const quash_dialect *d = c->dialect;
	if (d == NULL || d->cancel_method == NULL || d->cancel_id == NULL)
		return wrong(fault, "dialect", 0, 0);
	if (d->batch != NULL && d->framing != QUASH_LINES)
		return wrong(fault, "dialect", 0, 0);
	if (d->own_code >= 0 || d->other_code > 0)
		return wrong(fault, "dialect", 0, 0);
	return true;
}

/* --- Methods */

static bool is_notification(const quash_method *method)
{
	return (method->marks & QUASH_NOTIFICATION) != 0;
}

/* The entry for all other names may stand once for requests and once for notifications. */
static bool clashes(const quash_method *a, const quash_method *b)
{
	if (!quash_same_text(a->name, b->name))
		return false;
	return quash_rom(a->name) != '\0' || is_notification(a) == is_notification(b);
}

static size_t length_of(const char *name)
{
	size_t n = 0;
	while (quash_rom(&name[n]) != '\0')
		n++;
	return n;
}

/* A name that is longer than the match counts is never found. */
enum { LONGEST_NAME = 254 };

static bool check_name(const quash_config *c, uint8_t i, quash_fault *fault)
{
	const quash_method *method = &c->methods[i];
	if (method->name == NULL)
		return wrong_method(fault, method, i, "name", 0, 0);
	if (length_of(method->name) > LONGEST_NAME)
		return wrong_method(fault, method, i, "name", (uint32_t)length_of(method->name), LONGEST_NAME);
	for (uint8_t k = 0; k < i; k++) {
		if (clashes(method, &c->methods[k]))
			return wrong_method(fault, method, i, "name", i, k);
	}
	return true;
}

/* The dialect takes these names itself: a handler of requests by that name is never called. */
static bool is_taken(const quash_dialect *d, const quash_method *method)
{
	return !is_notification(method) &&
	       (quash_same_text(method->name, d->cancel_method) ||
		(d->cancel_alias != NULL && quash_same_text(method->name, d->cancel_alias)));
}

static bool check_marks(const quash_method *method, uint8_t i, quash_fault *fault)
{
	const uint8_t known = QUASH_NOTIFICATION | QUASH_DROPS | QUASH_PARTIAL | QUASH_SESSION;
	const uint8_t of_requests = QUASH_PARTIAL | QUASH_SESSION;
	if ((method->marks & (uint8_t)~known) != 0 || (is_notification(method) && (method->marks & of_requests) != 0))
		return wrong_method(fault, method, i, "marks", method->marks, known);
	if ((method->marks & QUASH_DROPS) != 0 && (method->marks & QUASH_PARTIAL) != 0)
		return wrong_method(fault, method, i, "marks", method->marks, QUASH_PARTIAL);
	return true;
}

static bool check_method(const quash_config *c, uint8_t i, quash_fault *fault)
{
	const quash_method *method = &c->methods[i];
	if (!check_name(c, i, fault) || !check_marks(method, i, fault))
		return false;
	if (is_taken(c->dialect, method))
		return wrong_method(fault, method, i, "name", 0, 0);
	if (method->handler == NULL)
		return wrong_method(fault, method, i, "handler", 0, 0);
	if (method->deadline > INT32_MAX)
		return wrong_method(fault, method, i, "deadline", method->deadline, INT32_MAX);
	if (method->lease > INT32_MAX)
		return wrong_method(fault, method, i, "lease", method->lease, INT32_MAX);
	if (method->state_size > c->state_size)
		return wrong_method(fault, method, i, "state_size", c->state_size, method->state_size);
	return true;
}

static bool check_config(const quash_config *c, quash_fault *fault)
{
	if (!check_sizes(c, fault) || !check_arrays(c, fault) || !check_dialect(c, fault))
		return false;
	for (uint8_t i = 0; i < c->method_count; i++) {
		if (!check_method(c, i, fault))
			return false;
	}
	return c->check == NULL || c->check(c, fault);
}

bool quash_init(quash_peer *peer, const quash_config *config, quash_fault *fault)
{
	quash_fault unread;
	if (!check_config(config, fault != NULL ? fault : &unread))
		return false;
	quash_start(peer, config);
	return true;
}
