/* SPDX-License-Identifier: MIT */
#include "match.h"

#include "../json/rom.h"

/* Names that stand in a table, one at the beginning of each entry of so many bytes. */
struct names {
	const void *first;
	uint8_t stride;
	uint8_t count;
};

/* The members of params stand in a row in the dialect, in the order of enum param. */
static struct names match_names(const quash_peer *peer, enum name_set set)
{
	static const char *const members[] = { "jsonrpc", "id", "method", "params", "result", "error", "2.0" };
	const quash_dialect *const d = peer->config->dialect;
	const quash_config *const c = peer->config;
	switch (set) {
	case MEMBERS: return (struct names){ members, sizeof *members, M_VERSION + 1 };
	case PARAMS: return (struct names){ &d->cancel_id, sizeof d->cancel_id, P_COUNT };
	case METHODS: return (struct names){ c->methods, sizeof *c->methods, c->method_count };
	default: return (struct names){ d->cancels, sizeof *d->cancels, d->cancel_count };
	}
}

/* NULL for a name that the dialect does not have. */
QUASH_NOINLINE static const char *name_at(const struct names *names, uint8_t i)
{
	return quash_rom_text((const char *const *)(const void *)((const uint8_t *)names->first + (size_t)i * names->stride));
}

/* True if `name` begins as `begun` does for `place` characters and goes on with data[from..to). `*whole`: it ends there. */
static bool fits(const char *name, const char *begun, uint8_t place, const uint8_t *data, size_t from, size_t to, bool *whole)
{
	size_t i = 0;
	if (name == NULL || begun == NULL)
		return false;
	/*@ loop unroll 40; */
	while (i < place && quash_rom(&name[i]) != '\0' && quash_rom(&name[i]) == quash_rom(&begun[i]))
		i++;
	const bool begins = i == place;
	/*@ loop unroll 40; */
	while (from < to && quash_rom(&name[i]) != '\0' && quash_rom(&name[i]) == (char)data[from]) {
		from++;
		i++;
	}
	*whole = quash_rom(&name[i]) == '\0';
	return begins && from >= to;
}

void quash_match_begin(quash_match *m)
{
	m->candidate = 0;
	m->place = 0;
	m->whole = false;
}

/* The first name that fits so far is known; those before it never will. What was received of the name is the beginning
 * of that one, so it need not be kept. With `end` the name ends as well. */
static void match(const quash_peer *peer, enum name_set set, quash_match *m, const uint8_t *data, size_t from, size_t to, bool end)
{
	const struct names names = match_names(peer, set);
	uint8_t i = m->candidate;
	bool whole = false;
	if (i < names.count) {
		/*@ split i; */
		const char *begun = name_at(&names, i);
		/*@ loop unroll 254; */
		while (i < names.count && !(fits(name_at(&names, i), begun, m->place, data, from, to, &whole) && (whole || !end)))
			i++;
	}
	const size_t n = from < to ? to - from : 0;
	m->candidate = i < names.count && n < (size_t)(NOBODY - m->place) ? i : NOBODY;
	m->place = (uint8_t)(m->place + n);
	m->whole = whole;
}

/* An escape is the only way to a NUL, which is in no name. */
void quash_match_text(const quash_peer *peer, enum name_set set, quash_match *m, const uint8_t *data, size_t from, size_t to)
{
	if (from < to && data[from] == 0)
		m->candidate = NOBODY;
	/*@ split set; */
	if (m->candidate != NOBODY)
		match(peer, set, m, data, from, to, false);
}

void quash_match_end(const quash_peer *peer, enum name_set set, quash_match *m)
{
	/*@ split set; */
	if (m->candidate != NOBODY && !m->whole)
		match(peer, set, m, NULL, 0, 0, true);
}
