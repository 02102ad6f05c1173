/* SPDX-License-Identifier: MIT */
#include "bridge_names.h"

#include <string.h>

static bool is_cancel(const quash_dialect *dialect, const char *name)
{
	for (uint8_t i = 0; i < dialect->cancel_count; i++) {
		if (strcmp(dialect->cancels[i].method, name) == 0)
			return true;
	}
	return false;
}

static bool is_live(const quash_peer *peer, const quash_method *method)
{
	quash_live live = { .request = NULL };
	while (quash_next_live(peer, &live)) {
		if (quash_method_of(live.request) == method)
			return true;
	}
	return false;
}

void names_add(struct names *names, quash_config *config, const quash_method *method)
{
	if (config->method_count >= QUASH_METHODS_MAX)
		return;
	names->methods[config->method_count++] = *method;
	names->fixed = config->method_count;
	config->methods = names->methods;
}

/* The entry of that name, or `method_count`. */
static uint8_t find(const struct names *names, const quash_config *config, const char *name)
{
	uint8_t i = 0;
	while (i < config->method_count && strcmp(names->methods[i].name, name) != 0)
		i++;
	return i;
}

/* One that may be written over; QUASH_METHODS_MAX if all of them are in use. */
static uint8_t find_room(struct names *names, quash_config *config, const quash_peer *peer)
{
	uint8_t oldest = QUASH_METHODS_MAX;
	if (config->method_count < QUASH_METHODS_MAX)
		return config->method_count++;
	for (uint8_t i = names->fixed; i < QUASH_METHODS_MAX; i++) {
		const bool older = oldest == QUASH_METHODS_MAX || names->learned[i].used < names->learned[oldest].used;
		if (older && !is_live(peer, &names->methods[i]))
			oldest = i;
	}
	return oldest;
}

static void write_entry(struct names *names, uint8_t at, const char *name, const quash_method *like)
{
	char *const text = names->learned[at].text;
	const size_t length = strlen(name);
	memmove(text, name, length + 1);
	names->methods[at] = *like;
	names->methods[at].name = text;
}

/* A name that was a request's and is a notification's now, or the other way round, changes its kind. */
static bool must_change(const struct names *names, const quash_peer *peer, uint8_t at, const quash_method *like)
{
	const quash_method *const is = &names->methods[at];
	return at >= names->fixed && ((is->marks ^ like->marks) & QUASH_NOTIFICATION) != 0 && !is_live(peer, is);
}

void names_learn(struct names *names, quash_config *config, const quash_peer *peer, const char *name,
	const quash_method *like)
{
	uint8_t at = find(names, config, name);
	const bool known = at < config->method_count;
	if (!known && is_cancel(config->dialect, name))
		return;
	if (!known)
		at = find_room(names, config, peer);
	if (at >= QUASH_METHODS_MAX)
		return;
	names->learned[at].used = ++names->uses;
	if (!known || must_change(names, peer, at, like))
		write_entry(names, at, name, like);
}
