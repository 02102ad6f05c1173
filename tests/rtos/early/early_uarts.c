/* SPDX-License-Identifier: MIT
 * The registers of the UARTs that port/uart knows, over the one of early.h. */
#include "early_uarts.h"

#include "uart/uart_16550.h"
#include "uart/uart_avr.h"
#include "uart/uart_nrf51.h"
#include "uart/uart_pl011.h"

#include <avr/io.h>

enum { IN = 64, OUT = 32 };

static uint8_t in[IN], out[OUT];
static const port_uart_buffers buffers = { .in = in, .out = out, .in_size = IN, .out_size = OUT };
static quash_port port;
static port_uart *of_port;
static volatile bool woken;

const port_uart_buffers *early_buffers(void)
{
	return &buffers;
}

static const quash_port *the_port(void)
{
	return &port;
}

static void open_port(port_uart *u)
{
	of_port = u;
	port = port_uart_port(u);
	woken = false;
}

/* As boards sleep: a clock ends it within a millisecond. */
static void sleep_a_tick(void)
{
	if (!port_uart_has_news(of_port))
		(void)early_sleep(&woken, 1);
}

/* What a driver reads: 0 when there is nothing. */
static uint8_t byte_read(void)
{
	uint8_t byte = 0;
	(void)early_read(&byte);
	return byte;
}

static uint8_t last_byte_read(void)
{
	const uint8_t byte = byte_read();
	uart_model.has_received = uart_model.has_received && uart_model.count > 0;
	return byte;
}

static bool take_overrun(void)
{
	const bool overrun = uart_model.overrun;
	uart_model.overrun = false;
	return overrun;
}

/* --- CMSDK (Cortex-M System Design Kit, Technical Reference Manual, APB UART). Both interrupts are latched when a byte comes
 * and when one leaves, if they are enabled just then. */

enum { CMSDK = 0x40004000, CMSDK_RX_ON = 1 << 1, CMSDK_TX_INTERRUPT = 1 << 2, CMSDK_RX_INTERRUPT = 1 << 3 };

static port_uart_cmsdk cmsdk;

void early_cmsdk_reset(void) {}

uint32_t early_cmsdk_load(uintptr_t address, unsigned size)
{
	(void)size;
	const early_uart *const u = &uart_model;
	switch (address - CMSDK) {
	case 0x0: return byte_read();
	case 0x4: return (u->transmits ? 1u : 0u) | (u->count > 0 ? 2u : 0u) | (u->overrun ? 8u : 0u);
	case 0xC: return (u->has_sent ? 1u : 0u) | (u->has_received ? 2u : 0u);
	default: return 0;
	}
}

void early_cmsdk_store(uintptr_t address, unsigned size, uint32_t value)
{
	(void)size;
	early_uart *const u = &uart_model;
	switch (address - CMSDK) {
	case 0x0: early_write((uint8_t)value); break;
	case 0x4: u->overrun = u->overrun && (value & 8) == 0; break;
	case 0x8:
		u->receives = (value & CMSDK_RX_ON) != 0;
		u->wants_received = (value & CMSDK_RX_INTERRUPT) != 0;
		u->wants_sent = (value & CMSDK_TX_INTERRUPT) != 0;
		break;
	case 0xC:
		u->has_sent = u->has_sent && (value & 1) == 0;
		u->has_received = u->has_received && (value & 2) == 0;
		break;
	default: break;
	}
}

bool early_cmsdk_is_due(void)
{
	return uart_model.has_received || uart_model.has_sent;
}

/* Two lines; one that software has asked for is either. */
void early_cmsdk_interrupt(port_uart_cmsdk *u)
{
	const bool received = uart_model.has_received, sent = uart_model.has_sent;
	if (received || !sent)
		port_uart_cmsdk_receive(u);
	if (sent || !received)
		port_uart_cmsdk_transmit(u);
}

