/* SPDX-License-Identifier: MIT
 * What becomes of a client's line on its way to the device: how often it is read, and where it is copied to. */
#define _GNU_SOURCE 1
#include "turns.h"

#include "quash/lex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT = 1000, LONG = 3000, MARK = 48, VEIL = 0x80, MOST_MAPS = 4096 };

/* --- Reading */

static uint64_t lexed;

quash_lex_event __real_quash_lex_run(quash_lex *lex, const uint8_t *data, size_t n, size_t *at);
quash_lex_event __wrap_quash_lex_run(quash_lex *lex, const uint8_t *data, size_t n, size_t *at);
quash_lex_event __wrap_quash_lex_run(quash_lex *lex, const uint8_t *data, size_t n, size_t *at)
{
	const size_t before = *at;
	const quash_lex_event event = __real_quash_lex_run(lex, data, n, at);
	lexed += *at - before;
	return event;
}

quash_lex_event __real_quash_lex_byte(quash_lex *lex, uint8_t byte, bool *again);
quash_lex_event __wrap_quash_lex_byte(quash_lex *lex, uint8_t byte, bool *again);
quash_lex_event __wrap_quash_lex_byte(quash_lex *lex, uint8_t byte, bool *again)
{
	const quash_lex_event event = __real_quash_lex_byte(lex, byte, again);
	lexed += !*again;
	return event;
}

/* The text of an argument holds a mark in its middle, another one in each call. The test keeps it under a veil, to have it in no place. */
static uint8_t veiled[MARK];
static char line[LINE];

static void call_with(size_t length)
{
	static unsigned id = 1000;
	int n = snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"arguments\":{\"text\":\"", id++);
	char *const text = line + n;
	memset(text, 'x', length);
	for (size_t i = 0; i < MARK; i++) {
		veiled[i] = (uint8_t)('a' + (i * i + 7 * i + (size_t)id) % 26) | VEIL;
		text[length / 2 + i] = (char)(veiled[i] & ~VEIL);
	}
	n += (int)length + snprintf(text + length, sizeof line - (size_t)n - length, "\"}}}\n");
	say_text(&clients[0], line, (size_t)n);
	memset(line, 0, sizeof line);
	if (last_heard(&clients[0], true) == NULL)
		fail("a long call is not answered");
}

static uint64_t lexed_with(size_t length)
{
	const uint64_t before = lexed;
	call_with(length);
	return lexed - before;
}

/* What does not depend on the length falls out. */
unsigned line_passes(void)
{
	const uint64_t less = lexed_with(SHORT), more = lexed_with(LONG);
	return (unsigned)((more - less) * 100 / (LONG - SHORT));
}

/* --- Copies */

static bool is_mark(const uint8_t *at)
{
	for (size_t i = 0; i < MARK; i++) {
		if ((at[i] | VEIL) != veiled[i] || at[i] >= VEIL)
			return false;
	}
	return true;
}

static bool is_own(const void *at)
{
	return (const char *)at >= device.text && (const char *)at < device.text + sizeof device.text;
}

static const char *heard;

static unsigned marks_between(const uint8_t *from, const uint8_t *to)
{
	unsigned marks = 0;
	for (const uint8_t *at = from; at + MARK <= to; at++) {
		at = memchr(at, veiled[0] & ~VEIL, (size_t)(to - at) - MARK + 1);
		if (at == NULL)
			break;
		const bool theirs = !is_own(at) && !((const char *)at >= heard && (const char *)at < heard + LINE);
		marks += theirs && is_mark(at);
	}
	return marks;
}

/* All memory that may be written, as the system tells of it. */
static unsigned count_marks(void)
{
	static char maps[MOST_MAPS * 32];
	unsigned marks = 0;
	FILE *const file = fopen("/proc/self/maps", "r");
	if (file == NULL)
		fail("/proc/self/maps");
	while (fgets(maps, sizeof maps, file) != NULL) {
		unsigned long from = 0, to = 0;
		char rights[5] = "";
		if (sscanf(maps, "%lx-%lx %4s", &from, &to, rights) == 3 && strncmp(rights, "rw", 2) == 0)
			marks += marks_between((const uint8_t *)from, (const uint8_t *)to);
	}
	fclose(file);
	return marks;
}

static unsigned found;

static void look_for_marks(const char *asked)
{
	heard = asked;
	found = count_marks();
}

unsigned line_copies(void)
{
	device_hears = look_for_marks;
	call_with(SHORT);
	device_hears = NULL;
	return found;
}
