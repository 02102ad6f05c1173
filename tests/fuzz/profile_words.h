/* SPDX-License-Identifier: MIT
 * What the other sides of the profiles' programs may send: the table that the profiles target composes messages from. */
#ifndef FUZZ_PROFILE_WORDS_H
#define FUZZ_PROFILE_WORDS_H

#include "fuzz.h"

/* A message's method and params, with a hole at each
 *     %i  an integer    %s  a string    %v  any value    %w  a word of the program    %t  an id's or token's value
 *     %j  members of an object that nobody keeps, with a comma behind each; or nothing
 * One without `request` has no id. */
struct phrase {
	const char *method, *params;
	bool request;
};

struct vocabulary {
	const struct phrase *phrases;
	unsigned count;
	const char *const *words; /* that its program knows, as JSON */
	unsigned word_count;
	const char *opening; /* the first message of a usual client */
};

extern const struct vocabulary mcp_words, acp_words, lsp_words;

#endif
