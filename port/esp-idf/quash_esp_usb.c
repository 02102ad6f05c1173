/* SPDX-License-Identifier: MIT */
#include "quash_esp_usb.h"

#if SOC_USB_SERIAL_JTAG_SUPPORTED

#include "quash_esp_time.h"

#include <driver/usb_serial_jtag.h>
#include <esp_idf_version.h>

/* The driver takes all that it is given, or nothing: so it gets pieces. */
enum { PIECE = 32 };

static esp_err_t install(const quash_esp_usb *u)
{
	usb_serial_jtag_driver_config_t config = { .tx_buffer_size = u->tx_size, .rx_buffer_size = u->rx_size };
	return usb_serial_jtag_driver_install(&config);
}

static bool has_host(void)
{
#if ESP_IDF_VERSION >= ESP_IDF_VERSION_VAL(5, 3, 0)
	return usb_serial_jtag_is_connected();
#else
	return true;
#endif
}

/* --- The device of port/usb/usb.h */

/* Waits for bytes, when all that came are taken. */
static void fetch(quash_esp_usb *u, TickType_t ticks)
{
	if (u->from < u->to)
		return;
	const int n = usb_serial_jtag_read_bytes(u->chunk, sizeof u->chunk, ticks);
	u->from = 0;
	u->to = n > 0 ? (size_t)n : 0;
}

static size_t peek(void *device, const uint8_t **bytes)
{
	quash_esp_usb *u = device;
	fetch(u, 0);
	*bytes = u->chunk + u->from;
	return u->to - u->from;
}

static void take(void *device, size_t n)
{
	quash_esp_usb *u = device;
	u->from += n;
}

/* The driver does not report how full its ring is: it takes nothing when there is no room. */
static size_t writable(void *device)
{
	(void)device;
	return PIECE;
}

static size_t write_bytes(void *device, const uint8_t *bytes, size_t n)
{
	(void)device;
	const int taken = usb_serial_jtag_write_bytes(bytes, n, 0);
	return taken > 0 ? (size_t)taken : 0;
}

/* The driver's rings cannot be emptied. What stands there when a host leaves would be the first that the next one receives. */
static port_usb_host connected(void *device)
{
	quash_esp_usb *u = device;
	const bool host = has_host();
	if (u->host && !host) {
		(void)usb_serial_jtag_driver_uninstall();
		(void)install(u);
		u->from = u->to = 0;
	}
	u->host = host;
	return host ? PORT_USB_OPEN : PORT_USB_CLOSED;
}

esp_err_t quash_esp_usb_start(quash_esp_usb *u, quash_peer *peer, const quash_esp_usb_choice *choice)
{
	static const port_usb_device calls = { peek, take, writable, write_bytes, connected, NULL };
	u->rx_size = choice->rx_size;
	u->tx_size = choice->tx_size;
	u->host = false;
	u->from = u->to = 0;
	port_usb_start(&u->usb, &calls, u, peer, quash_esp_ms);
	return install(u);
}

/* --- The task */

/* Output that the ring has not taken is no reason to stay awake: the host does not read. */
static void rest(quash_esp_usb *u)
{
	const uint32_t ms = quash_idle_ms(u->usb.peer);
	if (ms > 0)
		fetch(u, quash_esp_ticks(ms < QUASH_ESP_USB_LOOK_MS ? ms : QUASH_ESP_USB_LOOK_MS));
}

void quash_esp_usb_serve(quash_esp_usb *u)
{
	for (;;) {
		if (port_usb_turn(&u->usb))
			continue; /* what a step has answered is to be written */
		quash_tick(u->usb.peer, quash_esp_ms());
		rest(u);
	}
}

void quash_esp_usb_pump(quash_esp_usb *u)
{
	port_usb_pump(&u->usb);
}

#else

typedef int quash_esp_usb_is_not_on_this_chip; /* a unit is not empty */

#endif
