/* SPDX-License-Identifier: MIT */
#include "events.h"

#include "format.h"

#include <stdarg.h>
#include <string.h>

static const char *text_of_cause(int32_t cause)
{
	static const char *const texts[QUASH_CAUSES] = {
		[QUASH_NOT_CANCELLED] = "not cancelled",
		[QUASH_BY_OTHER_SIDE] = "by the other side",
		[QUASH_BY_PARENT] = "by its parent",
		[QUASH_BY_DEADLINE] = "by its deadline",
		[QUASH_BY_HANDLER] = "by its handler",
		[QUASH_BY_LOCAL_CODE] = "by local code",
		[QUASH_BY_SHUTDOWN] = "by shutdown",
		[QUASH_BY_LEASE] = "by its lease",
		[QUASH_BY_SESSION] = "by a new session",
		[QUASH_BY_LINK] = "by the loss of the link",
	};
	return cause >= 0 && cause < QUASH_CAUSES ? texts[cause] : "by an unknown cause";
}

/* Appends what fits. */
static void add_words(char line[EVENT_LINE], const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_words(char line[EVENT_LINE], const char *format, ...)
{
	const size_t length = strlen(line);
	va_list arguments;
	va_start(arguments, format);
	format_list(line + length, EVENT_LINE - length, format, arguments);
	va_end(arguments);
}

void event_line(
	char line[EVENT_LINE], quash_event event, const quash_request *request, int32_t detail, quash_why why)
{
	const quash_method *const method = request != NULL ? quash_method_of(request) : NULL;
	line[0] = '\0';
	add_words(line, "%s", quash_event_text(event));
	if (method != NULL && method->name[0] != '\0')
		add_words(line, " %s", method->name);
	if (event == QUASH_FLAGGED)
		add_words(line, " %s", text_of_cause(detail));
	else if (detail != 0)
		add_words(line, " %ld", (long)detail);
	if (why != QUASH_WHY_NONE)
		add_words(line, ": %s", quash_why_text(why));
}
