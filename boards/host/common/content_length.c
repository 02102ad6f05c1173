/* SPDX-License-Identifier: MIT */
#include "content_length.h"

#include "format.h"

#include <strings.h>

#define NAME "Content-Length"
enum { NAME_BYTES = sizeof NAME - 1 };

size_t content_length_put(char header[CONTENT_LENGTH_ROOM], size_t n)
{
	return format_text(header, CONTENT_LENGTH_ROOM, NAME ": %lu\r\n\r\n", (unsigned long)n);
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
		at++;
	return at;
}

/* Behind the colon. NULL: no header begins there. */
static const char *value_at(const char *text, const char *end)
{
	if ((size_t)(end - text) < NAME_BYTES || strncasecmp(text, NAME, NAME_BYTES) != 0)
		return NULL;
	text = skip_blanks(text + NAME_BYTES, end);
	return text < end && *text == ':' ? text + 1 : NULL;
}

bool content_length_begins(const char *text, const char *end)
{
	return value_at(text, end) != NULL;
}

bool content_length_read(const char *text, const char *end, size_t most, size_t *number)
{
	const char *at = value_at(text, end);
	bool any = false;
	*number = 0;
	if (at == NULL)
		return false;
	at = skip_blanks(at, end);
	for (; at < end && *at >= '0' && *at <= '9'; at++, any = true)
		*number = *number < most ? *number * 10 + (size_t)(*at - '0') : most;
	*number = *number < most ? *number : most;
	return any && skip_blanks(at, end) == end;
}
