/* SPDX-License-Identifier: MIT */
#include "bridge_names.h"

#include <string.h>

bool names_is_cancel(const quash_dialect *dialect, const char *method)
{
	for (uint8_t i = 0; i < dialect->cancel_count; i++) {
		if (strcmp(dialect->cancels[i].method, method) == 0)
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

bool names_add(struct names **at, const struct heap *heap, quash_config *config, const quash_method *methods, size_t count)
{
	struct names *const names = *at != NULL ? *at : heap_resize(heap, NULL, sizeof *names);
	*at = names;
	if (names == NULL)
		return false;
	names->uses = 0;
	for (size_t i = 0; i < count && config->method_count < QUASH_METHODS_MAX; i++)
		names->methods[config->method_count++] = methods[i];
	names->fixed = config->method_count;
	config->methods = names->methods;
	return true;
}

/* The entry of that name, or `method_count`. A learned one is for requests or for notifications: both may have the name,
 * and be live. */
static uint8_t find_method(const struct names *names, const quash_config *config, const char *name, const quash_method *like)
{
	uint8_t i = 0;
	for (; i < config->method_count; i++) {
		const quash_method *const is = &names->methods[i];
		const bool fits = i < names->fixed || ((is->marks ^ like->marks) & QUASH_NOTIFICATION) == 0;
		if (fits && strcmp(is->name, name) == 0)
			break;
	}
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

bool names_know(struct names *names, const quash_config *config, const char *name, const quash_method *like)
{
	const uint8_t at = find_method(names, config, name, like);
	if (at >= config->method_count)
		return names_is_cancel(config->dialect, name);
	names->learned[at].used = ++names->uses;
	return true;
}

void names_learn(struct names *names, quash_config *config, const quash_peer *peer, const char *name,
	const quash_method *like)
{
	if (names_know(names, config, name, like))
		return;
	const uint8_t at = find_room(names, config, peer);
	if (at >= QUASH_METHODS_MAX)
		return;
	names->learned[at].used = ++names->uses;
	write_entry(names, at, name, like);
}
