/* SPDX-License-Identifier: MIT
 * What can be known of a config before it is used. */
#include "match.h"

#include "../json/rom.h"

#include <stddef.h>

/* What a number is, and what it would have to be. */
struct finding {
	const quash_method *method; /* whose entry it is, or NULL */
	uint32_t is, needs;
};

static const char *sized(struct finding *found, const char *member, uint32_t is, uint32_t needs)
{
	found->is = is;
	found->needs = needs;
	return member;
}

/* --- Sizes */

/* The lengths on a tape have 24 bits. */
static bool is_too_large(uint32_t size)
{
	return size > 0xFFFFFF;
}

static const char *wrong_size(const quash_config *c, struct finding *found)
{
	if (c->slot_count < 1 || c->slot_count > QUASH_SLOTS_MAX)
		return sized(found, "slot_count", c->slot_count, c->slot_count < 1 ? 1 : QUASH_SLOTS_MAX);
	if (c->id_size < QUASH_ID_MIN)
		return sized(found, "id_size", c->id_size, QUASH_ID_MIN);
	if (c->arena_size < QUASH_ARENA_MIN || is_too_large(c->arena_size))
		return sized(found, "arena_size", c->arena_size, QUASH_ARENA_MIN);
	if (c->tx_size < QUASH_TX_MIN)
		return sized(found, "tx_size", c->tx_size, QUASH_TX_MIN);
	if (c->tag_size == NOBODY)
		return sized(found, "tag_size", c->tag_size, NOBODY - 1);
	if (c->method_count > QUASH_METHODS_MAX)
		return sized(found, "method_count", c->method_count, QUASH_METHODS_MAX);
	return NULL;
}

/* --- Arrays */

struct padded {
	char first;
	void *pointer;
};

/* 1 where nothing is aligned, whatever the size of a pointer. */
enum { ALIGNMENT = offsetof(struct padded, pointer) };

static bool is_aligned(const void *states, quash_size size)
{
	return size == 0 || ((uintptr_t)states % ALIGNMENT == 0 && size % ALIGNMENT == 0);
}

static const char *wrong_array(const quash_config *c, struct finding *found)
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
	if (c->methods == NULL && c->method_count > 0)
		return "methods";
	return is_aligned(c->states, c->state_size) ? NULL : sized(found, "state_size", c->state_size, ALIGNMENT);
}

static bool are_good_cancels(const quash_dialect *d)
{
	uint8_t i = 0;
	if (d->cancels == NULL || d->cancel_count > QUASH_METHODS_MAX)
		return false;
	while (i < d->cancel_count && d->cancels[i].method != NULL)
		i++;
	return i > 0 && i == d->cancel_count;
}

static const char *wrong_dialect(const quash_dialect *d)
{
	const bool good = d != NULL && are_good_cancels(d) && d->cancel_id != NULL && d->own_code < 0 &&
			  d->other_code <= 0 && (d->batch == NULL || d->framing == QUASH_LINES);
	return good ? NULL : "dialect";
}

/* --- Methods */

static bool is_notification(const quash_method *method)
{
	return (method->marks & QUASH_NOTIFICATION) != 0;
}

/* The entry for all other names may stand once for requests and once for notifications. */
static bool clashes(const quash_method *a, const quash_method *b)
{
	return quash_same_text(a->name, b->name) &&
	       (quash_rom(a->name) != '\0' || is_notification(a) == is_notification(b));
}

/* A name that is longer than the match counts is never found. */
static bool is_too_long(const char *name)
{
	uint8_t n = 0;
	while (n < NOBODY && quash_rom(&name[n]) != '\0')
		n++;
	return n == NOBODY;
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
	if (method->name == NULL || is_too_long(method->name) || is_taken(c->dialect, method))
		return true;
	for (uint8_t k = 0; k < i; k++) {
		if (clashes(method, &c->methods[k]))
			return true;
	}
	return false;
}

static bool are_wrong_marks(uint8_t marks)
{
	const uint8_t both = QUASH_DROPS | QUASH_PARTIAL;
	const uint8_t of_requests = QUASH_PARTIAL | QUASH_SESSION;
	return marks > (QUASH_NOTIFICATION | both | QUASH_SESSION) || (marks & both) == both ||
	       ((marks & QUASH_NOTIFICATION) != 0 && (marks & of_requests) != 0);
}

static const char *wrong_method(const quash_config *c, uint8_t i, struct finding *found)
{
	const quash_method *method = &c->methods[i];
	found->method = method;
	if (is_wrong_name(c, i))
		return "name";
	if (are_wrong_marks(method->marks))
		return "marks";
	if (method->handler == NULL)
		return "handler";
	if (method->deadline > INT32_MAX)
		return sized(found, "deadline", method->deadline, INT32_MAX);
	if (method->lease > INT32_MAX)
		return sized(found, "lease", method->lease, INT32_MAX);
	if (method->state_size > c->state_size)
		return sized(found, "state_size", c->state_size, method->state_size);
	return NULL;
}

/* --- All of it */

static const char *wrong_member(const quash_config *c, struct finding *found, uint8_t *index)
{
	const char *wrong = wrong_size(c, found);
	if (wrong == NULL)
		wrong = wrong_array(c, found);
	if (wrong == NULL)
		wrong = wrong_dialect(c->dialect);
	for (uint8_t i = 0; wrong == NULL && i < c->method_count; i++) {
		*index = i;
		wrong = wrong_method(c, i, found);
	}
	return wrong;
}

static bool check_config(const quash_config *c, quash_fault *fault)
{
	struct finding found = { NULL, 0, 0 };
	uint8_t index = 0;
	const char *wrong = wrong_member(c, &found, &index);
	if (wrong == NULL)
		return c->check == NULL || c->check(c, fault);
	fault->table = found.method != NULL ? "methods" : "config";
	fault->name = found.method != NULL ? found.method->name : NULL;
	fault->member = wrong;
	fault->index = index;
	fault->is = found.is;
	fault->needs = found.needs;
	return false;
}

bool quash_init(quash_peer *peer, const quash_config *config, quash_fault *fault)
{
	quash_fault unread;
	if (!check_config(config, fault != NULL ? fault : &unread))
		return false;
	quash_start(peer, config);
	return true;
}
