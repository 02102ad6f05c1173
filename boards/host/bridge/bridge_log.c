/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "bridge_log.h"

#include "host_escape.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- The log */

enum { HEAD = 64, CHARACTER = 4, LINE = ESCAPE_MOST * LOG_MESSAGE + 1 };

static enum log_level shown = LOG_INFO;

static const char *const names[] = { "error", "warning", "info", "debug", "", "trace" };

/* Without memory of ours the C library takes a few KiB, whatever size it is given. */
void log_open(void)
{
	static char buffer[LINE + HEAD];
	(void)setvbuf(stderr, buffer, _IOLBF, sizeof buffer);
}

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

/* The one way to stderr. */
static void print(enum log_level level, const char *text, size_t length, bool is_cut)
{
	char line[LINE];
	escape_write(line, sizeof line, ESCAPE_LINE, text, length);
	fprintf(stderr, "quash-bridge: %s: %s%s\n", names[level], line, is_cut ? "..." : "");
}

void log_line(enum log_level level, const char *format, ...)
{
	char text[LOG_MESSAGE + CHARACTER];
	va_list arguments;
	if (!log_shows(level))
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	const size_t length = strlen(text), n = escape_cut(text, length, LOG_MESSAGE);
	print(level, text, n, n < length);
}

void log_message(enum log_level level, const char *from, const char *mark, const char *text, size_t n)
{
	char line[LOG_MESSAGE];
	if (!log_shows(level))
		return;
	const int head = snprintf(line, HEAD, "%s: %s ", from, mark);
	const size_t at = head < HEAD ? (size_t)head : HEAD - 1, most = escape_cut(text, n, LOG_MESSAGE - HEAD);
	memcpy(line + at, text, most);
	print(level, line, at + most, most < n);
}

const char *log_text(char to[LOG_TEXT], const char *text, size_t length)
{
	const size_t n = escape_cut(text, length, LOG_SHOWN), at = escape_write(to, LOG_TEXT, ESCAPE_QUOTED, text, n);
	memcpy(to + at, "...", n < length ? sizeof "..." : 0);
	return to;
}

/* --- The record */

static FILE *file;
static uint32_t (*clock_ms)(void);
static uint32_t begun;

int record_open(const char *path, const char *protocol, uint32_t (*now)(void))
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
	if (fd < 0)
		return errno;
	fchmod(fd, S_IRUSR | S_IWUSR); /* one that was there may have been open to all */
	file = fdopen(fd, "w");
	if (file == NULL) {
		const int error = errno;
		close(fd);
		return error;
	}
	clock_ms = now;
	begun = now();
	fprintf(file, "# quash-bridge record 1 %s\n", protocol);
	return 0;
}

bool record_is_open(void)
{
	return file != NULL;
}

void record_line(const char *device, enum record_way way, const char *text, size_t length)
{
	if (file == NULL)
		return;
	fprintf(file, "%lu %s %c%s", (unsigned long)(uint32_t)(clock_ms() - begun), device, way, length > 0 ? " " : "");
	for (size_t i = 0; i < length; i++)
		putc(text[i] == '\n' || text[i] == '\r' ? ' ' : text[i], file);
	putc('\n', file);
}

void record_flush(void)
{
	if (file != NULL)
		fflush(file);
}
