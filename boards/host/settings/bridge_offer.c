/* SPDX-License-Identifier: MIT
 * The links are those of the documentation of VS Code and Cursor. */
#define _POSIX_C_SOURCE 200809L
#include "bridge_offer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* --- Links */

/* The server as an object of JSON on one line. `named`: with its name in it. NULL without memory. */
static char *object_of(const struct server_settings *server, bool named)
{
	char *object = NULL;
	size_t size;
	FILE *const to = open_memstream(&object, &size);
	if (to == NULL)
		return NULL;
	fputs("{\"", to);
	if (named) {
		fputs("name\":\"", to);
		fputs(server->name, to);
		fputs("\",\"", to);
	}
	for (size_t i = 0; i < server->count; i++) {
		fputs(i > 0 ? ",\"" : "", to);
		fputs(server->settings[i].key, to);
		fputs("\":", to);
		fputs(server->settings[i].value, to);
	}
	putc('}', to);
	return fclose(to) == 0 ? object : NULL;
}

/* What RFC 3986 does not call unreserved is a percent sign and two digits. */
static void put_percent(FILE *to, const char *text)
{
	static const char unreserved[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
	for (; *text != '\0'; text++)
		fprintf(to, strchr(unreserved, *text) != NULL ? "%c" : "%%%02X", (unsigned char)*text);
}

void offer_vscode(FILE *to, const struct server_settings *server, const struct command *command, enum host_system system)
{
	char *const object = object_of(server, true);
	(void)command;
	(void)system;
	fputs("open vscode:mcp/install?", to);
	put_percent(to, object != NULL ? object : "");
	free(object);
}

/* Takes one character of UTF-8; a byte that is part of none stands for itself. */
static uint32_t next_code(const char **text)
{
	const unsigned char *const c = (const unsigned char *)*text;
	const int more = c[0] >= 0xF0 ? 3 : c[0] >= 0xE0 ? 2 : c[0] >= 0xC0 ? 1 : 0;
	uint32_t code = more > 0 ? c[0] & (0x3Fu >> more) : c[0];
	for (int i = 1; i <= more; i++) {
		if ((c[i] & 0xC0) != 0x80) {
			++*text;
			return c[0];
		}
		code = code << 6 | (c[i] & 0x3Fu);
	}
	*text += more + 1;
	return code;
}

static void put_code(FILE *to, uint32_t code)
{
	if (code >= 0x10000) {
		fprintf(to, "\\u%04x", (unsigned)(0xD800 + ((code - 0x10000) >> 10)));
		code = 0xDC00 + ((code - 0x10000) & 0x3FF);
	}
	fprintf(to, "\\u%04x", (unsigned)code);
}

/* The same JSON, whose Base64 has no `+`, `/` or `=`: Base64 of ASCII has the first two for three characters and DEL alone, which
 * stand in strings, and blanks behind it fill the last group. */
static char *plain_of(const char *json)
{
	char *plain = NULL;
	size_t size;
	FILE *const to = open_memstream(&plain, &size);
	if (to == NULL)
		return NULL;
	while (*json != '\0') {
		const uint32_t code = next_code(&json);
		if (code < 0x7F && strchr(">?~", (int)code) == NULL)
			putc((int)code, to);
		else
			put_code(to, code);
	}
	fflush(to); /* which tells the size */
	fputs(&"  "[(size + 2) % 3], to);
	return fclose(to) == 0 ? plain : NULL;
}

static void put_base64(FILE *to, const char *text)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (; *text != '\0'; text += 3) {
		const uint32_t group = (uint32_t)text[0] << 16 | (uint32_t)text[1] << 8 | (uint32_t)text[2];
		for (int shift = 18; shift >= 0; shift -= 6)
			putc(digits[group >> shift & 0x3F], to);
	}
}

void offer_cursor(FILE *to, const struct server_settings *server, const struct command *command, enum host_system system)
{
	char *const object = object_of(server, false), *const plain = object != NULL ? plain_of(object) : NULL;
	(void)command;
	(void)system;
	fprintf(to, "open cursor://anysphere.cursor-deeplink/mcp/install?name=%s&config=", server->name);
	put_base64(to, plain != NULL ? plain : "");
	free(object);
	free(plain);
}

/* --- Commands */

/* A word as a shell of POSIX takes it, or those of Windows. */
static void put_shell_word(FILE *to, const char *word, enum host_system system)
{
	static const char plain[] = "\\abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._/:=@+";
	const bool windows = system == SYSTEM_WINDOWS;
	const char quote = windows ? '"' : '\'';
	if (word[0] != '\0' && word[strspn(word, windows ? plain : plain + 1)] == '\0') {
		fputs(word, to);
		return;
	}
	putc(quote, to);
	for (; *word != '\0'; word++) {
		if (*word == quote)
			fputs(windows ? "\\\"" : "'\\''", to);
		else
			putc(*word, to);
	}
	putc(quote, to);
}

/* Whether a line of a terminal can show it. */
static bool is_printable(const struct command *command)
{
	bool printable = true;
	for (size_t i = 0; printable && i < command->count; i++) {
		for (const char *at = command->words[i]; printable && *at != '\0'; at++)
			printable = (unsigned char)*at >= 0x20 && *at != 0x7F;
	}
	return printable;
}

void offer_claude(FILE *to, const struct server_settings *server, const struct command *command, enum host_system system)
{
	fprintf(to, "run claude mcp add --scope user %s -- ", server->name);
	if (!is_printable(command)) {
		fputs("COMMAND, with the words of the block", to);
		return;
	}
	put_shell_word(to, command->program, system);
	for (size_t i = 0; i < command->count; i++) {
		putc(' ', to);
		put_shell_word(to, command->words[i], system);
	}
}
