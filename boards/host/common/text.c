/* SPDX-License-Identifier: MIT */
#include "text.h"

#include "host_escape.h"

#include <string.h>

/* --- Values as texts */

void text_put_string(struct builder *to, const char *text, size_t length)
{
	build_char(to, '"');
	escape_build(to, ESCAPE_JSON, text, length);
	build_char(to, '"');
}

void text_put_named(struct builder *to, const char *before, const char *text)
{
	build_text(to, before);
	text_put_string(to, text, strlen(text));
}

void text_put_key(struct builder *to, quash_value key)
{
	text_put_string(to, quash_text(key), quash_length(key));
	build_char(to, ':');
}

/* As deep as messages may nest, QUASH_DEPTH. */
static void put_container(struct builder *to, quash_value value, bool object)
{
	quash_value cursor = { NULL, 0, 0 }, key, member;
	const char *comma = "";
	build_char(to, object ? '{' : '[');
	while (quash_next(value, &cursor, &key, &member)) {
		build_text(to, comma);
		comma = ",";
		if (object)
			text_put_key(to, key);
		text_put(to, member);
	}
	build_char(to, object ? '}' : ']');
}

void text_put(struct builder *to, quash_value value)
{
	switch (quash_kind_of(value)) {
	case QUASH_OBJECT: put_container(to, value, true); break;
	case QUASH_ARRAY: put_container(to, value, false); break;
	case QUASH_STRING: text_put_string(to, quash_text(value), quash_length(value)); break;
	case QUASH_NUMBER: build_text(to, quash_text(value)); break;
	case QUASH_TRUE: build_text(to, "true"); break;
	case QUASH_FALSE: build_text(to, "false"); break;
	default: build_text(to, "null"); break;
	}
}

char *text_of(const struct heap *heap, quash_value value)
{
	struct builder to = build_begin(heap);
	if (quash_kind_of(value) == QUASH_NONE)
		return NULL;
	text_put(&to, value);
	return build_end(&to);
}

char *text_of_error(const struct heap *heap, quash_value error)
{
	int32_t code = 0;
	const bool known = quash_int32(quash_get(error, "code"), &code) == QUASH_NUMBER_OK && code != 0;
	return known ? text_of(heap, error) : text_copy(heap, "{\"code\":-32603,\"message\":\"Internal error\"}");
}

/* FNV-1a. */
uint64_t text_print(const struct heap *heap, uint64_t before, quash_value value)
{
	char *const text = text_of(heap, value);
	uint64_t print = before ^ 0xCBF29CE484222325u;
	for (const char *c = text; c != NULL && *c != '\0'; c++)
		print = (print ^ (unsigned char)*c) * 0x100000001B3u;
	heap_free(heap, text);
	return print != 0 ? print : 1;
}

void text_replace(const struct heap *heap, char **text, char *fresh)
{
	heap_free(heap, *text);
	*text = fresh;
}

void text_fit(char *to, size_t size, const char *text)
{
	const size_t n = escape_cut(text, strlen(text), size - 1);
	memcpy(to, text, n);
	to[n] = '\0';
}

char *text_of_failure(const struct heap *heap, const char *id, int code, const char *words, const char *data)
{
	struct builder to = build_begin(heap);
	build_text(&to, "{\"jsonrpc\":\"2.0\"");
	if (id != NULL) {
		build_text(&to, ",\"id\":");
		build_text(&to, id);
	}
	build_text(&to, ",\"error\":{\"code\":");
	build_number(&to, code);
	build_text(&to, ",\"message\":");
	text_put_string(&to, words, strlen(words));
	if (data != NULL) {
		build_text(&to, ",\"data\":");
		build_text(&to, data);
	}
	build_text(&to, "}}");
	return build_end(&to);
}

char *text_copy(const struct heap *heap, const char *text)
{
	const size_t size = text != NULL ? strlen(text) + 1 : 0;
	char *const copy = text != NULL ? heap_resize(heap, NULL, size) : NULL;
	if (copy != NULL)
		memcpy(copy, text, size);
	return copy;
}

void text_compact(char *json)
{
	bool quoted = false, escaped = false;
	char *to = json;
	for (const char *from = json; *from != '\0'; from++) {
		if (!quoted && strchr(" \t\r\n", *from) != NULL)
			continue;
		if (*from == '"' && !escaped)
			quoted = !quoted;
		escaped = *from == '\\' && !escaped;
		*to++ = *from;
	}
	*to = '\0';
}

/* --- Numbers */

static const char digits[] = "0123456789";

