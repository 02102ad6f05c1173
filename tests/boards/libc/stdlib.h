/* SPDX-License-Identifier: MIT
 * What the unit tests use of it, the same on every board. */
#ifndef UNIT_STDLIB_H
#define UNIT_STDLIB_H

#include <stddef.h>

/* From a pool that is whole again when everything is freed. A test for which it is too small has no room. */
void *malloc(size_t size);
void free(void *memory);

unsigned long strtoul(const char *text, char **end, int base); /* base 10 only */
double strtod(const char *text, char **end);                   /* correctly rounded */

#endif
