/* SPDX-License-Identifier: MIT */
#include "bridge_output.h"

#include "bridge_log.h"
#include "host_escape.h"

#include <stdio.h>
#include <string.h>

enum { HEAD = 64, LINE = ESCAPE_MOST * LOG_MESSAGE + 1 };

static const char *const names[] = { "error", "warning", "info", "debug", "", "trace" };

/* Without memory of ours the C library takes a few KiB, whatever size it is given. */
void log_open(void)
{
	static char buffer[LINE + HEAD];
	(void)setvbuf(stderr, buffer, _IOLBF, sizeof buffer);
}

enum log_level log_level_of(const char *name)
{
	int i = 0;
	while (i < LOG_LEVELS && strcmp(names[i], name) != 0)
		i++;
	return (enum log_level)i;
}

/* The one way to stderr. */
void log_print(enum log_level level, const char *text, size_t length, bool is_cut)
{
	char line[LINE];
	escape_write(line, sizeof line, ESCAPE_LINE, text, length);
	fprintf(stderr, "quash-bridge: %s: %s%s\n", names[level], line, is_cut ? "..." : "");
}

void log_for_bridge(void *context, enum log_level level, const char *text, size_t length, bool is_cut)
{
	(void)context;
	log_print(level, text, length, is_cut);
}
