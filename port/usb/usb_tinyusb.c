/* SPDX-License-Identifier: MIT */
#include "usb_tinyusb.h"

#include <tusb.h>

enum { DTR = 1 << 0 };

/* TinyUSB shows only the first byte of its FIFO. */
static size_t peek(void *device, const uint8_t **bytes)
{
	port_usb_tinyusb *u = device;
	if (u->count == 0) {
		u->first = 0;
		u->count = (uint8_t)tud_cdc_n_read(u->interface, u->bytes, PORT_USB_TINYUSB_BYTES);
	}
	*bytes = u->bytes + u->first;
	return u->count;
}

static void take(void *device, size_t n)
{
	port_usb_tinyusb *u = device;
	u->first = (uint8_t)(u->first + n);
	u->count = (uint8_t)(u->count - n);
}

static size_t writable(void *device)
{
	const port_usb_tinyusb *u = device;
	return tud_cdc_n_write_available(u->interface);
}

static size_t write_bytes(void *device, const uint8_t *bytes, size_t n)
{
	const port_usb_tinyusb *u = device;
	const size_t taken = tud_cdc_n_write(u->interface, bytes, (uint32_t)n);
	(void)tud_cdc_n_write_flush(u->interface);
	return taken;
}

/* `tud_cdc_n_connected` would be false while the bus is suspended. */
static port_usb_host connected(void *device)
{
	const port_usb_tinyusb *u = device;
	if (!tud_mounted() || (tud_cdc_n_get_line_state(u->interface) & DTR) == 0)
		return PORT_USB_CLOSED;
	return tud_suspended() ? PORT_USB_SUSPENDED : PORT_USB_OPEN;
}

static void wake(void *device)
{
	(void)device;
	(void)tud_remote_wakeup();
}

void port_usb_tinyusb_start(port_usb_tinyusb *u, uint8_t interface, quash_peer *peer, uint32_t (*now)(void))
{
	static const port_usb_device calls = { peek, take, writable, write_bytes, connected, wake };
	u->interface = interface;
	u->first = u->count = 0;
	u->dtr = false;
	port_usb_start(&u->usb, &calls, u, peer, now);
}

/* RTS alone changes nothing. What is left in TinyUSB's FIFO would be the first that the next client receives. */
void port_usb_tinyusb_line_state(port_usb_tinyusb *u, uint8_t interface, bool dtr)
{
	if (interface != u->interface || dtr == u->dtr)
		return;
	u->dtr = dtr;
	(void)tud_cdc_n_write_clear(interface);
	if (!dtr)
		port_usb_closed(&u->usb);
}
