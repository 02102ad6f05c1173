/* SPDX-License-Identifier: MIT */
#include "format.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { DIGITS = 24 };

/* Where it goes, and its arguments. */
struct output {
	char *to;
	size_t size, length;
	va_list arguments;
};

/* What stands between % and the letter. */
struct field {
	size_t width, most;
	enum { PLAIN, LONG, LONG_LONG, SIZE } kind;
};

static void put(struct output *out, const char *text, size_t n)
{
	const size_t room = out->size - 1 - out->length, taken = n < room ? n : room;
	memcpy(out->to + out->length, text, taken);
	out->length += taken;
}

static void put_string(struct output *out, const char *text, size_t most)
{
	const char *const end = memchr(text, '\0', most);
	put(out, text, end != NULL ? (size_t)(end - text) : most);
}

static void put_digits(struct output *out, const struct field *field, bool negative, uint64_t number, unsigned base)
{
	char digits[DIGITS];
	size_t at = sizeof digits;
	do {
		digits[--at] = "0123456789abcdef"[number % base];
		number /= base;
	} while (number > 0);
	while (at > 1 && sizeof digits - at < field->width)
		digits[--at] = '0';
	if (negative)
		digits[--at] = '-';
	put(out, digits + at, sizeof digits - at);
}

static void put_signed(struct output *out, const struct field *field)
{
	const int64_t number = field->kind == LONG_LONG ? va_arg(out->arguments, long long) :
		field->kind == LONG ? va_arg(out->arguments, long) : va_arg(out->arguments, int);
	put_digits(out, field, number < 0, number < 0 ? 0 - (uint64_t)number : (uint64_t)number, 10);
}

static void put_unsigned(struct output *out, const struct field *field, unsigned base)
{
	const uint64_t number = field->kind == LONG_LONG ? va_arg(out->arguments, unsigned long long) :
		field->kind == LONG ? va_arg(out->arguments, unsigned long) :
		field->kind == SIZE ? va_arg(out->arguments, size_t) : va_arg(out->arguments, unsigned);
	put_digits(out, field, false, number, base);
}

static const char *read_field(struct output *out, const char *at, struct field *field)
{
	*field = (struct field){ .most = SIZE_MAX };
	for (; *at >= '0' && *at <= '9'; at++)
		field->width = field->width * 10 + (size_t)(*at - '0');
	if (at[0] == '.' && at[1] == '*') {
		const int most = va_arg(out->arguments, int);
		field->most = most < 0 ? SIZE_MAX : (size_t)most;
		at += 2;
	}
	if (*at == 'z') {
		field->kind = SIZE;
		return at + 1;
	}
	for (; *at == 'l'; at++)
		field->kind = field->kind == LONG ? LONG_LONG : LONG;
	return at;
}

/* False: it is none of ours. */
static bool put_field(struct output *out, const struct field *field, char letter)
{
	char c;
	switch (letter) {
	case 's': put_string(out, va_arg(out->arguments, const char *), field->most); return true;
	case 'd': put_signed(out, field); return true;
	case 'u': put_unsigned(out, field, 10); return true;
	case 'x': put_unsigned(out, field, 16); return true;
	case 'c':
		c = (char)va_arg(out->arguments, int);
		put(out, &c, 1);
		return true;
	case '%': put(out, "%", 1); return true;
	default: return false;
	}
}

size_t format_list(char *to, size_t size, const char *format, va_list arguments)
{
	struct output out = { .to = to, .size = size };
	struct field field;
	va_copy(out.arguments, arguments);
	for (;;) {
		const size_t plain = strcspn(format, "%");
		put(&out, format, plain);
		if (format[plain] == '\0')
			break;
		format = read_field(&out, format + plain + 1, &field);
		if (!put_field(&out, &field, *format))
			break;
		format++;
	}
	va_end(out.arguments);
	to[out.length] = '\0';
	return out.length;
}

size_t format_text(char *to, size_t size, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	const size_t length = format_list(to, size, format, arguments);
	va_end(arguments);
	return length;
}