static void cmsdk_interrupt(void)
{
	woken = true;
	early_cmsdk_interrupt(&cmsdk);
}

static void cmsdk_start(quash_peer *peer)
{
	(void)peer;
	cmsdk = (port_uart_cmsdk){ .base = 0 };
	port_uart_cmsdk_receive(&cmsdk); /* left pending by whatever ran before */
	port_uart_cmsdk_transmit(&cmsdk);
	port_uart_cmsdk_start(&cmsdk, CMSDK, 16, &buffers, early_ms);
	open_port(&cmsdk.uart);
}

static const early_front cmsdk_front = { .name = "uart_cmsdk", .base = CMSDK, .depth = 1, .reset = early_cmsdk_reset,
	.load = early_cmsdk_load, .store = early_cmsdk_store, .is_due = early_cmsdk_is_due, .interrupt = cmsdk_interrupt,
	.start = cmsdk_start, .port = the_port, .sleep = sleep_a_tick };

/* --- PL011 (DDI 0183G). It remembers what happens while an interrupt is masked, but for what came before. */

enum { PL011 = 0x4000C000 };

static port_uart_pl011 pl011;
static bool has_fifos;

static void pl011_reset(void)
{
	uart_model.keeps_sent = true;
	has_fifos = false;
}

static uint32_t pl011_load(uintptr_t address, unsigned size)
{
	(void)size;
	switch (address - PL011) {
	case 0x00: {
		const uint32_t mark = take_overrun() ? 1u << 11 : 0;
		return mark | last_byte_read();
	}
	case 0x18: return (uart_model.count == 0 ? 1u << 4 : 0) | (uart_model.transmits ? 1u << 5 : 0);
	default: return 0;
	}
}

static void pl011_store(uintptr_t address, unsigned size, uint32_t value)
{
	(void)size;
	early_uart *const u = &uart_model;
	switch (address - PL011) {
	case 0x00: early_write((uint8_t)value); break;
	case 0x2C:
		if (!has_fifos && (value & 1 << 4) != 0)
			early_flush();
		has_fifos = (value & 1 << 4) != 0;
		break;
	case 0x30: u->receives = (value & 1) != 0 && (value & 1 << 9) != 0; break;
	case 0x38:
		u->wants_received = (value & (1 << 4 | 1 << 6)) != 0;
		u->wants_sent = (value & 1 << 5) != 0;
		break;
	case 0x44:
		u->has_received = u->has_received && (value & 1 << 4) == 0;
		u->has_sent = u->has_sent && (value & 1 << 5) == 0;
		break;
	default: break;
	}
}

static bool wanted_is_due(void)
{
	return (uart_model.wants_received && uart_model.has_received) || (uart_model.wants_sent && uart_model.has_sent);
}

static void pl011_interrupt(void)
{
	woken = true;
	port_uart_pl011_interrupt(&pl011);
}

static void pl011_start(bool fifos)
{
	const port_uart_pl011_place place = { .base = PL011, .fifos = fifos };
	port_uart_pl011_start(&pl011, &place, port_uart_pl011_divider(1152000, 115200), &buffers, early_ms);
	open_port(&pl011.uart);
}

static void pl011_start_plain(quash_peer *peer)
{
	(void)peer;
	pl011_start(false);
}

static void pl011_start_with_fifos(quash_peer *peer)
{
	(void)peer;
	pl011_start(true);
}

static const early_front pl011_front = { .name = "uart_pl011", .base = PL011, .depth = 1, .reset = pl011_reset,
	.load = pl011_load, .store = pl011_store, .is_due = wanted_is_due, .interrupt = pl011_interrupt,
	.start = pl011_start_plain, .port = the_port, .sleep = sleep_a_tick };

static const early_front pl011_fifos_front = { .name = "uart_pl011 with FIFOs", .base = PL011, .depth = 16, .reset = pl011_reset,
	.load = pl011_load, .store = pl011_store, .is_due = wanted_is_due, .interrupt = pl011_interrupt,
	.start = pl011_start_with_fifos, .port = the_port, .sleep = sleep_a_tick };

