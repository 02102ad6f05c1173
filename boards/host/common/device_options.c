/* SPDX-License-Identifier: MIT */
#include "device_options.h"

#include "format.h"

#include <string.h>

void device_name(const struct device_options *options, char *text, size_t size)
{
	switch (options->kind) {
	case DEVICE_TTY:
	case DEVICE_UNIX: format_text(text, size, "%s", options->path); break;
	case DEVICE_TCP:
		format_text(text, size, strchr(options->path, ':') != NULL ? "[%s]:%u" : "%s:%u", options->path,
			(unsigned)options->number);
		break;
	case DEVICE_COMMAND: format_text(text, size, "%s", options->command[0]); break;
	default: format_text(text, size, "no device"); break;
	}
}
