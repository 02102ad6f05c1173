/* SPDX-License-Identifier: MIT */
#include "inspect_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_ROOM = 1 << 12 };

/* Room for twice as much, and a NUL. */
static bool grow(char **bytes, size_t *room)
{
	const size_t more = *room > 0 ? 2 * *room : LEAST_ROOM;
	char *const grown = realloc(*bytes, more + 1);
	if (grown == NULL)
		return false;
	*bytes = grown;
	*room = more;
	return true;
}

static const char *read_open(FILE *file, char **bytes, size_t *length)
{
	for (size_t room = 0; *length == room;) {
		if (!grow(bytes, &room))
			return strerror(ENOMEM);
		*length += fread(*bytes + *length, 1, room - *length, file);
	}
	(*bytes)[*length] = '\0';
	return ferror(file) ? strerror(errno) : NULL;
}

const char *read_file(const char *path, char **bytes, size_t *length)
{
	FILE *const file = fopen(path, "re");
	if (file == NULL)
		return strerror(errno);
	const char *const wrong = read_open(file, bytes, length);
	fclose(file);
	return wrong;
}
