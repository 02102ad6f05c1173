/* SPDX-License-Identifier: MIT */
#include "inspect_advice.h"

#include "quash.h"

#include <stdio.h>
#include <string.h>

/* A member of the config. RAM for it comes in multiples of `rounds`; `what` a record has of it. */
struct kind {
	enum fact member;
	uint32_t least, most, rounds;
	const char *what;
};

static const struct kind slots = { FACT_SLOT_COUNT, 0, 250, 1, NULL };
static const struct kind arena = { FACT_ARENA_SIZE, 0, 0xFFFFFF, 1, NULL };
static const struct kind tx = { FACT_TX_SIZE, 0, UINT32_MAX, 1, NULL };
static const struct kind ids = { FACT_ID_SIZE, QUASH_ID_MIN, 255, 1, "id" };
static const struct kind tags = { FACT_TAG_SIZE, 0, 254, 1, "session id" };
static const struct kind tokens = { FACT_TOKEN_SIZE, 0, 255, 8, "progress token" }; /* states are rounded up */
static const struct kind reasons = { FACT_REASON_SIZE, 0, 255, 1, "reason with its NUL" };

/* A header, and the digits of what it counts. */
enum { HEADER = 20, WIDEST = 8 };

/* What a byte may put on the tape: with so many spare receiving does not pause. */
enum { BYTE_ON_TAPE = 8 };

struct judge {
	struct advice *list;
	size_t count;
	const struct facts *facts;
	const struct needs *needs;
	bool headers;
};

/* --- One buffer */

