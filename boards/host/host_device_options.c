/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1 /* getaddrinfo */
#include "host_device.h"

#include "arguments.h"

#include <limits.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The parts of a value */

/* False unless all of it is a number from 1 to `most`. */
static bool read_number(const char *text, uint32_t most, uint32_t *number)
{
	return argument_number(text, number) && *number >= 1 && *number <= most;
}

static bool is_address(const char *host)
{
	const struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_flags = AI_NUMERICHOST };
	struct addrinfo *address = NULL;
	if (getaddrinfo(host, NULL, &hints, &address) != 0)
		return false;
	freeaddrinfo(address);
	return true;
}

/* In place, without the brackets. NULL when it is no `[HOST]`. */
static char *without_brackets(char *host)
{
	const size_t length = strlen(host);
	if (length < 2 || host[0] != '[' || host[length - 1] != ']')
		return NULL;
	host[length - 1] = '\0';
	return host + 1;
}

/* NULL when it is none. Names are not looked up, as that blocks. */
static const char *host_of(char *text)
{
	if (strcmp(text, "localhost") == 0)
		return "127.0.0.1";
	const char *const host = strpbrk(text, "[:]") == NULL ? text : without_brackets(text);
	return host != NULL && is_address(host) ? host : NULL;
}

/* --- One kind each: false when the value is wrong */

static bool take_path(struct device_options *options, char *value)
{
	options->path = value;
	return *value != '\0';
}

static bool take_tcp(struct device_options *options, char *value)
{
	uint32_t number;
	char *const colon = strrchr(value, ':');
	if (colon == NULL || !read_number(colon + 1, UINT16_MAX, &number))
		return false;
	*colon = '\0';
	options->path = host_of(value);
	options->number = (uint16_t)number;
	return options->path != NULL;
}

static bool take_baud(struct device_options *options, const char *value)
{
	uint32_t number;
	if (!read_number(value, UINT32_MAX, &number) || !posix_tty_knows(number))
		return false;
	options->baud = number;
	return true;
}

/* A comma may be part of a path. */
static bool take_tty(struct device_options *options, char *value)
{
	char *const comma = strrchr(value, ',');
	if (comma != NULL && comma[1] >= '0' && comma[1] <= '9') {
		*comma = '\0';
		return take_baud(options, comma + 1) && take_path(options, value);
	}
	return take_path(options, value);
}

static bool take_command(struct device_options *options, char *value)
{
	size_t count = 0;
	options->command = calloc(strlen(value) / 2 + 2, sizeof *options->command);
	if (options->command == NULL)
		return false;
	for (char *word = strtok(value, " "); word != NULL; word = strtok(NULL, " "))
		options->command[count++] = word;
	return count > 0;
}

/* --- By name */

struct form {
	const char *name;
	enum device_kind kind;
	bool (*take)(struct device_options *options, char *value);
};

static bool take_as(struct device_options *options, const struct form *form, char *value)
{
	if (options->kind != DEVICE_NONE || !form->take(options, value))
		return false;
	options->kind = form->kind;
	return options->baud == 0 || form->kind == DEVICE_TTY;
}

int device_option(struct device_options *options, const char *name, char *value)
{
	static const struct form forms[] = {
		{ "--tty", DEVICE_TTY, take_path },
		{ "--tcp", DEVICE_TCP, take_tcp },
		{ "--unix", DEVICE_UNIX, take_path },
	};
	if (strcmp(name, "--baud") == 0) {
		const bool fits = options->kind == DEVICE_NONE || options->kind == DEVICE_TTY;
		return fits && take_baud(options, value) ? 1 : -1;
	}
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		if (strcmp(name, forms[i].name) == 0)
			return take_as(options, &forms[i], value) ? 1 : -1;
	}
	return 0;
}

bool device_is_complete(const struct device_options *options)
{
	const bool serial = options->kind == DEVICE_TTY;
	return options->kind != DEVICE_NONE && (serial || (options->baud == 0 && !options->reset));
}

bool device_parse(struct device_options *options, char *text)
{
	static const struct form forms[] = {
		{ "tty:", DEVICE_TTY, take_tty },
		{ "tcp:", DEVICE_TCP, take_tcp },
		{ "unix:", DEVICE_UNIX, take_path },
		{ "exec:", DEVICE_COMMAND, take_command },
	};
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		const size_t length = strlen(forms[i].name);
		if (strncmp(text, forms[i].name, length) == 0)
			return take_as(options, &forms[i], text + length);
	}
	return false;
}

/* --- On screens */

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
