/* SPDX-License-Identifier: MIT */
#include "frame_inner.h"

#include "../json/rom.h"

enum state {
	START = 0,   /* of a line */
	NAME,        /* may still be Content-Length */
	AFTER_NAME,
	BEFORE_VALUE,
	IN_DIGITS,
	AFTER_VALUE,
	OTHER_NAME,
	OTHER_VALUE,
	SCAN,        /* lost: Content-Length may begin anywhere */
	BODY
};

enum { NAME_LENGTH = sizeof CONTENT_LENGTH - 1 };

void quash_frame_lost(quash_frame *f)
{
	quash_frame_init(f, f->longest);
	f->state = SCAN;
}

bool quash_frame_took(quash_frame *f, size_t n)
{
	f->left = n < f->left ? f->left - (uint32_t)n : 0;
	if (f->left == 0)
		f->state = START;
	return f->left == 0;
}

static bool blank(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* Of the header's name. Behind it is a line end, which none of its callers looks for. */
static char letter_at(uint8_t place)
{
	return place < NAME_LENGTH ? lower(quash_rom(&CONTENT_LENGTH[place])) : '\n';
}

static void match_name(quash_frame *f, uint8_t c)
{
	const char letter = lower((char)c);
	if (letter == letter_at(f->place))
		f->place++;
	else
		f->place = letter == letter_at(0) ? 1 : 0; /* no other letter of the name is its first one */
	if (f->place == NAME_LENGTH)
		f->state = AFTER_NAME;
}

/* A header that breaks off may have the next one right behind it. */
static enum frame_found bad(quash_frame *f, uint8_t c)
{
	f->state = SCAN;
	f->place = 0;
	f->known = false;
	match_name(f, c);
	return FRAME_BAD;
}

/* What begins no header but may well be the rest of a body. */
static bool may_be_body(uint8_t c)
{
	return c == '"' || c == ',' || (c | 0x20) == '{' || (c | 0x20) == '}';
}

/* Another header, or noise. Content-Length may stand behind it on its line, unless a line of its own has it already. */
static enum frame_found other(quash_frame *f, uint8_t c)
{
	const bool value = f->state == OTHER_VALUE;
	if (value && c == '\n') {
		f->place = 1; /* in a header: an empty line ends it, and is no sign of life */
		f->state = START;
		return FRAME_NOTHING;
	}
	if (!value && (c == '\n' || may_be_body(c)))
		return bad(f, c);
	f->state = value || c == ':' ? OTHER_VALUE : OTHER_NAME;
	if (!f->known)
		match_name(f, c);
	return FRAME_NOTHING;
}

static enum frame_found in_name(quash_frame *f, uint8_t c)
{
	const uint8_t before = f->place;
	match_name(f, c);
	if (f->place == before + 1)
		return FRAME_NOTHING;
	f->place = before;
	return other(f, c);
}

static enum frame_found digit(quash_frame *f, uint8_t c)
{
	const uint32_t value = (uint32_t)(c - '0');
	if (value > f->longest || f->left > (f->longest - value) / 10)
		return bad(f, c);
	f->left = f->left * 10 + value;
	f->state = IN_DIGITS;
	return FRAME_NOTHING;
}

static enum frame_found in_value(quash_frame *f, uint8_t c)
{
	if (c >= '0' && c <= '9' && f->state != AFTER_VALUE)
		return digit(f, c);
	if (c == '\n' && f->state != BEFORE_VALUE) {
		f->known = true;
		f->state = START;
		return FRAME_NOTHING;
	}
	if (!blank(c))
		return bad(f, c);
	if (f->state == IN_DIGITS)
		f->state = AFTER_VALUE;
	return FRAME_NOTHING;
}

static enum frame_found end_of_header(quash_frame *f)
{
	if (!f->known)
		return f->place > 0 ? bad(f, '\n') : FRAME_EMPTY;
	f->known = false;
	f->place = 0;
	f->state = f->left > 0 ? BODY : START;
	return f->left > 0 ? FRAME_NOTHING : FRAME_END;
}

static enum frame_found at_start(quash_frame *f, uint8_t c)
{
	if (c == '\r')
		return FRAME_NOTHING;
	if (c == '\n')
		return end_of_header(f);
	f->place = 0;
	f->state = NAME;
	return in_name(f, c);
}

static enum frame_found header_byte(quash_frame *f, uint8_t c)
{
	switch (f->state) {
	case START: return at_start(f, c);
	case NAME: return in_name(f, c);
	case AFTER_NAME:
		if (blank(c))
			return FRAME_NOTHING;
		if (c != ':')
			return other(f, c);
		f->left = 0;
		f->state = BEFORE_VALUE;
		return FRAME_NOTHING;
	case BEFORE_VALUE:
	case IN_DIGITS:
	case AFTER_VALUE: return in_value(f, c);
	case OTHER_NAME:
	case OTHER_VALUE: return other(f, c);
	default:
		match_name(f, c);
		return FRAME_NOTHING;
	}
}

enum frame_found quash_frame_length(quash_frame *f, const uint8_t *data, size_t n, size_t *at, size_t *to)
{
	enum frame_found found = FRAME_NOTHING;
	if (f->state == BODY) {
		const size_t end = *at + (f->left < n ? (size_t)f->left : n); /* no array fills half of what a size_t holds */
		*to = end < n ? end : n;
		return FRAME_BODY;
	}
	for (; *at < n && f->state != BODY && found == FRAME_NOTHING; (*at)++)
		found = header_byte(f, data[*at]);
	return found;
}
