/* SPDX-License-Identifier: MIT */
#include "bridge_log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static enum log_level shown = LOG_INFO;

static const char *const names[] = { "error", "warning", "info", "debug", "", "trace" };

void log_set_level(enum log_level most)
{
	shown = most;
}

enum log_level log_level_of(const char *name)
{
	int i = 0;
	while (i < LOG_LEVELS && strcmp(names[i], name) != 0)
		i++;
	return (enum log_level)i;
}

bool log_shows(enum log_level level)
{
	return level <= shown || level == LOG_TRACE;
}

void log_line(enum log_level level, const char *format, ...)
{
	va_list arguments;
	if (!log_shows(level))
		return;
	fprintf(stderr, "quash-bridge: %s: ", names[level]);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	putc('\n', stderr);
}

/* Those beyond ASCII have two bytes in UTF-8, U+0080 to U+009F. */
static bool is_control(const char *text, size_t left)
{
	const unsigned char c = (unsigned char)text[0], next = left > 1 ? (unsigned char)text[1] : 0;
	return c < 0x20 || c == 0x7F || (c == 0xC2 && next >= 0x80 && next < 0xA0);
}

void log_message(enum log_level level, const char *from, const char *mark, const char *text, size_t n)
{
	const size_t most = n < LOG_MESSAGE ? n : LOG_MESSAGE;
	if (!log_shows(level))
		return;
	fprintf(stderr, "quash-bridge: %s: %s: %s ", names[level], from, mark);
	for (size_t i = 0; i < most; i++) {
		const bool control = is_control(text + i, most - i), wide = control && (unsigned char)text[i] == 0xC2;
		if (control)
			fprintf(stderr, "\\u%04x", (unsigned char)text[i + (wide ? 1 : 0)]);
		else
			putc(text[i], stderr);
		i += wide;
	}
	fputs(most < n ? "...\n" : "\n", stderr);
}

static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

const char *log_text(char to[LOG_TEXT], const char *text, size_t length)
{
	size_t at = 0;
	for (size_t i = 0; i < length && i < LOG_SHOWN; i++) {
		const unsigned char c = (unsigned char)text[i];
		const char *const form = is_plain(c) ? "%c" : c == '"' || c == '\\' ? "\\%c" : "\\u%04x";
		at += (size_t)snprintf(to + at, LOG_TEXT - at, form, c);
	}
	snprintf(to + at, LOG_TEXT - at, "%s", length > LOG_SHOWN ? "..." : "");
	return to;
}
