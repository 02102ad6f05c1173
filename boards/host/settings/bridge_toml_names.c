/* SPDX-License-Identifier: MIT */
#include "bridge_toml_names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum kind {
	VALUE,    /* also a table or list that is one */
	ON_A_WAY, /* a table that only headers of others have named */
	BY_KEYS,  /* a table that keys with dots have made: their section alone adds keys to it */
	BY_HEADER,
	LIST      /* of tables, by headers */
};

enum { NOBODY = 0 }; /* the whole text is in no bucket */

struct toml_name {
	enum kind kind;
	toml_table outer, next; /* of its bucket */
	toml_table more;        /* BY_KEYS: the section; LIST: the newest table */
	const char *key;
	size_t length;
};

/* --- All of them */

static bool toml_add_name(struct toml_names *names, struct toml_name name, toml_table *at)
{
	if (names->count == names->room) {
		const size_t room = names->room * 2 + 16;
		struct toml_name *const all = realloc(names->all, room * sizeof all[0]);
		if (all == NULL)
			return false;
		names->all = all;
		names->room = room;
	}
	names->all[names->count] = name;
	*at = names->count++;
	return true;
}

bool names_begin(struct toml_names *names, size_t length)
{
	toml_table text;
	*names = (struct toml_names){ .keys = malloc(length + 1) };
	return names->keys != NULL && names_table(names, &text);
}

void names_end(struct toml_names *names)
{
	free(names->all);
	free(names->keys);
}

bool names_table(struct toml_names *names, toml_table *table)
{
	return toml_add_name(names, (struct toml_name){ .kind = BY_HEADER }, table);
}

static size_t *bucket_of(struct toml_names *names, toml_table outer, const char *key, size_t length)
{
	uint32_t hash = 2166136261u ^ (uint32_t)outer;
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)key[i]) * 16777619u;
	return &names->buckets[hash % TOML_BUCKETS];
}

static toml_table toml_find_name(const struct toml_names *names, toml_table bucket, toml_table outer, const char *key, size_t length)
{
	while (bucket != NOBODY) {
		const struct toml_name *const name = &names->all[bucket];
		if (name->outer == outer && name->length == length && memcmp(name->key, key, length) == 0)
			return bucket;
		bucket = name->next;
	}
	return NOBODY;
}

/* --- Steps */

static bool step_to_new(struct toml_names *names, toml_table section, toml_table *at, enum toml_step step, size_t length)
{
	static const enum kind kinds[] = { BY_KEYS, VALUE, ON_A_WAY, BY_HEADER, LIST };
	const char *const key = names->keys + names->keys_length;
	size_t *const bucket = bucket_of(names, *at, key, length);
	const struct toml_name name = { kinds[step], *at, *bucket, section, key, length };
	toml_table list;
	if (!toml_add_name(names, name, at))
		return false;
	names->keys_length += length;
	*bucket = list = *at;
	if (step != TOML_LIST_END)
		return true;
	const bool added = names_table(names, at);
	names->all[list].more = *at;
	return added;
}

static bool step_to_old(struct toml_names *names, toml_table section, toml_table *at, enum toml_step step)
{
	struct toml_name *const name = &names->all[*at];
	const toml_table list = *at;
	switch (step) {
	case TOML_KEY_WAY:
		if (name->kind == ON_A_WAY)
			*name = (struct toml_name){ BY_KEYS, name->outer, name->next, section, name->key, name->length };
		return name->kind == BY_KEYS && name->more == section;
	case TOML_HEADER_WAY:
		if (name->kind == LIST)
			*at = name->more;
		return name->kind != VALUE;
	case TOML_HEADER_END:
		if (name->kind != ON_A_WAY)
			return false;
		name->kind = BY_HEADER;
		return true;
	case TOML_LIST_END:
		if (name->kind != LIST || !names_table(names, at))
			return false;
		names->all[list].more = *at;
		return true;
	case TOML_KEY_END: break;
	}
	return false;
}

bool names_step(struct toml_names *names, toml_table section, toml_table *at, enum toml_step step, size_t length)
{
	const char *const key = names->keys + names->keys_length;
	const toml_table found = toml_find_name(names, *bucket_of(names, *at, key, length), *at, key, length);
	if (found == NOBODY)
		return step_to_new(names, section, at, step, length);
	*at = found;
	return step_to_old(names, section, at, step);
}