uint32_t text_digits(const char *text, size_t *n)
{
	uint64_t number = 0;
	*n = strspn(text, digits);
	for (size_t i = 0; i < *n && number <= UINT32_MAX; i++)
		number = number * 10 + (uint64_t)(text[i] - '0');
	return number <= UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

/* 0.D1D2... times ten to `exponent`, of which D1 and the last digit are not 0; without digits it is 0. */
struct decimal {
	const char *text; /* of the digits, `whole` of them in front of the point */
	size_t whole, first, count;
	int64_t exponent;
	bool negative;
};

static char digit_at(const struct decimal *d, size_t i)
{
	i += d->first;
	return d->text[i < d->whole ? i : i + 1];
}

/* Takes zeros away at both ends. */
static void trim_zeros(struct decimal *d)
{
	while (d->count > 0 && digit_at(d, 0) == '0') {
		d->first++;
		d->count--;
	}
	while (d->count > 0 && digit_at(d, d->count - 1) == '0')
		d->count--;
	d->exponent += (int64_t)d->whole - (int64_t)d->first;
	if (d->count == 0)
		d->exponent = d->negative = 0;
}

/* False: it is no number to its end. */
static bool read_decimal(struct decimal *d, const char *text)
{
	size_t n = 0;
	*d = (struct decimal){ .negative = *text == '-' };
	text += *text == '-' || *text == '+';
	d->text = text;
	d->whole = strspn(text, digits);
	text += d->whole;
	if (*text == '.') {
		n = strspn(text + 1, digits);
		text += 1 + n;
	}
	d->count = d->whole + n;
	if (d->count > 0 && (*text == 'e' || *text == 'E')) {
		const bool minus = text[1] == '-', sign = minus || text[1] == '+';
		const int64_t exponent = text_digits(text + 1 + sign, &n);
		d->exponent = minus ? -exponent : exponent;
		text += n > 0 ? 1 + sign + n : 0;
	}
	const bool number = d->count > 0 && *text == '\0';
	trim_zeros(d);
	return number;
}

bool text_is_same_number(const char *a, const char *b)
{
	struct decimal x, y;
	if (!read_decimal(&x, a) || !read_decimal(&y, b) || x.negative != y.negative || x.exponent != y.exponent || x.count != y.count)
		return false;
	size_t i = 0;
	while (i < x.count && digit_at(&x, i) == digit_at(&y, i))
		i++;
	return i == x.count;
}

/* --- Sets of texts */

static size_t find_text(const struct texts *texts, const char *text)
{
	size_t i = 0;
	while (i < texts->count && strcmp(texts->at[i], text) != 0)
		i++;
	return i;
}

bool texts_has(const struct texts *texts, const char *text)
{
	return find_text(texts, text) < texts->count;
}

bool texts_add(struct texts *texts, const char *text)
{
	if (texts->count == MOST_TEXTS || texts_has(texts, text))
		return false;
	char **const at = heap_resize(texts->heap, texts->at, (texts->count + 1) * sizeof *at);
	if (at == NULL)
		return false;
	texts->at = at;
	at[texts->count] = text_copy(texts->heap, text);
	texts->count += at[texts->count] != NULL;
	return true;
}

static void take_text_out(struct texts *texts, size_t i)
{
	heap_free(texts->heap, texts->at[i]);
	memmove(&texts->at[i], &texts->at[i + 1], (--texts->count - i) * sizeof *texts->at);
}

bool texts_remove(struct texts *texts, const char *text)
{
	const size_t i = find_text(texts, text);
	if (i == texts->count)
		return false;
	take_text_out(texts, i);
	return true;
}

void texts_add_last(struct texts *texts, const char *text)
{
	(void)texts_remove(texts, text);
	if (texts->count == MOST_TEXTS)
		take_text_out(texts, 0);
	(void)texts_add(texts, text);
}

void texts_clear(struct texts *texts)
{
	while (texts->count > 0)
		heap_free(texts->heap, texts->at[--texts->count]);
	heap_free(texts->heap, texts->at);
	texts->at = NULL;
}

/* --- What a device says of its session */

/* Where `part` begins in the text, or NULL. */
static const char *find_part(const char *text, size_t n, const char *part)
{
	const size_t length = strlen(part);
	for (size_t i = 0; i + length <= n; i++) {
		if (memcmp(text + i, part, length) == 0)
			return text + i;
	}
	return NULL;
}

/* As src/mcp/mcp.c puts it, byte for byte. A result may quote it. */
bool text_denies_session(const char *text, size_t n)
{
	static const char denial[] = ",\"error\":{\"code\":-32602,\"message\":\"No initialize.";
	const char *const at = find_part(text, n, denial);
	return at != NULL && find_part(text, (size_t)(at - text), "\"result\":") == NULL;
}
