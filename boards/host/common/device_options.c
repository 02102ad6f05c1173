/* SPDX-License-Identifier: MIT */
#include "device_options.h"

#include <stdio.h>
#include <string.h>

void device_name(const struct device_options *options, char *text, size_t size)
{
	switch (options->kind) {
	case DEVICE_TTY:
	case DEVICE_UNIX: snprintf(text, size, "%s", options->path); break;
	case DEVICE_TCP:
		snprintf(text, size, strchr(options->path, ':') != NULL ? "[%s]:%u" : "%s:%u", options->path,
			(unsigned)options->number);
		break;
	case DEVICE_COMMAND: snprintf(text, size, "%s", options->command[0]); break;
	default: snprintf(text, size, "no device"); break;
	}
}
