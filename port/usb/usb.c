/* SPDX-License-Identifier: MIT */
#include "usb.h"

#include <limits.h>

/* --- What the host does */

/* Ends by itself: a host that has closed sends no more than what the device holds. */
static void drop_received(port_usb *u)
{
	enum { MOST = 64 }; /* pieces in one go */
	const uint8_t *bytes;
	for (unsigned pieces = 0; pieces < MOST; pieces++) {
		const size_t n = u->calls->peek(u->device, &bytes);
		if (n == 0)
			break;
		u->calls->take(u->device, n);
		u->dropped += (uint32_t)n;
	}
	u->shown = 0;
}

void port_usb_closed(port_usb *u)
{
	u->open = false;
	u->suspended = false;
	drop_received(u);
}

static port_usb_host look(port_usb *u)
{
	const port_usb_host host = u->calls->connected(u->device);
	if (host == PORT_USB_CLOSED)
		port_usb_closed(u);
	return host;
}

/* --- The transport contract */

static int peek(void *device, const uint8_t **bytes)
{
	port_usb *u = device;
	(void)look(u);
	if (!u->open)
		return QUASH_GONE;
	const size_t n = u->calls->peek(u->device, bytes);
	u->shown = n < INT_MAX ? n : INT_MAX;
	return (int)u->shown;
}

static void take(void *device, size_t n)
{
	port_usb *u = device;
	u->calls->take(u->device, n);
	u->shown -= n;
}

static void wake_host(port_usb *u)
{
	if (u->woken || u->calls->wake == NULL)
		return;
	u->woken = true;
	u->calls->wake(u->device);
}

static int write_bytes(void *device, const uint8_t *data, size_t n)
{
	port_usb *u = device;
	const port_usb_host host = look(u);
	if (!u->open)
		return QUASH_GONE;
	if (host == PORT_USB_SUSPENDED) {
		wake_host(u);
		return 0;
	}
	const size_t room = u->calls->writable(u->device);
	const size_t most = room < INT_MAX ? room : INT_MAX;
	return most == 0 ? 0 : (int)u->calls->write(u->device, data, n < most ? n : most);
}

static uint32_t now(void *device)
{
	const port_usb *u = device;
	return u->now();
}

quash_port port_usb_port(port_usb *u)
{
	const quash_port port = { .peek = peek, .take = take, .write = write_bytes, .now = now, .device = u };
	return port;
}

void port_usb_start(port_usb *u, const port_usb_device *calls, void *device, quash_peer *peer, uint32_t (*clock)(void))
{
	u->calls = calls;
	u->device = device;
	u->peer = peer;
	u->now = clock;
	u->shown = 0;
	u->dropped = 0;
	u->open = u->suspended = u->woken = false;
}

/* --- The loop */

void port_usb_pump(port_usb *u)
{
	const quash_port port = port_usb_port(u);
	const bool suspended = look(u) == PORT_USB_SUSPENDED;
	if (!suspended)
		u->woken = false;
	u->suspended = suspended;
	quash_pump(u->peer, &port);
	if (suspended)
		quash_end_leases(u->peer); /* a message that was kept may have begun a request just now */
}

static void begin_session(port_usb *u)
{
	quash_reopen(u->peer);
	quash_new_session(u->peer);
	u->open = true;
	u->shown = 0;
}

bool port_usb_turn(port_usb *u)
{
	if (!u->open && look(u) == PORT_USB_OPEN)
		begin_session(u);
	port_usb_pump(u);
	return quash_step(u->peer);
}

/* What is to be written, once it was put; it may let the next message in. */
static bool has_output(const port_usb *u)
{
	size_t n;
	(void)quash_out(u->peer, &n);
	return n > 0;
}

/* Bytes that the peer was shown and has not taken are no reason: `quash_idle_ms` knows what they wait for. */
static bool must_turn(port_usb *u)
{
	const uint8_t *bytes;
	const port_usb_host host = look(u);
	if (!u->open)
		return host == PORT_USB_OPEN || !quash_is_gone(u->peer);
	if (quash_is_gone(u->peer))
		return false; /* it stays so: its config was refused, and it cannot even answer that */
	const bool output = has_output(u);
	if (host == PORT_USB_SUSPENDED)
		return !u->suspended || (output && !u->woken && u->calls->wake != NULL);
	if (u->suspended || (output && u->calls->writable(u->device) > 0))
		return true;
	return u->shown == 0 && u->calls->peek(u->device, &bytes) > 0;
}

uint32_t port_usb_idle_ms(port_usb *u)
{
	quash_tick(u->peer, u->now()); /* the step took its time */
	return must_turn(u) ? 0 : quash_idle_ms(u->peer);
}
