/* SPDX-License-Identifier: MIT */
#include "posix/posix_system.h"

#include "host_device.h"

#include "host_device_holder.h"
#include "posix/posix_tcp.h"
#include "posix/posix_unix.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- What options ask of the system */

bool device_is_address(const char *host)
{
	const struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_flags = AI_NUMERICHOST };
	struct addrinfo *address = NULL;
	if (getaddrinfo(host, NULL, &hints, &address) != 0)
		return false;
	freeaddrinfo(address);
	return true;
}

bool device_knows_rate(uint32_t baud)
{
	return posix_tty_knows(baud);
}

enum { LOOK_MS = 5, DROP_ROUNDS = 256 };

/* --- Opening */

static bool has_name(const struct host_device *device)
{
	return device->options.kind == DEVICE_TTY && port_is_name(device->options.path);
}

const char *host_device_path(const struct host_device *device)
{
	return has_name(device) && device->found.path[0] != '\0' ? device->found.path : device->options.path;
}

/* 0 or an errno. */
static int look_up(struct host_device *device)
{
	struct ports *const ports = malloc(sizeof *ports);
	device->nameless[0] = '\0';
	if (ports == NULL)
		return ENOMEM;
	device_ports(ports);
	const enum port_choice choice = port_choose(ports, device->options.path, &device->found);
	if (choice != PORT_ONE)
		port_write_trouble(device->nameless, ports, device->options.path, choice, &device->found);
	free(ports);
	return choice == PORT_ONE ? 0 : ENODEV;
}

static int open_tty(struct host_device *device)
{
	struct posix_tty *const tty = &device->as.tty;
	int error = has_name(device) ? look_up(device) : 0;
	if (error != 0)
		return error;
	const char *const path = host_device_path(device);
	if (holder_has_lock_file(path))
		return EBUSY;
	error = posix_tty_open(tty, path, device->options.baud);
	if (error != 0 || !device->options.reset)
		return error;
	error = posix_tty_reset(tty);
	if (error != 0)
		posix_tty_close_within(tty, 0);
	return error;
}

static int open_it(struct host_device *device)
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

static struct posix_stdio *stdio_of(struct host_device *device)
{
	switch (device->options.kind) {
	case DEVICE_TTY: return &device->as.tty.stdio;
	case DEVICE_COMMAND: return &device->as.child.stdio;
	default: return &device->as.socket.stdio;
	}
}

int host_device_open(struct host_device *device)
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

static quash_port inner_port(struct host_device *device)
{
	switch (device->options.kind) {
	case DEVICE_TTY: return posix_tty_port(&device->as.tty);
	case DEVICE_COMMAND: return posix_stdio_port(&device->as.child.stdio);
	default: return posix_socket_port(&device->as.socket);
	}
}

/* Writing was in vain, but what it had transmitted before still stands in the pipe. */
static void device_listen(struct host_device *device)
{
	if (device->deaf || !device->stdio->gone)
		return;
	device->deaf = true;
	device->stdio->gone = false;
}

/* Asked when there is nothing to read. */
static bool device_has_ended(struct host_device *device)
{
	return device->deaf || (device->options.kind == DEVICE_COMMAND && posix_child_ended(&device->as.child));
}

static int device_peek(void *context, const uint8_t **bytes)
{
	struct host_device *const device = context;
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
	struct host_device *const device = context;
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

quash_port host_device_port(struct host_device *device)
{
	const quash_port port = { device_peek, device_take, device_write, device_now, device };
	return port;
}

static bool is_socket(const struct host_device *device)
{
	return device->options.kind == DEVICE_TCP || device->options.kind == DEVICE_UNIX;
}

bool host_device_is_connecting(struct host_device *device)
{
	const uint8_t *bytes;
	if (!device->open || !is_socket(device) || !device->as.socket.connecting)
		return false;
	(void)device_peek(device, &bytes);
	return device->as.socket.connecting;
}

size_t host_device_unsent(const struct host_device *device)
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

void host_device_hang_up(struct host_device *device)
{
	if (device->open && device->options.kind == DEVICE_COMMAND)
		posix_child_hang_up(&device->as.child);
}

void host_device_close(struct host_device *device, uint32_t ms)
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

static void loss(struct host_device *device, char *text, size_t size)
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

void host_device_trouble(struct host_device *device, int error, char *text, size_t size)
{
	if (error == ENODEV && device->nameless[0] != '\0')
		snprintf(text, size, "%s", device->nameless);
	else if (error != 0)
		snprintf(text, size, "%s", strerror(error));
	else
		loss(device, text, size);
}

void host_device_holder(const struct host_device *device, char *text, size_t size)
{
	if (device->options.kind == DEVICE_TTY)
		holder_name(host_device_path(device), text, size);
	else
		snprintf(text, size, "another program");
}
