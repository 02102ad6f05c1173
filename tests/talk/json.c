/* SPDX-License-Identifier: MIT
 * A second opinion on what the peer sends, by other code than the library's. */
#include "words.h"

#include "plain.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char before_id[] = "{\"jsonrpc\":\"2.0\",\"id\":", behind_id[] = ",\"method\":";

enum { BEFORE_ID = sizeof before_id - 1, BEHIND_ID = sizeof behind_id - 1 };

/* The peer writes no white space. */
bool json_valid(const char *data, size_t length)
{
	return plain_parse(data, length) != NULL && plain_is_compact();
}

/* The id of a message, and whether a method stands behind it; NULL if it does not begin with one. */
static const struct plain *first_id(const char *data, size_t length, bool *asks)
{
	if (length <= BEFORE_ID || memcmp(data, before_id, BEFORE_ID) != 0)
		return NULL;
	const struct plain *const id = plain_read(data + BEFORE_ID, length - BEFORE_ID);
	const size_t end = id == NULL ? length : BEFORE_ID + id->to;
	*asks = length - end >= BEHIND_ID && memcmp(data + end, behind_id, BEHIND_ID) == 0;
	return id;
}

void json_id(const char *data, size_t length, const char **id, size_t *id_length)
{
	bool asks;
	const struct plain *const first = first_id(data, length, &asks);
	*id = first == NULL ? data : data + BEFORE_ID;
	*id_length = first == NULL || asks ? 0 : first->to;
}

uint32_t json_asked(const char *data, size_t length)
{
	bool asks;
	const struct plain *const first = first_id(data, length, &asks);
	const bool counts = first != NULL && asks && first->kind == PLAIN_NUMBER && strspn(first->text, "0123456789") == first->length;
	return counts ? (uint32_t)strtoul(first->text, NULL, 10) : 0;
}

size_t json_id_count(const struct text *sent, const char *id, size_t id_length)
{
	static const char name[] = "\"id\":";
	size_t count = 0;
	for (const char *at = sent->data; at != NULL && (at = strstr(at, name)) != NULL; at++) {
		const char *after = at + sizeof name - 1;
		count += strncmp(after, id, id_length) == 0 && strchr(",}]", after[id_length]) != NULL;
	}
	return count;
}

static long split_line(const char *data, size_t length, size_t *body, size_t *body_length)
{
	const char *end = length > 0 ? memchr(data, '\n', length) : NULL;
	if (end == NULL)
		return 0;
	*body = 0;
	*body_length = (size_t)(end - data);
	return *body_length == 0 ? -1 : (long)*body_length + 1;
}

static long split_header(const char *data, size_t length, size_t *body, size_t *body_length)
{
	static const char name[] = "Content-Length: ";
	const size_t name_length = sizeof name - 1;
	const size_t compared = length < name_length ? length : name_length;
	if (compared > 0 && memcmp(data, name, compared) != 0)
		return -1;
	size_t at = name_length, size = 0;
	for (; at < length && isdigit((unsigned char)data[at]); at++)
		size = size * 10 + (size_t)(data[at] - '0');
	if (length < at + 4)
		return 0;
	if (memcmp(data + at, "\r\n\r\n", 4) != 0 || data[name_length] == '0')
		return -1;
	*body = at + 4;
	*body_length = size;
	return length < *body + size ? 0 : (long)(*body + size);
}

long frame_split(
	const quash_dialect *dialect, const char *data, size_t length, size_t *body, size_t *body_length)
{
	if (dialect->framing == QUASH_LINES)
		return split_line(data, length, body, body_length);
	return split_header(data, length, body, body_length);
}
