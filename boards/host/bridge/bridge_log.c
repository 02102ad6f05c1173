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
