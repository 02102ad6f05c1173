/* SPDX-License-Identifier: MIT */
#include "shapes.h"

#include <stdio.h>
#include <string.h>

struct text {
	uint8_t *bytes;
	size_t n, size;
	uint32_t number, noise;
};

static void put(struct text *t, uint8_t byte)
{
	if (t->n < t->size)
		t->bytes[t->n++] = byte;
}

static void put_number(struct text *t, uint32_t number)
{
	char digits[11];
	const int n = snprintf(digits, sizeof digits, "%u", (unsigned)number);
	for (int i = 0; i < n; i++)
		put(t, (uint8_t)digits[i]);
}

/* Any bytes, the same again and again: no part is another one's better. */
static uint8_t noise(struct text *t)
{
	enum { PERIOD = 200 };
	t->noise = t->n % PERIOD == 0 ? 1 : t->noise * 1664525 + 1013904223;
	return (uint8_t)(t->noise >> 24);
}

static void put_part(struct text *t, const char *part)
{
	for (; *part != '\0'; part++) {
		if (*part == '#')
			put_number(t, ++t->number);
		else if (*part == '~')
			put(t, noise(t));
		else
			put(t, (uint8_t)(*part == '\'' ? '"' : *part));
	}
}

/* Each line in a frame of its own, as long as all of it is no longer than `n`. */
static size_t in_frames(const uint8_t *lines, size_t length, size_t n, uint8_t *to, size_t size)
{
	size_t at = 0, made = 0;
	while (at < length && made < n) {
		const uint8_t *const end = memchr(&lines[at], '\n', length - at);
		const size_t body = end != NULL ? (size_t)(end - &lines[at]) : length - at;
		char header[40];
		const size_t head = (size_t)snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", body);
		if (head + body > size - made)
			break;
		memcpy(&to[made], header, head);
		memcpy(&to[made + head], &lines[at], body);
		made += head + body;
		at += body + 1;
	}
	return made;
}

size_t cost_shape_text(const struct cost_shape *shape, const quash_dialect *dialect, size_t n, uint8_t *to, size_t size)
{
	static uint8_t lines[2 * COST_MOST_BYTES];
	const bool framed = !shape->raw && dialect->framing != QUASH_LINES;
	struct text t = { framed ? lines : to, 0, framed ? sizeof lines : size, 0, 1 };
	size_t backs = 0;
	put_part(&t, shape->head);
	while (t.n + backs < n) {
		put_part(&t, shape->unit);
		backs += shape->back != NULL ? strlen(shape->back) : 0;
	}
	for (; shape->back != NULL && backs > 0; backs -= strlen(shape->back))
		put_part(&t, shape->back);
	put_part(&t, shape->tail);
	return framed ? in_frames(lines, t.n, n, to, size) : t.n;
}
