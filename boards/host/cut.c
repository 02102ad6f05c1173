/* SPDX-License-Identifier: MIT */
#include "cut.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FIRST_ROOM = 4096, KEPT_ROOM = 1 << 16 };

static const char length_name[] = "Content-Length:";

static bool grow(struct cut *cut, size_t needs)
{
	size_t room = cut->room > 0 ? cut->room : FIRST_ROOM;
	while (room < needs)
		room *= 2;
	uint8_t *const bytes = room > cut->room ? realloc(cut->bytes, room) : cut->bytes;
	if (bytes == NULL)
		return false;
	cut->bytes = bytes;
	cut->room = room;
	return true;
}

static void keep(struct cut *cut, const uint8_t *data, size_t n)
{
	const bool fits = !cut->too_long && n <= CUT_MOST - cut->length && grow(cut, cut->length + n + 1);
	cut->too_long = !fits;
	if (!fits)
		return;
	if (n > 0)
		memcpy(cut->bytes + cut->length, data, n);
	cut->length += n;
	cut->bytes[cut->length] = '\0';
}

/* One that is too long shows its beginning: it is no JSON then. */
static enum cut_event show(struct cut *cut, enum cut_event what)
{
	keep(cut, NULL, 0);
	cut->done = true;
	return what;
}

static void begin(struct cut *cut)
{
	if (!cut->done)
		return;
	if (cut->room > KEPT_ROOM)
		cut_free(cut);
	cut->done = cut->too_long = cut->headed = false;
	cut->length = 0;
}

/* Up to the line's end, which is used too. True if it was there. */
static bool read_line(struct cut *cut, const uint8_t *data, size_t n, size_t *at)
{
	const uint8_t *const end = memchr(data + *at, '\n', n - *at);
	const size_t length = end != NULL ? (size_t)(end - data) - *at : n - *at;
	keep(cut, data + *at, length);
	*at += length + (end != NULL);
	return end != NULL;
}

static void trim_return(struct cut *cut)
{
	if (cut->length > 0 && cut->bytes[cut->length - 1] == '\r')
		cut->bytes[--cut->length] = '\0';
}

static bool begins_number(const char *text)
{
	text += strspn(text, " \t");
	return *text >= '0' && *text <= '9';
}

/* A header may stand behind noise on its line. */
static bool read_length(struct cut *cut)
{
	const char *at = (const char *)cut->bytes;
	while (*at != '\0' && strncasecmp(at, length_name, sizeof length_name - 1) != 0)
		at++;
	if (*at == '\0' || !begins_number(at + sizeof length_name - 1))
		return false;
	cut->headed = true;
	cut->left = strtoul(at + sizeof length_name - 1, NULL, 10);
	cut->left = cut->left < CUT_MOST ? cut->left : CUT_MOST;
	return true;
}

static enum cut_event end_header_line(struct cut *cut)
{
	trim_return(cut);
	if (cut->length == 0 && cut->left == 0)
		return show(cut, cut->headed ? CUT_MESSAGE : CUT_SIGN);
	cut->in_body = cut->length == 0;
	const bool known = cut->length == 0 || read_length(cut) || strncasecmp((const char *)cut->bytes, "Content-Type:", 13) == 0;
	if (!known)
		return show(cut, CUT_NOISE);
	cut->length = 0;
	return CUT_MORE;
}

static enum cut_event read_body(struct cut *cut, const uint8_t *data, size_t n, size_t *at)
{
	const size_t there = n - *at, length = there < cut->left ? there : cut->left;
	keep(cut, data + *at, length);
	*at += length;
	cut->left -= length;
	cut->in_body = cut->left > 0;
	return cut->in_body ? CUT_MORE : show(cut, CUT_MESSAGE);
}

static enum cut_event read_headed(struct cut *cut, const uint8_t *data, size_t n, size_t *at)
{
	enum cut_event event = CUT_MORE;
	while (event == CUT_MORE && *at < n) {
		if (cut->in_body)
			event = read_body(cut, data, n, at);
		else if (read_line(cut, data, n, at))
			event = end_header_line(cut);
	}
	return event;
}

enum cut_event cut_read(struct cut *cut, const uint8_t *data, size_t n, size_t *at)
{
	begin(cut);
	if (*at >= n)
		return CUT_MORE;
	if (cut->framing != QUASH_LINES)
		return read_headed(cut, data, n, at);
	if (!read_line(cut, data, n, at))
		return CUT_MORE;
	trim_return(cut);
	return show(cut, cut->length > 0 ? CUT_MESSAGE : CUT_SIGN);
}

bool cut_end(struct cut *cut)
{
	begin(cut);
	const bool open = cut->framing == QUASH_LINES && cut->length > 0;
	cut->done = true;
	return open;
}

bool cut_is_between(const struct cut *cut)
{
	return (cut->done || cut->length == 0) && !cut->in_body && cut->left == 0;
}

void cut_free(struct cut *cut)
{
	free(cut->bytes);
	cut->bytes = NULL;
	cut->length = cut->room = 0;
}
