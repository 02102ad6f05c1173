/* SPDX-License-Identifier: MIT */
#include "puts.h"

#include <string.h>

enum { SURELY = 26, DEEPEST = 250 };

/* What the characters stand for; others stand for one of these. */
static const char characters[] = "{[}k:nbiulstzavKrxd(p0)q!";

static char call_of(char c)
{
	return c != '\0' && strchr(characters, c) != NULL ? c : characters[(uint8_t)c % (sizeof characters - 1)];
}

static const char *calls_of(quash_value params, size_t *n)
{
	const quash_value calls = quash_get(params, "p");
	*n = quash_length(calls);
	return quash_text(calls);
}

/* --- Putting */

static void put_first_key(quash_writer *w, quash_value params)
{
	quash_value cursor = { 0 }, key, value;
	if (quash_next(params, &cursor, &key, &value) && quash_kind_of(key) == QUASH_STRING)
		quash_put_key_value(w, key);
	else
		quash_put_key(w, "key");
}

static void put_double(quash_writer *w)
{
	quash_put_double(w, -1.25e-9, 5);
}

static void put_value(quash_writer *w, char call, quash_value params)
{
	switch (call) {
	case 'n': quash_put_null(w); break;
	case 'b': quash_put_bool(w, true); break;
	case 'i': quash_put_int(w, INT32_MIN); break;
	case 'u': quash_put_uint(w, UINT32_MAX); break;
	case 'l': quash_put_int64(w, INT64_MIN); break;
	case 's': quash_put_string(w, "a\0\xE2\x82\"\n", 6); break;
	case 't': quash_put_text(w, "\xC3\xA9\xED\xA0\x80 \\"); break;
	case 'z': quash_put_text(w, ""); break;
	case 'a': quash_put_text(w, quash_text(quash_get(params, "p"))); break;
	case 'v': quash_put_value(w, quash_get(params, "v")); break;
	case 'd': put_double(w); break;
	case 'x': quash_put_raw(w, "{\"x\":[1,\n\t\"y\"]}"); break;
	default: quash_put_raw(w, "-0.5e3"); break;
	}
}

static void put_call(quash_writer *w, char call, quash_value params)
{
	switch (call) {
	case '{': quash_put_object(w); break;
	case '[': quash_put_array(w); break;
	case '}': quash_put_end(w); break;
	case 'k': quash_put_key(w, "k\"\x80"); break;
	case ':': quash_put_key(w, ""); break;
	case 'K': put_first_key(w, params); break;
	case '(': quash_put_string_open(w); break;
	case 'p': quash_put_string_part(w, "\xF0\x9F\x98\x80\x01\xF0\x9F", 7); break;
	case '0': quash_put_string_int(w, -7); break;
	case ')': quash_put_string_close(w); break;
	case 'q': quash_put_quote_open(w); break;
	case '!': quash_put_quote_close(w); break;
	default: put_value(w, call, params); break;
	}
}

bool puts_one(quash_writer *w, quash_value params, uint16_t index)
{
	size_t n;
	const char *const calls = calls_of(params, &n);
	if (index >= n)
		return false;
	put_call(w, call_of(calls[index]), params);
	return true;
}

void puts_all(quash_writer *w, quash_value params)
{
	for (uint16_t i = 0; puts_one(w, params, i); i++)
		;
}

/* --- Judging */

/* Where a text stands. A quote begins a text of its own, down to `floor`. */
struct place {
	bool wrong, deep;
	bool object[DEEPEST];
	unsigned depth, floor;
	bool named, string, quoted, full, full_outside;
};

static bool in_object(const struct place *p)
{
	return p->depth > p->floor && p->object[p->depth - 1];
}

static void judge_value(struct place *p)
{
	if (p->string || (p->depth == p->floor ? p->full : in_object(p) && !p->named))
		p->wrong = true;
	if (p->depth == p->floor)
		p->full = true;
	p->named = false;
}

static void judge_open(struct place *p, bool object)
{
	judge_value(p);
	if (p->depth + 1 >= DEEPEST)
		p->wrong = true;
	else
		p->object[p->depth++] = object;
	p->deep = p->deep || p->depth > SURELY;
}

static void judge_end(struct place *p)
{
	p->named = false;
	if (p->string || p->depth == p->floor)
		p->wrong = true;
	else
		p->depth--;
}

static void judge_key(struct place *p)
{
	if (p->string || !in_object(p) || p->named)
		p->wrong = true;
	p->named = true;
}

static void judge_quote(struct place *p)
{
	judge_value(p);
	p->wrong = p->wrong || p->quoted;
	p->quoted = true;
	p->full_outside = p->depth == p->floor;
	p->full = false;
	p->floor = p->depth;
}

static void judge_quote_end(struct place *p)
{
	p->wrong = p->wrong || !p->quoted || p->string;
	p->depth = p->floor;
	p->quoted = p->named = false;
	p->full = p->full_outside;
	p->floor = 0;
}

static void judge_call(struct place *p, char call)
{
	switch (call) {
	case '{': judge_open(p, true); break;
	case '[': judge_open(p, false); break;
	case '}': judge_end(p); break;
	case 'k':
	case ':':
	case 'K': judge_key(p); break;
	case '(':
		judge_value(p);
		p->string = true;
		break;
	case ')': p->wrong = p->wrong || !p->string; p->string = false; break;
	case 'p':
	case '0': p->wrong = p->wrong || !p->string; break;
	case 'q': judge_quote(p); break;
	case '!': judge_quote_end(p); break;
	default: judge_value(p); break;
	}
}

static unsigned depth_of(quash_value container)
{
	quash_value cursor = { 0 }, key, value;
	unsigned deepest = 0;
	while (quash_next(container, &cursor, &key, &value)) {
		const unsigned depth = 1 + depth_of(value);
		deepest = depth > deepest ? depth : deepest;
	}
	return deepest;
}

enum puts_verdict puts_judge(quash_value params)
{
	struct place p = { 0 };
	size_t n;
	const char *const calls = calls_of(params, &n);
	for (size_t i = 0; i < n && !p.wrong; i++)
		judge_call(&p, call_of(calls[i]));
	if (p.deep || depth_of(params) > 4)
		return PUTS_UNSURE;
	return p.wrong || p.string || p.quoted ? PUTS_VOID : PUTS_JSON;
}

/* --- Digests */

static uint32_t with(uint32_t digest, uint32_t more)
{
	return (digest ^ more) * 16777619u;
}

uint32_t puts_digest(quash_value value)
{
	quash_value cursor = { 0 }, key, part;
	uint32_t digest = with(2166136261u, (uint32_t)quash_kind_of(value));
	const char *const text = quash_text(value);
	for (size_t i = 0; i < quash_length(value); i++)
		digest = with(digest, (uint8_t)text[i]);
	while (quash_next(value, &cursor, &key, &part)) {
		digest = with(digest, puts_digest(key));
		digest = with(digest, puts_digest(part));
	}
	return digest;
}