/* --- NS16550A. That it is empty is due as long as it is. */

enum { NS16550 = 0x10000000 };

static port_uart_16550 ns16550;
static uint8_t enabled;
static bool sets_divider;

static void ns16550_reset(void)
{
	enabled = 0;
	sets_divider = false;
}

static uint32_t ns16550_load(uintptr_t address, unsigned size)
{
	(void)size;
	switch (address - NS16550) {
	case 0: return last_byte_read();
	case 1: return enabled;
	case 5: return (uart_model.count > 0 ? 1u : 0u) | (take_overrun() ? 2u : 0u) | (uart_model.transmits ? 0u : 0x20u);
	default: return 0;
	}
}

static void ns16550_store(uintptr_t address, unsigned size, uint32_t value)
{
	(void)size;
	early_uart *const u = &uart_model;
	if (address - NS16550 == 3)
		sets_divider = (value & 0x80) != 0;
	if (sets_divider)
		return;
	if (address - NS16550 == 0)
		early_write((uint8_t)value);
	if (address - NS16550 == 1) {
		enabled = (uint8_t)value;
		u->wants_received = (value & 1) != 0;
		u->wants_sent = (value & 2) != 0;
	}
}

static bool ns16550_is_due(void)
{
	return (uart_model.wants_received && uart_model.has_received) || (uart_model.wants_sent && !uart_model.transmits);
}

static void ns16550_interrupt(void)
{
	woken = true;
	port_uart_16550_interrupt(&ns16550);
}

static void ns16550_start(quash_peer *peer)
{
	(void)peer;
	port_uart_16550_start(&ns16550, NS16550, 2, &buffers, early_ms);
	open_port(&ns16550.uart);
}

static const early_front ns16550_front = { .name = "uart_16550", .base = NS16550, .depth = 1, .reset = ns16550_reset,
	.load = ns16550_load, .store = ns16550_store, .is_due = ns16550_is_due, .interrupt = ns16550_interrupt,
	.start = ns16550_start, .port = the_port, .sleep = sleep_a_tick };

/* --- nRF51 (Reference Manual 3.0, chapter 29). An event comes with each byte that is moved to RXD. */

enum { NRF51 = 0x40002000 };

static port_uart_nrf51 nrf51;
static bool event_cleared, wants_error;
static uint32_t error_source;

static void nrf51_reset(void)
{
	uart_model.keeps_sent = uart_model.tells_first = true;
	event_cleared = wants_error = false;
	error_source = 0;
}

static uint8_t nrf51_byte(void)
{
	early_uart *const u = &uart_model;
	const uint8_t byte = byte_read();
	event_cleared = false;
	u->has_received = u->count > 0 && u->wants_received;
	return byte;
}

static uint32_t nrf51_load(uintptr_t address, unsigned size)
{
	(void)size;
	switch (address - NRF51) {
	case 0x108: return uart_model.count > 0 && !event_cleared;
	case 0x11C: return uart_model.has_sent;
	case 0x124: return uart_model.overrun;
	case 0x480: return error_source;
	case 0x518: return nrf51_byte();
	default: return 0;
	}
}

static void nrf51_enable(uint32_t bits, bool on)
{
	early_uart *const u = &uart_model;
	if ((bits & 1 << 2) != 0)
		u->wants_received = on;
	if ((bits & 1 << 7) != 0)
		u->wants_sent = on;
	if ((bits & 1 << 9) != 0)
		wants_error = on;
}

