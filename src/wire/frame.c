/* SPDX-License-Identifier: MIT */
#include "frame_inner.h"

enum state {
	START,       /* of a line */
	NAME,        /* may still be Content-Length */
	AFTER_NAME,
	BEFORE_VALUE,
	IN_DIGITS,
	AFTER_VALUE,
	OTHER_NAME,
	OTHER_VALUE,
	SCAN,        /* lost: Content-Length may begin anywhere */
	BODY,
	SKIP         /* lost: up to the end of the line */
};

/* No arena is larger. What is beyond is noise, and as a length it would swallow what follows for hours. */
static const uint32_t longest_body = 0xFFFFFF;

static const char header_name[14] = { 'c', 'o', 'n', 't', 'e', 'n', 't', '-', 'l', 'e', 'n', 'g', 't', 'h' };

void quash_frame_init(quash_frame *f)
{
	f->left = 0;
	f->state = START;
	f->place = 0;
	f->known = false;
}

void quash_frame_lost(quash_frame *f)
{
	quash_frame_init(f);
	f->state = SKIP;
}

uint8_t quash_frame_line(quash_frame *f, const uint8_t *data, size_t n, size_t at, size_t *to, size_t *next)
{
	size_t i = at;
	while (i < n && data[i] != '\n')
		i++;
	*to = f->state == SKIP ? at : i;
	*next = i < n ? i + 1 : i;
	const uint8_t body = *to > at ? FRAME_BODY : 0;
	if (i >= n)
		return body;
	const bool skipped = f->state == SKIP;
	f->state = START;
	return skipped ? 0 : body | FRAME_END;
}

static bool blank(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static uint8_t bad(quash_frame *f)
{
	f->state = SCAN;
	f->place = 0;
	f->known = false;
	return FRAME_BAD;
}

static void match_name(quash_frame *f, uint8_t c)
{
	const uint8_t lower = c >= 'A' && c <= 'Z' ? (uint8_t)(c | 0x20) : c;
	const uint8_t place = f->place;
	if (place < sizeof header_name && lower == (uint8_t)header_name[place])
		f->place = (uint8_t)(place + 1);
	else
		f->place = lower == (uint8_t)header_name[0] ? 1 : 0; /* no other letter of the name is its first one */
	if (f->place == sizeof header_name)
		f->state = AFTER_NAME;
}

/* What begins no header but may well be the rest of a body. */
static bool is_json(uint8_t c)
{
	return c == '"' || c == ',' || (c | 0x20) == '{' || (c | 0x20) == '}';
}

static uint8_t other_name(quash_frame *f, uint8_t c)
{
	f->state = c == ':' ? OTHER_VALUE : OTHER_NAME;
	return c == '\n' || is_json(c) ? bad(f) : 0;
}

static uint8_t in_name(quash_frame *f, uint8_t c)
{
	const uint8_t before = f->place;
	match_name(f, c);
	if (f->place == before + 1)
		return 0;
	return other_name(f, c);
}

static uint8_t digit(quash_frame *f, uint8_t c)
{
	const uint32_t value = (uint32_t)(c - '0');
	if (f->left > (longest_body - value) / 10)
		return bad(f);
	f->left = f->left * 10 + value;
	f->state = IN_DIGITS;
	return 0;
}

static uint8_t in_value(quash_frame *f, uint8_t c)
{
	if (c >= '0' && c <= '9' && f->state != AFTER_VALUE)
		return digit(f, c);
	if (c == '\n' && f->state != BEFORE_VALUE) {
		f->known = true;
		f->state = START;
		return 0;
	}
	if (!blank(c))
		return bad(f);
	if (f->state == IN_DIGITS)
		f->state = AFTER_VALUE;
	return 0;
}

static uint8_t at_start(quash_frame *f, uint8_t c)
{
	if (c == '\r')
		return 0;
	if (c != '\n') {
		f->place = 0;
		f->state = NAME;
		return in_name(f, c);
	}
	if (!f->known)
		return bad(f);
	f->known = false;
	f->place = 0;
	f->state = f->left > 0 ? BODY : START;
	return f->left > 0 ? 0 : FRAME_END;
}

static uint8_t header_byte(quash_frame *f, uint8_t c)
{
	switch (f->state) {
	case START: return at_start(f, c);
	case NAME: return in_name(f, c);
	case AFTER_NAME:
		if (blank(c))
			return 0;
		if (c != ':')
			return other_name(f, c);
		f->left = 0;
		f->state = BEFORE_VALUE;
		return 0;
	case BEFORE_VALUE:
	case IN_DIGITS:
	case AFTER_VALUE: return in_value(f, c);
	case OTHER_NAME: return other_name(f, c);
	case OTHER_VALUE:
		if (c == '\n')
			f->state = START;
		return 0;
	default:
		f->state = SCAN;
		match_name(f, c);
		return 0;
	}
}

static uint8_t body(quash_frame *f, size_t n, size_t at, size_t *to)
{
	size_t i = at;
	for (; i < n && f->left > 0; i++)
		f->left--;
	*to = i;
	if (f->left > 0)
		return FRAME_BODY;
	f->state = START;
	return FRAME_BODY | FRAME_END;
}

uint8_t quash_frame_length(quash_frame *f, const uint8_t *data, size_t n, size_t at, size_t *to, size_t *next)
{
	uint8_t found = 0;
	size_t i = at;
	for (; i < n && f->state != BODY && found == 0; i++)
		found = header_byte(f, data[i]);
	*to = at;
	*next = i;
	if (i > at || f->state != BODY)
		return found;
	found = body(f, n, at, to);
	*next = *to;
	return found;
}
