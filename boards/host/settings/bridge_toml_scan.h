/* SPDX-License-Identifier: MIT
 * TOML 1.0, read where it stands. What later versions allow besides is refused: whether the host takes it is not known. */
#ifndef BRIDGE_TOML_SCAN_H
#define BRIDGE_TOML_SCAN_H

#include "bridge_toml_names.h"

/** A place in a text that ends with NUL. Functions that read go on from there; false: this is no TOML, or nested too deeply. */
struct toml {
	const char *text;
	size_t at;
	unsigned depth;
	struct toml_names names;
};

/** What a path leads along: what is looked for, and how much of it was there. */
struct toml_path {
	const char *const *way; /**< the first parts */
	size_t way_length;
	size_t parts, match; /**< how many it has, how many of the first ones are those */
	const char *last;    /**< the last one, decoded */
	size_t last_length;
};

/** Blanks, comments and ends of lines. */
void toml_skip_lines(struct toml *s);

void toml_skip_blanks(struct toml *s);

bool toml_skip(struct toml *s, const char *token);

/** What may follow on a statement, up to the end of its line. */
bool toml_rest_of_line(struct toml *s);

/** A key with all its parts, and blanks behind it, which goes on from `*path`. `*at` becomes what it names.
 *
 * @param section  the table whose header, or brace, stands before it
 * @param way,end  what its parts, and the last one, do */
bool toml_key(struct toml *s, struct toml_path *path, toml_table section, toml_table *at, enum toml_step way, enum toml_step end);

bool toml_value(struct toml *s);

#endif