static void nrf51_store(uintptr_t address, unsigned size, uint32_t value)
{
	(void)size;
	early_uart *const u = &uart_model;
	switch (address - NRF51) {
	case 0x108:
		event_cleared = u->count > 0;
		u->has_received = false;
		break;
	case 0x11C: u->has_sent = false; break;
	case 0x124: error_source = take_overrun() ? 1 : error_source; break;
	case 0x304: nrf51_enable(value, true); break;
	case 0x308: nrf51_enable(value, false); break;
	case 0x480: error_source &= ~value; break;
	case 0x51C: early_write((uint8_t)value); break;
	default: break;
	}
}

static bool nrf51_is_due(void)
{
	return wanted_is_due() || (wants_error && uart_model.overrun);
}

static void nrf51_interrupt(void)
{
	woken = true;
	port_uart_nrf51_interrupt(&nrf51);
}

static void nrf51_start(quash_peer *peer)
{
	static const port_uart_nrf51_pins pins = { .tx = 24, .rx = 25, .rate = 0x01D7E000 };
	(void)peer;
	port_uart_nrf51_start(&nrf51, &pins, &buffers, early_ms);
	open_port(&nrf51.uart);
}

static const early_front nrf51_front = { .name = "uart_nrf51", .base = NRF51, .depth = 6, .reset = nrf51_reset,
	.load = nrf51_load, .store = nrf51_store, .is_due = nrf51_is_due, .interrupt = nrf51_interrupt,
	.start = nrf51_start, .port = the_port, .sleep = sleep_a_tick };

/* --- AVR (ATmega328P, chapter 20). Its flags are levels: "a new interrupt will occur once the interrupt routine terminates"
 * while the byte is not read. So an early byte is due as soon as its interrupt is enabled. */

static port_uart avr;

static void avr_reset(void) {}

static uint32_t avr_load(uintptr_t address, unsigned size)
{
	const early_uart *const u = &uart_model;
	(void)size;
	switch (address - STATED_AVR(0)) {
	case 0: return (u->count > 0 ? 1u << RXC0 : 0) | (u->transmits ? 0 : 1u << UDRE0) | (early_is_behind() ? 1u << DOR0 : 0);
	case 1: return (u->wants_received ? 1u << RXCIE0 : 0) | (u->wants_sent ? 1u << UDRIE0 : 0) | 1u << RXEN0 | 1u << TXEN0;
	case 3: return byte_read();
	default: return 0;
	}
}

static void avr_store(uintptr_t address, unsigned size, uint32_t value)
{
	early_uart *const u = &uart_model;
	(void)size;
	if (address == STATED_AVR(1)) {
		u->receives = (value & 1u << RXEN0) != 0;
		u->wants_received = (value & 1u << RXCIE0) != 0;
		u->wants_sent = (value & 1u << UDRIE0) != 0;
	}
	if (address == STATED_AVR(3))
		early_write((uint8_t)value);
}

static bool avr_receives(void)
{
	return uart_model.wants_received && uart_model.count > 0;
}

static bool avr_is_due(void)
{
	return avr_receives() || (uart_model.wants_sent && !uart_model.transmits);
}

static void avr_interrupt(void)
{
	woken = true;
	if (avr_receives())
		port_uart_avr_receive(&avr);
	else if (avr_is_due()) /* software cannot ask for one */
		port_uart_avr_transmit(&avr);
}

static void avr_start(quash_peer *peer)
{
	(void)peer;
	port_uart_avr_start(&avr, 16, &buffers, early_ms);
	open_port(&avr);
}

static const early_front avr_front = { .name = "uart_avr", .base = STATED_AVR(0), .depth = 2, .reset = avr_reset,
	.load = avr_load, .store = avr_store, .is_due = avr_is_due, .interrupt = avr_interrupt,
	.start = avr_start, .port = the_port, .sleep = sleep_a_tick };

/* --- All of them */

const early_front *const early_fronts[] = { &cmsdk_front, &pl011_front, &pl011_fifos_front, &ns16550_front, &nrf51_front,
	&avr_front, &early_cmsis2, &early_freertos, &early_freertos_level, &early_zephyr, &early_zephyr_level, NULL };
