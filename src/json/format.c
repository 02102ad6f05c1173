/* SPDX-License-Identifier: MIT */
#include "format.h"

#include "rom.h"
#include "writer.h"

/* Digits of the largest number, and with them sign, point and NUL. */
enum { PLACES = sizeof(long) > 4 ? 20 : 10, LONGEST_NUMBER = PLACES + 3 };

/* A conversion with its value as text, or a byte that stands for itself. */
struct piece {
	char kind;        /* the letter of the conversion; NUL: it is a byte */
	char byte;
	bool wide;        /* a long */
	uint8_t decimals;
	const char *text;
	char number[LONGEST_NUMBER];
};

struct format {
	const char *at;
	bool plain; /* the rest has no conversion */
};

/* --- The format */

/* Behind a percent sign. For what is none of ours the caller passed values of unknown types. */
static void read_conversion(struct format *f, struct piece *p)
{
	enum { MOST_DECIMALS = 9 };
	const char *at = f->at;
	p->decimals = 0;
	if (quash_rom(at) == '.') {
		p->decimals = (uint8_t)(quash_rom(&at[1]) - '0');
		at += p->decimals <= MOST_DECIMALS ? 2 : 0;
	}
	p->wide = quash_rom(at) == 'l';
	if (p->wide)
		at++;
	const char kind = quash_rom(at);
	const bool number = kind == 'd' || kind == 'u', text = (kind == 's' || kind == 'c') && at == f->at;
	f->plain = !number && !text;
	if (f->plain)
		return;
	p->kind = kind;
	f->at = at + 1;
}

/* False at the end. */
static bool next_piece(struct format *f, struct piece *p)
{
	p->kind = '\0';
	p->byte = quash_rom(f->at);
	if (p->byte == '\0')
		return false;
	f->at++;
	if (p->byte != '%' || f->plain)
		return true;
	if (quash_rom(f->at) == '%')
		f->at++;
	else
		read_conversion(f, p);
	return true;
}

/* --- Values that are passed */

struct passed {
	va_list list;
};

/* Nothing is divided, as in quash_put_digits. */
static void write_number(struct piece *p, unsigned long value, bool minus)
{
	char *to = p->number;
	p->text = to;
	if (minus)
		*to++ = '-';
	const char *const first = to;
	for (uint8_t place = PLACES; place > 0; place--) {
		unsigned long power = 1;
		char digit = '0';
		for (uint8_t i = 1; i < place; i++)
			power *= 10;
		for (; value >= power; value -= power)
			digit++;
		if (digit != '0' || to != first || place <= p->decimals + 1)
			*to++ = digit;
		if (place == p->decimals + 1 && place > 1)
			*to++ = '.';
	}
	*to = '\0';
}

static void take_piece(struct piece *p, struct passed *from)
{
	if (p->kind == 's') {
		p->text = va_arg(from->list, const char *);
		if (p->text == NULL)
			p->text = "";
	} else if (p->kind == 'c') {
		p->number[0] = (char)va_arg(from->list, int);
		p->number[1] = '\0';
		p->text = p->number;
	} else if (p->kind == 'u') {
		write_number(p, p->wide ? va_arg(from->list, unsigned long) : va_arg(from->list, unsigned), false);
	} else {
		const long value = p->wide ? va_arg(from->list, long) : va_arg(from->list, int);
		write_number(p, value < 0 ? 0 - (unsigned long)value : (unsigned long)value, value < 0);
	}
}

/* --- Values that are stored: texts, each with a NUL. Of the last one there may be no more than a beginning */

/* Of a text that is cut there stand dots for the character that may have been cut, too. */
static void dot_end(uint8_t *from, uint8_t *end)
{
	enum { CONTINUES = 0x80, BEGINS = 0xC0 };
	while (end > from && *--end >= CONTINUES) {
		const bool begins = *end >= BEGINS;
		*end = '.';
		if (begins)
			break;
	}
}

/* Returns what is left of the room. */
static uint8_t *keep_text(const char *text, uint8_t *room, uint8_t *end)
{
	uint8_t *const from = room;
	while (room < end) {
		const char c = quash_rom(text);
		*room++ = (uint8_t)c;
		if (c == '\0')
			return room;
		text++;
	}
	dot_end(from, end);
	return NULL;
}

bool quash_keep_values(const char *format, va_list args, uint8_t *room, size_t size)
{
	struct format f = { format, false };
	uint8_t *const end = room + size;
	struct passed from;
	struct piece p;
	va_copy(from.list, args);
	while (room != NULL && next_piece(&f, &p)) {
		if (p.kind == '\0')
			continue;
		take_piece(&p, &from);
		room = keep_text(p.text, room, end);
	}
	va_end(from.list);
	return room != NULL;
}

/* --- How they are put */

static const uint8_t *put_kept(quash_writer *w, const uint8_t *at, const uint8_t *end)
{
	while (at < end && *at != '\0')
		quash_put_escaped(w, *at++);
	if (at < end)
		return at + 1;
	quash_put_string_text(w, "...");
	return end;
}

void quash_put_kept_values(quash_writer *w, const char *format, const uint8_t *room, size_t size)
{
	struct format f = { format, false };
	const uint8_t *const end = room + size;
	struct piece p;
	quash_put_string_open(w);
	while (next_piece(&f, &p)) {
		if (p.kind == '\0')
			quash_put_escaped(w, (uint8_t)p.byte);
		else
			room = put_kept(w, room, end);
	}
	quash_put_string_close(w);
}

void quash_put_values(quash_writer *w, const char *format, va_list args)
{
	struct format f = { format, false };
	struct passed from;
	struct piece p;
	va_copy(from.list, args);
	quash_put_string_open(w);
	while (next_piece(&f, &p)) {
		if (p.kind == '\0') {
			quash_put_escaped(w, (uint8_t)p.byte);
			continue;
		}
		take_piece(&p, &from);
		quash_put_string_text(w, p.text);
	}
	quash_put_string_close(w);
	va_end(from.list);
}

void quash_put_textf_(quash_writer *w, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	quash_put_values(w, format, args);
	va_end(args);
}
