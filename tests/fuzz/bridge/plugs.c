/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "world.h"

#include "bridge_client.h"
#include "bridge_http.h"
#include "bridge_server.h"
#include "posix/posix_serve.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/random.h>

/* Turns in which no byte moves, no time passes and the script rests: more of them is a loop. And the most turns of a run. */
enum { STIRRED = 300, TURNS = 60000 };

/* --- Clock, chance, signals */

void world_stir(void)
{
	world.stirred = 0;
}

/* Who wants to turn. */
static void show_restless(void)
{
	for (unsigned i = 0; i < MOST_CLIENTS; i++) {
		if (bridge.clients[i] != NULL)
			show("%s: %u ms\n", bridge.clients[i]->wire.name, (unsigned)client_rest(bridge.clients[i]));
	}
	for (unsigned i = 0; i < bridge.server_count; i++)
		show("%s: %u ms, %s\n", bridge.servers[i]->wire.name, (unsigned)server_rest(bridge.servers[i]), server_state(bridge.servers[i]));
	show("http: %u ms\n", (unsigned)http_rest());
}

void world_turns(void)
{
	const bool restless = ++world.stirred > STIRRED || ++world.turns > TURNS;
	if (restless)
		show_restless();
	if (restless)
		wrong("rest", "the bridge turns and turns, and nothing moves");
}

uint32_t bridge_clock(void)
{
	return world.now;
}

ssize_t getrandom(void *buffer, size_t length, unsigned flags)
{
	(void)flags;
	for (size_t i = 0; i < length; i++)
		((uint8_t *)buffer)[i] = ++world.count;
	return world.random ? (ssize_t)length : -1;
}

int posix_signals_caught(void)
{
	return world.stopped ? SIGTERM : 0;
}

struct pollfd posix_signals_poll(void)
{
	return (struct pollfd){ .fd = world.stopped ? -1 : STOP_FD, .events = POLLIN };
}

/* --- Devices. As boards/host/host_device.c: what works no more is read to its end first. */

static struct device_end *end_of(const struct device *device)
{
	return &world.devices[device->options.number];
}

int device_open(struct device *device)
{
	struct device_end *const end = end_of(device);
	if (device->open)
		return 0;
	world_stir();
	if (end->busy)
		return EBUSY;
	if (!end->plugged)
		return ENOENT;
	line_clear(&end->line);
	end->line.socket = device->options.kind == DEVICE_UNIX;
	end->line.ended = end->line.closed = false;
	end->line.token = device->options.kind == DEVICE_TCP && bridge.options.token != NULL;
	end->seen_count = end->own_count = 0;
	end->muddied = end->odd = false;
	line_open(&end->line, &device->as.socket.stdio);
	device->stdio = &device->as.socket.stdio;
	device->open = true;
	device->deaf = false;
	return 0;
}

bool device_is_connecting(struct device *device)
{
	struct device_end *const end = end_of(device);
	if (!device->open || (int32_t)(world.now - end->connected) < 0)
		return device->open && end->plugged;
	if (end->refuses)
		device->stdio->gone = true;
	return false;
}

static void listen_on(struct device *device)
{
	if (device->deaf || !device->stdio->gone)
		return;
	device->deaf = true;
	device->stdio->gone = false;
}

static int peek(void *context, const uint8_t **bytes)
{
	struct device *const device = context;
	listen_on(device);
	const int count = line_peek(device->stdio, bytes);
	if (count > 0 || (count == 0 && !device->deaf && !end_of(device)->line.closed))
		return count;
	device->deaf = device->stdio->gone = true;
	return QUASH_GONE;
}

static void take_bytes(void *context, size_t n)
{
	struct device *const device = context;
	device->stdio->from += n;
	world_stir();
}

static int write_bytes(void *context, const uint8_t *data, size_t n)
{
	struct device *const device = context;
	if (device->deaf)
		return device->stdio->gone ? QUASH_GONE : 0;
	const int count = line_write(device->stdio, data, n);
	if (count >= 0)
		return count;
	listen_on(device);
	return 0;
}

static uint32_t now(void *context)
{
	(void)context;
	return world.now;
}

quash_port device_port(struct device *device)
{
	return (quash_port){ peek, take_bytes, write_bytes, now, device };
}

void device_hang_up(struct device *device)
{
	(void)device; /* no command is among them */
}

void device_close(struct device *device, uint32_t ms)
{
	(void)ms;
	if (device->open)
		end_of(device)->line.open = false;
	device->open = false;
	device->stdio = NULL;
	world_stir();
}

/* --- In words */

void device_name(const struct device_options *options, char *text, size_t size)
{
	snprintf(text, size, "device %u", (unsigned)options->number);
}

void device_trouble(struct device *device, int error, char *text, size_t size)
{
	snprintf(text, size, "device %u: %d", (unsigned)device->options.number, error);
}

void device_holder(const struct device_options *options, char *text, size_t size)
{
	snprintf(text, size, "holder of %u", (unsigned)options->number);
}
