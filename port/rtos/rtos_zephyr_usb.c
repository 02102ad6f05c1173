/* SPDX-License-Identifier: MIT */
#include "rtos_zephyr_usb.h"

static size_t peek(void *device, const uint8_t **bytes)
{
	const rtos_zephyr_usb *r = device;
	const int n = r->port.peek(r->port.device, bytes);
	return n > 0 ? (size_t)n : 0;
}

static void take(void *device, size_t n)
{
	const rtos_zephyr_usb *r = device;
	r->port.take(r->port.device, n);
}

static size_t writable(void *device)
{
	const rtos_zephyr_usb *r = device;
	const port_ring *const out = &r->uart.uart.out;
	return (size_t)out->size - 1 - port_ring_fill(out);
}

/* What the last host has not read of a line is no beginning of the next host's first one. */
static size_t write_bytes(void *device, const uint8_t *bytes, size_t n)
{
	rtos_zephyr_usb *r = device;
	if (r->cut && r->port.write(r->port.device, (const uint8_t *)"\n", 1) != 1)
		return 0;
	r->cut = false;
	const int taken = r->port.write(r->port.device, bytes, n);
	return taken > 0 ? (size_t)taken : 0;
}

static bool in_lines(quash_peer *peer)
{
	const quash_dialect *const dialect = quash_config_of(peer)->dialect;
	return dialect != NULL && dialect->framing == QUASH_LINES;
}

/* The interrupt takes these bytes: it is held back. */
static void drop_output(rtos_zephyr_usb *r)
{
	port_ring *const out = &r->uart.uart.out;
	const uint8_t *bytes;
	const unsigned int key = irq_lock();
	for (size_t n = port_ring_show(out, &bytes); n > 0; n = port_ring_show(out, &bytes))
		port_ring_take(out, n);
	r->cut = r->uart.torn && in_lines(r->usb.peer);
	irq_unlock(key);
}

static bool has_dtr(const rtos_zephyr_usb *r)
{
	uint32_t dtr = 0;
	return uart_line_ctrl_get(r->uart.device, UART_LINE_CTRL_DTR, &dtr) == 0 && dtr != 0;
}

/* It may rise again before the owner looks, and what was held back here is not asked for once more: so the fall is kept. */
static bool reads(void *reader)
{
	rtos_zephyr_usb *r = reader;
	if (!r->fell && has_dtr(r))
		return true;
	rtos_zephyr_usb_closed(r);
	return false;
}

static bool takes_note(rtos_zephyr_usb *r)
{
	const unsigned int key = irq_lock();
	const bool fell = r->fell;
	r->fell = false;
	irq_unlock(key);
	return fell;
}

static port_usb_host connected(void *device)
{
	rtos_zephyr_usb *r = device;
	if (!takes_note(r) && has_dtr(r))
		return PORT_USB_OPEN;
	drop_output(r);
	return PORT_USB_CLOSED;
}

static uint32_t now(void)
{
	return k_uptime_get_32();
}

bool rtos_zephyr_usb_start(rtos_zephyr_usb *r, quash_peer *peer, const rtos_zephyr_choice *choice)
{
	static const port_usb_device calls = { peek, take, writable, write_bytes, connected, NULL };
	rtos_zephyr_choice holding = *choice;
	holding.holds = true;
	r->uart.reads = reads;
	r->uart.reader = r;
	if (!rtos_zephyr_start(&r->uart, peer, &holding))
		return false;
	r->port = rtos_zephyr_port(&r->uart);
	port_usb_start(&r->usb, &calls, r, peer, now);
	return true;
}

void rtos_zephyr_usb_serve(rtos_zephyr_usb *r)
{
	for (;;) {
		(void)port_usb_turn(&r->usb);
		if (port_usb_idle_ms(&r->usb) > 0)
			rtos_zephyr_sleep_for_(&r->uart, RTOS_ZEPHYR_USB_LOOK_MS);
	}
}

void rtos_zephyr_usb_pump(rtos_zephyr_usb *r)
{
	port_usb_pump(&r->usb);
}

void rtos_zephyr_usb_closed(rtos_zephyr_usb *r)
{
	const unsigned int key = irq_lock();
	r->fell = true;
	irq_unlock(key);
	k_sem_give(&r->uart.news);
}

void rtos_zephyr_usb_cancel(rtos_zephyr_usb *r, quash_handle handle)
{
	rtos_zephyr_cancel(&r->uart, handle);
}

void rtos_zephyr_usb_wake(rtos_zephyr_usb *r, quash_request *request)
{
	rtos_zephyr_wake(&r->uart, request);
}
