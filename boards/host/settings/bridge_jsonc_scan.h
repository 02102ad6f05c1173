/* SPDX-License-Identifier: MIT
 * JSON with comments, read where it stands: where objects begin, where their members are. */
#ifndef BRIDGE_JSONC_SCAN_H
#define BRIDGE_JSONC_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/** A place in a text that ends with NUL. Functions that read go on from there; false: this is no JSON, or nested too deeply. */
struct scan {
	const char *text;
	size_t at;
	unsigned depth;
};

/** An object: where its braces are, and one member of it. */
struct object {
	size_t open, close;
	size_t first_key;   /**< of the first member */
	size_t value_end;   /**< of the last member; after the brace if there is none */
	size_t content_end; /**< of what is no white space before the closing brace */
	size_t count;
	size_t comma; /**< after the last member; 0: there is none */
	/** How many members have the name that is looked for. Of the last one: */
	unsigned found;
	size_t key, value, end;
	size_t before;       /**< the end of what precedes it and is no white space */
	size_t after;        /**< where its comma ends; 0: it has none */
	size_t comma_before; /**< the comma before it; 0: it is the first */
};

/** White space and comments. The end of the last comment is noted in `*content_end`. */
bool scan_space(struct scan *s, size_t *content_end);

bool scan_string(struct scan *s);

/** An object that begins here. `name` is of letters, digits, `_` and `-`; NULL: no member is looked for. */
bool scan_object(struct scan *s, const char *name, struct object *o);

#endif