/* The next one. The caller says why, and what it needs; then it is kept if there is anything to say. */
static struct advice *begin(struct judge *j, enum fact member)
{
	const struct advice fresh = { .member = fact_name(member),
		.known = j->facts->known[member],
		.is = j->facts->is[member] };
	j->list[j->count] = fresh;
	return &j->list[j->count];
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* `evidence`: something was refused for want of it.  `each`: RAM for one more; 0: not known. */
static void decide(
	struct judge *j, struct advice *a, const struct kind *kind, uint32_t needs, bool evidence, uint32_t each)
{
	const uint32_t rounds = kind->rounds;
	a->wants = larger(needs, kind->least);
	a->needs = a->wants < kind->most ? a->wants : kind->most;
	a->change = evidence && (!a->known || a->is < a->needs);
	a->priced = a->known && each > 0;
	a->ram = a->change && a->priced ? (uint64_t)(a->needs - a->is + rounds - 1) / rounds * rounds * each : 0;
	j->count += needs > 0;
}

/* Marks may have stopped at the largest number. */
static uint32_t sum_of(uint32_t a, uint32_t b)
{
	return a < UINT32_MAX - b ? a + b : UINT32_MAX;
}

static uint32_t is_of(const struct judge *j, enum fact fact)
{
	return j->facts->is[fact];
}

/* --- Slots and arena */

/* The device's own mark counts most: it knows how long each request was live. */
static bool has_mark(const struct judge *j, enum fact mark, bool counted)
{
	return j->facts->known[mark] && (counted || j->needs->protocol == NULL || j->needs->busy + j->needs->too_large == 0);
}

static void judge_slots(struct judge *j)
{
	struct advice *const a = begin(j, slots.member);
	const uint32_t busy = is_of(j, FACT_BUSY), live = is_of(j, FACT_MOST_LIVE), each = is_of(j, FACT_SLOT_BYTES);
	if (has_mark(j, FACT_MOST_LIVE, busy > 0)) {
		snprintf(a->why, sizeof a->why, "busy %u, most_live %u", busy, live);
		decide(j, a, &slots, live, busy > 0, each);
	} else if (j->needs->protocol != NULL) {
		snprintf(a->why, sizeof a->why, "in the record %u answers Busy, %u requests open together",
			j->needs->busy, j->needs->slots);
		decide(j, a, &slots, j->needs->slots, busy > 0 || j->needs->busy > 0, each);
	}
}

static uint32_t with_spare(uint32_t bytes)
{
	return bytes > 0 ? sum_of(bytes, BYTE_ON_TAPE) : 0;
}

/* The record may be older than the marks, which a reset clears. */
static void judge_arena_by_mark(struct judge *j, struct advice *a, bool refused)
{
	const uint32_t most = is_of(j, FACT_MOST_ARENA), answered = j->needs->answered;
	const int length = snprintf(a->why, sizeof a->why, "busy %u, too_large %u, most_arena %u", is_of(j, FACT_BUSY),
		is_of(j, FACT_TOO_LARGE), most);
	if (answered > most)
		snprintf(a->why + length, sizeof a->why - (size_t)length, "; %u with answers to calls in the record", answered);
	decide(j, a, &arena, with_spare(larger(most, answered)), refused, 1);
}

/* It could not be asked. */
static void judge_arena_unseen(struct judge *j, struct advice *a)
{
	const uint32_t ours = j->facts->own, theirs = larger(j->needs->arena, j->needs->answered);
	snprintf(a->why, sizeof a->why, "it does not hold the params of quash-inspect itself, %u bytes", ours);
	a->least = true;
	decide(j, a, &arena, with_spare(larger(ours, theirs)), true, 1);
}

static void judge_arena(struct judge *j)
{
	struct advice *const a = begin(j, arena.member);
	const struct needs *const n = j->needs;
	const bool refused = is_of(j, FACT_BUSY) > 0 || is_of(j, FACT_TOO_LARGE) > 0;
	if (j->facts->too_large) {
		judge_arena_unseen(j, a);
	} else if (has_mark(j, FACT_MOST_ARENA, refused)) {
		judge_arena_by_mark(j, a, refused);
	} else if (n->protocol != NULL) {
		const uint32_t wanted = larger(n->arena, n->answered);
		snprintf(a->why, sizeof a->why,
			"in the record %u answers Busy, %u Message too large, params of %u bytes open together", n->busy, n->too_large,
			wanted);
		decide(j, a, &arena, with_spare(wanted), refused || n->busy + n->too_large > 0, 1);
	}
}

/* --- TX */

static uint32_t digits_of(uint32_t number)
{
	uint32_t digits = 1;
	for (; number > 9; number /= 10)
		digits++;
	return digits;
}

/* The size of TX that takes a notification whole. */
static uint32_t framed(const struct judge *j, uint32_t length)
{
	const uint32_t around = j->headers ? HEADER + digits_of(sum_of(length, HEADER + WIDEST)) : 1;
	return length > 0 ? sum_of(length, around) : 0;
}

/* The program does without. */
static bool is_unused(const struct judge *j, enum fact member)
{
	return j->facts->known[member] && is_of(j, member) == 0;
}

/* A record also foresees progress with its longest token. */
static void decide_tx(struct judge *j, struct advice *a, uint32_t longest, bool dropped)
{
	const uint32_t whole = framed(j, longest), progress = is_unused(j, FACT_TOKEN_SIZE) ? 0 : j->needs->progress;
	const size_t used = strlen(a->why);
	if (progress > whole)
		snprintf(a->why + used, sizeof a->why - used, "%sin the record progress with the longest token needs %u",
			used > 0 ? "; " : "", progress);
	decide(j, a, &tx, larger(whole, progress), dropped || (a->known && progress > a->is), 1);
}

static void judge_tx(struct judge *j)
{
	struct advice *const a = begin(j, tx.member);
	const uint32_t dropped = is_of(j, FACT_DROPPED), longest = is_of(j, FACT_LONGEST_NOTIFICATION);
	const uint32_t received = j->needs->notification;
	if (longest > 0)
		snprintf(a->why, sizeof a->why, "dropped %u, longest_notification %u", dropped, longest);
	else if (received > 0)
		snprintf(a->why, sizeof a->why, "in the record the longest notification has %u bytes", received);
	decide_tx(j, a, longest > 0 ? longest : received, longest > 0 && dropped > 0);
}

/* --- What only a record shows: what is longer than the device has room for is refused or cut */

/* RAM that each slot, and `more`, has for one more byte. */
static uint32_t per_slot(const struct judge *j, uint32_t more)
{
	return j->facts->known[FACT_SLOT_COUNT] ? is_of(j, FACT_SLOT_COUNT) + more : 0;
}

static void judge_length(struct judge *j, const struct kind *kind, uint32_t longest, uint32_t each)
{
	struct advice *const a = begin(j, kind->member);
	if (is_unused(j, kind->member))
		return;
	snprintf(a->why, sizeof a->why, "in the record the longest %s has %u bytes", kind->what, longest);
	decide(j, a, kind, longest, a->known, each);
}

size_t advice_on_buffers(struct advice list[BUFFERS], const struct facts *facts, const struct needs *needs, bool headers)
{
	struct judge judge = { .list = list, .facts = facts, .needs = needs, .headers = headers };
	judge_slots(&judge);
	judge_length(&judge, &ids, needs->id, per_slot(&judge, 1));
	judge_arena(&judge);
	judge_tx(&judge);
	judge_length(&judge, &tags, needs->tag, per_slot(&judge, 1));
	judge_length(&judge, &tokens, needs->token, per_slot(&judge, 0));
	judge_length(&judge, &reasons, needs->reason, 1);
	return judge.count;
}
