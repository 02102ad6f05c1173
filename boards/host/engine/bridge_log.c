/* SPDX-License-Identifier: MIT */
#include "bridge_log.h"

#include "bridge_inner.h"
#include "format.h"
#include "host_escape.h"

#include <stdarg.h>
#include <string.h>

enum { HEAD = 64, CHARACTER = 4 };

bool log_shows(const struct bridge *b, enum log_level level)
{
	return level <= b->options.level || level == LOG_TRACE;
}

void log_line(const struct bridge *b, enum log_level level, const char *format, ...)
{
	char text[LOG_MESSAGE + CHARACTER];
	va_list arguments;
	if (!log_shows(b, level))
		return;
	va_start(arguments, format);
	format_list(text, sizeof text, format, arguments);
	va_end(arguments);
	const size_t length = strlen(text), n = escape_cut(text, length, LOG_MESSAGE);
	b->host.log(b->host.context, level, text, n, n < length);
}

void log_message(const struct bridge *b, enum log_level level, const char *from, const char *mark, const char *text, size_t n)
{
	char line[LOG_MESSAGE];
	if (!log_shows(b, level))
		return;
	const size_t at = format_text(line, HEAD, "%s: %s ", from, mark), most = escape_cut(text, n, LOG_MESSAGE - HEAD);
	memcpy(line + at, text, most);
	b->host.log(b->host.context, level, line, at + most, most < n);
}

const char *log_text(char to[LOG_TEXT], const char *text, size_t length)
{
	const size_t n = escape_cut(text, length, LOG_SHOWN), at = escape_write(to, LOG_TEXT, ESCAPE_QUOTED, text, n);
	memcpy(to + at, "...", n < length ? sizeof "..." : 0);
	return to;
}

void record_line(const struct bridge *b, const char *device, enum record_way way, const char *text, size_t length)
{
	if (b->host.record != NULL)
		b->host.record(b->host.context, device, way, text, length);
}
