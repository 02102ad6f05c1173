/* SPDX-License-Identifier: MIT */
#include "quash_esp_usb.h"

#if SOC_USB_SERIAL_JTAG_SUPPORTED && ESP_IDF_VERSION >= ESP_IDF_VERSION_VAL(5, 2, 0)

#include "../rtos/rtos.h"
#include "quash_esp_time.h"

#include <driver/usb_serial_jtag.h>
#include <freertos/task.h>

/* The driver takes all that it is given, or nothing: so it gets pieces. One must fit into a packet: some versions put what
 * fits there, and then answer that they took nothing. */
enum { PIECE = 32 };

/* The owner sleeps for LOOK_MS at most: the driver has no event for other tasks. A host has left once each look of GONE_MS has found
 * none: the driver misses a host now and then, most often with 1000 ticks in a second. */
enum { LOOK_MS = 10, GONE_MS = 100, MISSES = GONE_MS / LOOK_MS };

enum { FLUSHES = 16 };

static bool install(quash_esp_usb *u, esp_err_t *error)
{
	usb_serial_jtag_driver_config_t config = { .tx_buffer_size = u->tx_size, .rx_buffer_size = QUASH_ESP_USB_RX_SIZE_ };
	*error = usb_serial_jtag_driver_install(&config);
	u->installed = *error == ESP_OK;
	return u->installed;
}

/* --- The host */

/* The driver's rings cannot be emptied. What stands there would be the first that the next host receives. */
static void leave(quash_esp_usb *u)
{
	esp_err_t error;
	(void)usb_serial_jtag_driver_uninstall();
	(void)install(u, &error);
	u->open = false;
	u->stale = true;
	u->lost = false;
	u->from = u->to = 0;
}

static bool has_host(const quash_esp_usb *u)
{
	return u->installed && u->missed < MISSES;
}

/* A driver that found no memory is tried again: to read without it is a crash. */
static void look(quash_esp_usb *u)
{
	esp_err_t error;
	const uint32_t ms = quash_esp_ms();
	if (ms - u->looked_ms < LOOK_MS)
		return;
	u->looked_ms = ms;
	if (!u->installed && !install(u, &error))
		return;
	if (usb_serial_jtag_is_connected())
		u->missed = 0;
	else if (u->missed < MISSES && ++u->missed == MISSES)
		leave(u);
}

/* --- The contract */

/* The driver drops a packet only while its ring holds more than the chunk does. So with room left here, nothing was lost. */
static void fetch(quash_esp_usb *u, TickType_t ticks)
{
	u->from = u->to = 0;
	int n = usb_serial_jtag_read_bytes(u->chunk, (uint32_t)sizeof u->chunk, ticks);
	while (n > 0) {
		u->to += (size_t)n;
		u->lost = u->to == sizeof u->chunk;
		n = u->lost ? 0 : usb_serial_jtag_read_bytes(u->chunk + u->to, (uint32_t)(sizeof u->chunk - u->to), 0);
	}
}

/* The place of the gap is not known. It has passed once the ring was empty. A host that sends faster than this reads
 * gets a further gap. */
static int pass_gap(quash_esp_usb *u)
{
	for (unsigned left = FLUSHES; left > 0 && u->lost; left--)
		u->lost = usb_serial_jtag_read_bytes(u->chunk, (uint32_t)sizeof u->chunk, 0) > 0;
	u->from = u->to = 0;
	return QUASH_LOST;
}

static int peek(void *device, const uint8_t **bytes)
{
	quash_esp_usb *const u = device;
	look(u);
	if (!u->open)
		return QUASH_GONE;
	if (u->from == u->to && u->lost)
		return pass_gap(u);
	if (u->from == u->to)
		fetch(u, 0);
	*bytes = u->chunk + u->from;
	return (int)(u->to - u->from);
}

static void take(void *device, size_t n)
{
	quash_esp_usb *const u = device;
	u->from += n;
}

/* A packet that the hardware holds outlives the driver. The line end keeps it apart from the first answer. */
static int write_bytes(void *device, const uint8_t *data, size_t n)
{
	quash_esp_usb *const u = device;
	look(u);
	if (!u->open)
		return QUASH_GONE;
	if (u->stale)
		u->stale = usb_serial_jtag_write_bytes("\n", 1, 0) != 1;
	const int taken = u->stale ? 0 : usb_serial_jtag_write_bytes(data, n < PIECE ? n : PIECE, 0);
	u->full = taken <= 0;
	u->wrote = u->wrote || taken > 0;
	return u->full ? 0 : taken;
}

static uint32_t now(void *device)
{
	(void)device;
	return quash_esp_ms();
}

static quash_port port_of(quash_esp_usb *u)
{
	const quash_port port = { .peek = peek, .take = take, .write = write_bytes, .now = now, .device = u };
	return port;
}

esp_err_t quash_esp_usb_start(quash_esp_usb *u, quash_peer *peer, const quash_esp_usb_choice *choice)
{
	static const quash_esp_usb fresh = { .missed = MISSES };
	esp_err_t error;
	*u = fresh;
	u->peer = peer;
	u->tx_size = choice->tx_size;
	u->rest = choice->rest;
	u->looked_ms = quash_esp_ms() - LOOK_MS;
	(void)install(u, &error);
	return error;
}

/* --- The task */

static void turn(quash_esp_usb *u)
{
	const quash_port port = port_of(u);
	look(u);
	if (!u->open && has_host(u)) {
		quash_reopen(u->peer);
		quash_new_session(u->peer);
		u->open = true;
	}
	quash_pump(u->peer, &port);
	(void)quash_step(u->peer);
}

/* The driver does not report room in its ring. A host that reads makes some in a millisecond; one that does not is no reason to
 * look more often. */
static uint32_t nap(const quash_esp_usb *u)
{
	const bool has_output = u->open && rtos_has_output(u->peer);
	if (has_output && !u->full)
		return 0;
	const uint32_t most = has_output && u->wrote ? 1 : LOOK_MS;
	const uint32_t ms = rtos_nap(u->peer, u->lost && u->from == u->to, u->rest);
	return ms < most ? ms : most;
}

/* Bytes that the peer was shown and has not taken wait for something else: more of them would not help. */
static void rest(quash_esp_usb *u)
{
	quash_tick(u->peer, quash_esp_ms()); /* the step took its time */
	const TickType_t ticks = quash_esp_ticks(nap(u));
	u->full = u->wrote = false;
	if (ticks == 0)
		return;
	if (u->open && u->from == u->to && !u->lost)
		fetch(u, ticks);
	else
		vTaskDelay(ticks);
}

void quash_esp_usb_serve(quash_esp_usb *u)
{
	for (;;) {
		turn(u);
		rest(u);
	}
}

void quash_esp_usb_pump(quash_esp_usb *u)
{
	const quash_port port = port_of(u);
	quash_pump(u->peer, &port);
}

#else

typedef int quash_esp_usb_is_not_on_this_chip; /* a unit is not empty */

#endif
