/* SPDX-License-Identifier: MIT */
#include "quash_usb.h"

QuashUsb::QuashUsb(Stream &serial, bool (*is_open)(), uint8_t unasked)
	: usb_(), stream_(serial, unasked), is_open_(is_open)
{
	static const port_usb_device calls = { peek, take, writable, write, connected, NULL };
	port_usb_start(&usb_, &calls, this, NULL, now);
}

bool QuashUsb::serve(quash_peer *peer)
{
	usb_.peer = peer;
	return port_usb_turn(&usb_);
}

void QuashUsb::pump()
{
	port_usb_pump(&usb_);
}

size_t QuashUsb::peek(void *device, const uint8_t **bytes)
{
	const quash_port *const port = static_cast<QuashUsb *>(device)->stream_.port();
	const int n = port->peek(port->device, bytes);
	return n > 0 ? (size_t)n : 0;
}

void QuashUsb::take(void *device, size_t n)
{
	const quash_port *const port = static_cast<QuashUsb *>(device)->stream_.port();
	port->take(port->device, n);
}

/* The stream itself takes no more than there is room for. */
size_t QuashUsb::writable(void *)
{
	return QUASH_STREAM_BYTES_;
}

size_t QuashUsb::write(void *device, const uint8_t *bytes, size_t n)
{
	const quash_port *const port = static_cast<QuashUsb *>(device)->stream_.port();
	const int taken = port->write(port->device, bytes, n);
	return taken > 0 ? (size_t)taken : 0;
}

port_usb_host QuashUsb::connected(void *device)
{
	return static_cast<QuashUsb *>(device)->is_open_() ? PORT_USB_OPEN : PORT_USB_CLOSED;
}

uint32_t QuashUsb::now()
{
	return millis();
}
