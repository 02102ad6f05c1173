/* SPDX-License-Identifier: MIT
 * JSON read in the plainest way, into a tree: the tests' own opinion on what is said, which shares no code with the library. */
#ifndef TESTS_PLAIN_H
#define TESTS_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum plain_kind {
	PLAIN_NONE,
	PLAIN_NULL,
	PLAIN_TRUE,
	PLAIN_FALSE,
	PLAIN_NUMBER,
	PLAIN_STRING,
	PLAIN_ARRAY,
	PLAIN_OBJECT
};

struct plain {
	enum plain_kind kind;
	const struct plain *child, *next; /* the first member or element; the next one */
	const char *key;                  /* decoded; NULL in an array */
	size_t key_length;
	const char *text; /* of a string, decoded; of a number, as it stands; NUL after it */
	size_t length;
	size_t from, to; /* where it stands */
	bool lone;       /* a string with half a surrogate pair */
};

/* The value that the text is, NULL if it is not exactly one. Good until the next call. */
const struct plain *plain_parse(const char *text, size_t length);

/* The value that the text begins with, NULL if there is none. */
const struct plain *plain_read(const char *text, size_t length);

/* True if the last text that was read has no white space. */
bool plain_is_compact(void);

/* How many values the tree has, and how many bytes stand in its strings, names and numbers. */
void plain_size(const struct plain *value, size_t *values, size_t *bytes);

/* The last member of that name, NULL if there is none or `object` is no object. */
const struct plain *plain_get(const struct plain *object, const char *name);

/* How many members have that name. */
unsigned plain_count(const struct plain *object, const char *name);

bool plain_is(const struct plain *value, const char *text);

/* A number that is a plain integer up to 2^31, else `otherwise`. */
long plain_int(const struct plain *value, long otherwise);

#endif
