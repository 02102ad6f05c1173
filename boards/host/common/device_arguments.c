/* SPDX-License-Identifier: MIT */
#include "device_arguments.h"

#include "format.h"
#include "host_escape.h"
#include "ports_text.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* --- Parts of a value */

/* False unless all of it is a number from 1 to `most`. */
static bool read_number_below(const char *text, uint32_t most, uint32_t *number)
{
	return argument_number(text, number) && *number >= 1 && *number <= most;
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
	return host != NULL && device_is_address(host) ? host : NULL;
}

/* --- One kind each: false when the value is wrong */

static bool take_path(struct device_options *options, char *value)
{
	options->path = value;
	return *value != '\0';
}

/* A path, or a name that is right. */
static bool take_port(struct device_options *options, char *value)
{
	return take_path(options, value) && (!port_is_name(value) || port_is_right_name(value));
}

static bool take_tcp(struct device_options *options, char *value)
{
	uint32_t number;
	char *const colon = strrchr(value, ':');
	if (colon == NULL || !read_number_below(colon + 1, UINT16_MAX, &number))
		return false;
	*colon = '\0';
	options->path = host_of(value);
	options->number = (uint16_t)number;
	return options->path != NULL;
}

static bool take_baud(struct device_options *options, const char *value)
{
	uint32_t number;
	if (!read_number_below(value, UINT32_MAX, &number) || !device_knows_rate(number))
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
		return take_baud(options, comma + 1) && take_port(options, value);
	}
	return take_port(options, value);
}

static bool take_device_command(struct device_options *options, char *value)
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

static const char *read_as(struct device_options *options, enum device_kind kind, bool (*take)(struct device_options *, char *), char *value)
{
	if (options->kind != DEVICE_NONE)
		return "is one device too many";
	options->kind = kind;
	return argument_if(take(options, value));
}

static const char *read_tty(void *to, char *value)
{
	return read_as(to, DEVICE_TTY, take_port, value);
}

static const char *read_device_tcp(void *to, char *value)
{
	return read_as(to, DEVICE_TCP, take_tcp, value);
}

static const char *read_unix(void *to, char *value)
{
	return read_as(to, DEVICE_UNIX, take_path, value);
}

static const char *read_device_baud(void *to, char *value)
{
	return argument_if(take_baud(to, value));
}

const struct argument_option device_arguments[DEVICE_ARGUMENTS] = {
	{ "--tty", "the path of a serial device, such as /dev/ttyACM0, or auto, or usb:VID:PID[:SERIAL] with four hexadecimal digits for VID and PID", ARGUMENT_READ, .read = read_tty },
	{ "--baud", "a rate in bits per second that serial devices have, such as 9600, 57600, 115200 or 921600", ARGUMENT_READ, .read = read_device_baud },
	{ "--reset", NULL, ARGUMENT_FLAG, offsetof(struct device_options, reset), NULL },
	{ "--tcp", "HOST:PORT; HOST is an address in numbers, [::1] or localhost, PORT is from 1 to 65535", ARGUMENT_READ, .read = read_device_tcp },
	{ "--unix", "the path of a Unix socket", ARGUMENT_READ, .read = read_unix },
};

const char *device_conflict(const struct device_options *options)
{
	if (options->kind == DEVICE_NONE)
		return "no device: it takes --tty, --tcp, --unix, or a command behind --";
	if (options->kind != DEVICE_TTY && options->baud != 0)
		return "--baud is for --tty";
	return options->kind != DEVICE_TTY && options->reset ? "--reset is for --tty" : NULL;
}

bool device_parse(struct device_options *options, char *text)
{
	static const struct {
		const char *name;
		enum device_kind kind;
		bool (*take)(struct device_options *options, char *value);
	} forms[] = {
		{ "tty:", DEVICE_TTY, take_tty },
		{ "tcp:", DEVICE_TCP, take_tcp },
		{ "unix:", DEVICE_UNIX, take_path },
		{ "exec:", DEVICE_COMMAND, take_device_command },
	};
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		const size_t length = strlen(forms[i].name);
		if (strncmp(text, forms[i].name, length) == 0)
			return read_as(options, forms[i].kind, forms[i].take, text + length) == NULL;
	}
	return false;
}

/* The name may be pasted: a blank in it is quoted. */
static void say_name(const char *program, const struct ports *ports, const struct port *port)
{
	char name[PORT_NAME], product[ESCAPE_MOST * PORT_TEXT + 1], words[PORT_TEXT + sizeof product + sizeof "is , "];
	port_write_name(name, ports, port);
	escape_write(product, sizeof product, ESCAPE_LINE, port->product, strlen(port->product));
	(void)format_text(words, sizeof words, "is %s%s%s", port->path, product[0] != '\0' ? ", " : "", product);
	arguments_say(program, name, words);
}

int device_refuse_several(const char *program, const struct device_options *options)
{
	static const struct port none;
	struct ports *const ports = options->kind == DEVICE_TTY && port_is_name(options->path) ? malloc(sizeof *ports) : NULL;
	struct port found = none;
	if (ports == NULL)
		return -1;
	device_ports(ports);
	const bool several = port_choose(ports, options->path, &found) == PORT_SEVERAL;
	if (several)
		arguments_say(program, options->path, "fits several ports; write one of these in its place:");
	for (size_t i = 0; several && i < ports->count; i++) {
		if (port_fits(&ports->at[i], options->path))
			say_name(program, ports, &ports->at[i]);
	}
	free(ports);
	return several ? ARGUMENTS_BAD : -1;
}
