/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* One conversion: what the format asks for. */
struct wish {
	bool zeros;
	int width, precision; /* a negative precision is none */
	uint8_t size;         /* 0 int, 1 long, 2 long long, 3 size_t */
	char letter;
};

struct sink {
	char *text;
	size_t size, length;
};

static void put(struct sink *s, char c)
{
	if (s->length + 1 < s->size)
		s->text[s->length] = c;
	s->length++;
}

static void put_padded(struct sink *s, const char *text, size_t n, const struct wish *w)
{
	for (int i = (int)n; i < w->width; i++)
		put(s, w->zeros ? '0' : ' ');
	for (size_t i = 0; i < n; i++)
		put(s, text[i]);
}

static void put_number(struct sink *s, unsigned long long number, unsigned base, const struct wish *w)
{
	const char *const digits = w->letter == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
	char text[24];
	size_t at = sizeof text;
	do {
		text[--at] = digits[number % base];
		number /= base;
	} while (number > 0);
	put_padded(s, text + at, sizeof text - at, w);
}

static void put_signed(struct sink *s, long long number, const struct wish *w)
{
	if (number < 0)
		put(s, '-');
	put_number(s, number < 0 ? 0 - (unsigned long long)number : (unsigned long long)number, 10, w);
}

static void put_string(struct sink *s, const char *text, const struct wish *w)
{
	size_t n = 0;
	while ((w->precision < 0 || n < (size_t)w->precision) && text[n] != '\0')
		n++;
	put_padded(s, text, n, w);
}

static void put_bits(struct sink *s, double number, const struct wish *w)
{
	uint64_t bits = 0;
	memcpy(&bits, &number, sizeof number);
	put_number(s, bits, 16, w);
}

static int read_int(const char **format)
{
	int n = 0;
	for (; **format >= '0' && **format <= '9'; ++*format)
		n = 10 * n + (**format - '0');
	return n;
}

static uint8_t read_size(const char **format)
{
	uint8_t size = 0;
	for (; **format == 'l' || **format == 'z'; ++*format)
		size = **format == 'z' ? 3 : (uint8_t)(size + 1);
	return size;
}

typedef struct arguments {
	va_list list;
} arguments;

static unsigned long long unsigned_argument(arguments *a, uint8_t size)
{
	switch (size) {
	case 0: return va_arg(a->list, unsigned);
	case 1: return va_arg(a->list, unsigned long);
	case 2: return va_arg(a->list, unsigned long long);
	default: return va_arg(a->list, size_t);
	}
}

static long long signed_argument(arguments *a, uint8_t size)
{
	switch (size) {
	case 0: return va_arg(a->list, int);
	case 1: return va_arg(a->list, long);
	default: return va_arg(a->list, long long);
	}
}

static struct wish read_wish(const char **format, arguments *a)
{
	struct wish w = { .precision = -1 };
	w.zeros = **format == '0';
	w.width = read_int(format);
	if (**format == '.') {
		++*format;
		if (**format == '*') {
			++*format;
			w.precision = va_arg(a->list, int);
		} else {
			w.precision = read_int(format);
		}
	}
	w.size = read_size(format);
	w.letter = *(*format)++;
	return w;
}

static void convert(struct sink *s, const struct wish *w, arguments *a)
{
	switch (w->letter) {
	case 'd': put_signed(s, signed_argument(a, w->size), w); break;
	case 'u': put_number(s, unsigned_argument(a, w->size), 10, w); break;
	case 'x':
	case 'X': put_number(s, unsigned_argument(a, w->size), 16, w); break;
	case 's': put_string(s, va_arg(a->list, const char *), w); break;
	case 'c': put(s, (char)va_arg(a->list, int)); break;
	case 'g': put_bits(s, va_arg(a->list, double), w); break;
	default: put(s, w->letter); break;
	}
}

int vsnprintf(char *text, size_t size, const char *format, va_list list)
{
	struct sink s = { .text = text, .size = size };
	arguments a;
	va_copy(a.list, list);
	while (*format != '\0') {
		if (*format++ != '%') {
			put(&s, format[-1]);
			continue;
		}
		const struct wish w = read_wish(&format, &a);
		convert(&s, &w, &a);
	}
	va_end(a.list);
	if (size > 0)
		text[s.length < size ? s.length : size - 1] = '\0';
	return (int)s.length;
}

int snprintf(char *text, size_t size, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	const int n = vsnprintf(text, size, format, list);
	va_end(list);
	return n;
}

int sprintf(char *text, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	const int n = vsnprintf(text, SIZE_MAX / 2, format, list);
	va_end(list);
	return n;
}
