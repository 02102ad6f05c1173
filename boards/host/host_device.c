/* SPDX-License-Identifier: MIT */
#include "posix/posix_system.h"

#include "host_device.h"

#include "host_device_holder.h"
#include "posix/posix_tcp.h"
#include "posix/posix_unix.h"

#include <errno.h>
#include <limits.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Options: the parts of a value */

/* False unless all of it is a number from 1 to `most`. */
static bool read_number_below(const char *text, uint32_t most, uint32_t *number)
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

/* --- Options: one kind each: false when the value is wrong */

static bool take_path(struct device_options *options, char *value)
{
	options->path = value;
	return *value != '\0';
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
	if (!read_number_below(value, UINT32_MAX, &number) || !posix_tty_knows(number))
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

/* --- Options: by name */

static const char *read_as(struct device_options *options, enum device_kind kind, bool (*take)(struct device_options *, char *), char *value)
{
	if (options->kind != DEVICE_NONE)
		return "is one device too many";
	options->kind = kind;
	return argument_if(take(options, value));
}

static const char *read_tty(void *to, char *value)
{
	return read_as(to, DEVICE_TTY, take_path, value);
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
	{ "--tty", "the path of a serial device, such as /dev/ttyACM0", ARGUMENT_READ, .read = read_tty },
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

enum { LOOK_MS = 5, DROP_ROUNDS = 256 };

/* --- Opening */

static int open_tty(struct device *device)
{
	struct posix_tty *const tty = &device->as.tty;
	if (holder_has_lock_file(device->options.path))
		return EBUSY;
	int error = posix_tty_open(tty, device->options.path, device->options.baud);
	if (error != 0 || !device->options.reset)
		return error;
	error = posix_tty_reset(tty);
	if (error != 0)
		posix_tty_close_within(tty, 0);
	return error;
}

static int open_it(struct device *device)
{
	const struct device_options *const o = &device->options;
	switch (o->kind) {
	case DEVICE_TTY: return open_tty(device);
	case DEVICE_TCP: return posix_tcp_connect(&device->as.socket, o->path, o->number);
	case DEVICE_UNIX: return posix_unix_connect(&device->as.socket, o->path);
	case DEVICE_COMMAND: return posix_child_start(&device->as.child, o->command);
	default: return ENODEV;
	}
}

static struct posix_stdio *stdio_of(struct device *device)
{
	switch (device->options.kind) {
	case DEVICE_TTY: return &device->as.tty.stdio;
	case DEVICE_COMMAND: return &device->as.child.stdio;
	default: return &device->as.socket.stdio;
	}
}

int device_open(struct device *device)
{
	if (device->open)
		return 0;
	const int error = open_it(device);
	device->open = error == 0;
	device->deaf = false;
	device->stdio = device->open ? stdio_of(device) : NULL;
	return error;
}

/* --- Bytes */

static quash_port inner_port(struct device *device)
{
	switch (device->options.kind) {
	case DEVICE_TTY: return posix_tty_port(&device->as.tty);
	case DEVICE_COMMAND: return posix_stdio_port(&device->as.child.stdio);
	default: return posix_socket_port(&device->as.socket);
	}
}

/* Writing was in vain, but what it had transmitted before still stands in the pipe. */
static void device_listen(struct device *device)
{
	if (device->deaf || !device->stdio->gone)
		return;
	device->deaf = true;
	device->stdio->gone = false;
}

/* Asked when there is nothing to read. */
static bool device_has_ended(struct device *device)
{
	return device->deaf || (device->options.kind == DEVICE_COMMAND && posix_child_ended(&device->as.child));
}

static int device_peek(void *context, const uint8_t **bytes)
{
	struct device *const device = context;
	const quash_port port = inner_port(device);
	device_listen(device);
	int count = port.peek(port.device, bytes);
	if (count == 0 && device_has_ended(device)) {
		count = port.peek(port.device, bytes); /* it may have written until it ended */
		count = count == 0 ? QUASH_GONE : count;
	}
	if (count >= 0)
		return count;
	device->deaf = device->stdio->gone = true;
	return QUASH_GONE;
}

static void device_take(void *context, size_t n)
{
	const quash_port port = inner_port(context);
	port.take(port.device, n);
}

static int device_write(void *context, const uint8_t *data, size_t n)
{
	struct device *const device = context;
	const quash_port port = inner_port(device);
	if (device->deaf)
		return device->stdio->gone ? QUASH_GONE : 0;
	const int count = port.write(port.device, data, n);
	if (count >= 0)
		return count;
	device_listen(device);
	return 0;
}

static uint32_t device_now(void *context)
{
	const quash_port port = inner_port(context);
	return port.now(port.device);
}

quash_port device_port(struct device *device)
{
	const quash_port port = { device_peek, device_take, device_write, device_now, device };
	return port;
}

static bool is_socket(const struct device *device)
{
	return device->options.kind == DEVICE_TCP || device->options.kind == DEVICE_UNIX;
}

bool device_is_connecting(struct device *device)
{
	const uint8_t *bytes;
	if (!device->open || !is_socket(device) || !device->as.socket.connecting)
		return false;
	(void)device_peek(device, &bytes);
	return device->as.socket.connecting;
}

size_t device_unsent(const struct device *device)
{
	return device->open && device->options.kind == DEVICE_TTY ? posix_tty_unsent(&device->as.tty) : 0;
}

/* --- Closing */

/* False at the end of the input. Unread input would have TCP reset the connection, and what we wrote could be lost. It may
 * have no end. */
static bool drop_input(struct posix_socket *socket)
{
	const quash_port port = posix_socket_port(socket);
	const uint8_t *bytes;
	int count = 1;
	for (unsigned round = 0; count > 0 && round < DROP_ROUNDS; round++) {
		count = port.peek(port.device, &bytes);
		port.take(port.device, count > 0 ? (size_t)count : 0);
	}
	return count >= 0;
}

static bool has_left(const struct posix_socket *socket)
{
	int bytes = 0;
	return !posix_system_unsent(socket->stdio.out, &bytes) || bytes == 0;
}

static void close_socket(struct posix_socket *socket, uint32_t ms)
{
	const quash_port port = posix_socket_port(socket);
	const uint32_t start = port.now(port.device);
	posix_socket_hang_up(socket);
	while (drop_input(socket) && !has_left(socket) && port.now(port.device) - start < ms)
		(void)poll(NULL, 0, LOOK_MS);
	posix_socket_close(socket);
}

void device_hang_up(struct device *device)
{
	if (device->open && device->options.kind == DEVICE_COMMAND)
		posix_child_hang_up(&device->as.child);
}

void device_close(struct device *device, uint32_t ms)
{
	if (!device->open)
		return;
	switch (device->options.kind) {
	case DEVICE_TTY: posix_tty_close_within(&device->as.tty, ms); break;
	case DEVICE_COMMAND: posix_child_end(&device->as.child, ms); break;
	default: close_socket(&device->as.socket, device->as.socket.connecting ? 0 : ms); break;
	}
	device->open = false;
	device->stdio = NULL;
}

/* --- In words */

static void loss(struct device *device, char *text, size_t size)
{
	const int error = is_socket(device) ? posix_socket_error(&device->as.socket) : 0;
	if (device->options.kind == DEVICE_TTY)
		snprintf(text, size, "unplugged, or the line hung up");
	else if (device->options.kind == DEVICE_COMMAND && posix_child_ended(&device->as.child))
		posix_child_fate(&device->as.child, text, size);
	else if (device->options.kind == DEVICE_COMMAND)
		snprintf(text, size, "closed its input or output");
	else
		snprintf(text, size, "%s", error != 0 ? strerror(error) : "closed the connection");
}

void device_trouble(struct device *device, int error, char *text, size_t size)
{
	if (error != 0)
		snprintf(text, size, "%s", strerror(error));
	else
		loss(device, text, size);
}

void device_holder(const struct device_options *options, char *text, size_t size)
{
	if (options->kind == DEVICE_TTY)
		holder_name(options->path, text, size);
	else
		snprintf(text, size, "another program");
}
