/* SPDX-License-Identifier: MIT
 * The tables and keys of a TOML 1.0 text, to find what it defines twice. */
#ifndef BRIDGE_TOML_NAMES_H
#define BRIDGE_TOML_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct toml_name;

/** A table or key by its number. That of the whole text is 0. */
typedef size_t toml_table;

enum { TOML_BUCKETS = 1024 };

struct toml_names {
	struct toml_name *all;
	size_t count, room;
	size_t buckets[TOML_BUCKETS];
	char *keys; /**< decoded, one behind the other */
	size_t keys_length;
};

/** What a part of a path does there. */
enum toml_step { TOML_KEY_WAY, TOML_KEY_END, TOML_HEADER_WAY, TOML_HEADER_END, TOML_LIST_END };

/** For a text of `length` bytes. False without memory. */
bool names_begin(struct toml_names *names, size_t length);

void names_end(struct toml_names *names);

/** A table that no path leads to, such as one that is a value. False without memory. */
bool names_table(struct toml_names *names, toml_table *table);

/** Goes from the table `*at` to the one, or the key, of that name, and defines it where it is new. The key lies at the end of
 * `names->keys`, which ends `length` bytes later then.
 *
 * @param section  the table whose header, or brace, stands before the key
 * @return         false: the text defines this twice, or there is no memory */
bool names_step(struct toml_names *names, toml_table section, toml_table *at, enum toml_step step, size_t length);

#endif
