/* SPDX-License-Identifier: MIT */
#include "match.h"

#include "../json/rom.h"

static uint8_t count_of(const quash_peer *peer, enum name_set set)
{
	const quash_tag_cancel *tags = peer->config->dialect->tag_cancels;
	uint8_t n = SPECIAL_TAGS;
	switch (set) {
	case MEMBERS: return M_COUNT;
	case VERSION: return 1;
	case PARAMS: return P_COUNT;
	case METHODS: return peer->config->method_count;
	default: break;
	}
	if (tags != NULL) {
		while (n < NOBODY && tags[n - SPECIAL_TAGS].method != NULL)
			n++;
	}
	return n;
}

static const char *param_name(const quash_dialect *d, uint8_t i)
{
	switch (i) {
	case P_TARGET: return d->cancel_id;
	case P_ALIAS: return d->cancel_id_alias;
	case P_REASON: return d->cancel_reason;
	default: return d->tag_member;
	}
}

/* NULL for a name that the dialect does not have. */
static const char *name_in_set(const quash_peer *peer, enum name_set set, uint8_t i)
{
	static const char *const members[M_COUNT] = { "jsonrpc", "id", "method", "params", "result", "error" };
	const quash_dialect *d = peer->config->dialect;
	switch (set) {
	case MEMBERS: return i < M_COUNT ? members[i] : NULL;
	case VERSION: return "2.0";
	case PARAMS: return param_name(d, i);
	case METHODS: return i < peer->config->method_count ? peer->config->methods[i].name : NULL;
	default: break;
	}
	if (i < SPECIAL_TAGS)
		return i == SPECIAL_CANCEL ? d->cancel_method : d->cancel_alias;
	return d->tag_cancels != NULL ? d->tag_cancels[i - SPECIAL_TAGS].method : NULL;
}

bool quash_same_text(const char *a, const char *b)
{
	size_t i = 0;
	/*@ loop unroll 40; */
	while (quash_rom(&a[i]) != '\0' && quash_rom(&a[i]) == quash_rom(&b[i]))
		i++;
	return quash_rom(&a[i]) == quash_rom(&b[i]);
}

/* Says whether `name` begins as `begun` does for `place` characters and goes on with `c`. */
static bool fits(const char *name, const char *begun, uint8_t place, char c)
{
	uint8_t i = 0;
	if (name == NULL || begun == NULL)
		return false;
	/*@ loop unroll 40; */
	while (i < place && quash_rom(&name[i]) != '\0' && quash_rom(&name[i]) == quash_rom(&begun[i]))
		i++;
	return i == place && quash_rom(&name[i]) == c;
}

void quash_match_begin(quash_match *m)
{
	m->candidate = 0;
	m->place = 0;
}

/* The first name that fits so far is known; those before it never will. What was received of the name is the beginning
 * of that one, so it need not be kept. `c` is NUL at the name's end. */
static void match(const quash_peer *peer, enum name_set set, quash_match *m, char c)
{
	/*@ split set; */
	const uint8_t count = count_of(peer, set);
	uint8_t i = m->candidate;
	if (i < count) {
		/*@ split i; */
		const char *begun = name_in_set(peer, set, i);
		/*@ loop unroll 254; */
		while (i < count && !fits(name_in_set(peer, set, i), begun, m->place, c))
			i++;
	}
	m->candidate = i < count && m->place < NOBODY ? i : NOBODY;
	m->place = (uint8_t)(m->place + 1);
}

void quash_match_text(const quash_peer *peer, enum name_set set, quash_match *m, uint8_t c)
{
	if (c == 0)
		m->candidate = NOBODY;
	match(peer, set, m, (char)c);
}

void quash_match_end(const quash_peer *peer, enum name_set set, quash_match *m)
{
	match(peer, set, m, '\0');
}
