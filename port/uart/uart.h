/* SPDX-License-Identifier: MIT
 * What all interrupt-driven UARTs share: two rings between the interrupts and the pump, and the port over them.
 *
 * Calling context: *interrupt* means the UART's own interrupts, of which none interrupts the other; everything else
 * runs on the peer's thread.
 *
 * Several cores: where PORT_SEVERAL_CORES is 1 (port_ring.h) all interrupts of the UART may run on another core than the peer's
 * thread. Then `kick` and `resume`, which run on the thread's core, must leave the UART's registers alone: the interrupt may be
 * about to switch itself off. They raise the interrupt on its own core, after all that was stored before. It does the rest.
 * `kick` and `resume` of port/uart/uart_*.c write the registers. With these the peer's thread stays on the core that takes the
 * interrupts. A thread that sleeps is woken by an interrupt on its own core, which the other core has to raise. */
#ifndef PORT_UART_H
#define PORT_UART_H

#include "../../include/quash/port.h"
#include "../port_ring.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A UART's inner side. The caller owns it; opaque. */
typedef struct port_uart {
	port_ring in, out;
	void (*kick)(void *device);   /* lets the transmit interrupt run, soon or at once */
	void (*resume)(void *device); /* lets the receive interrupt run again, or takes what it has left */
	void *device;                 /* handed to both */
	uint32_t (*now)(void);
	port_ring_index shown;        /* of `in` to the peer, which has not taken it */
	volatile bool held;           /* a byte may wait in the hardware: it found no room, or came before the start */
	volatile bool line_ended;     /* a line end was received; for ports that wake a thread then, which reset it */
} port_uart;

/** What a board lends to a UART. */
typedef struct port_uart_buffers {
	uint8_t *in, *out; /* of port_ring_index many bytes, each used but for one */
	port_ring_index in_size, out_size;
} port_uart_buffers;

/** Makes it ready, before interrupts are switched on. The first pump calls `resume`, for a byte that came before them. */
void port_uart_init(port_uart *u, const port_uart_buffers *buffers, uint32_t (*now)(void));

/** The port, for `quash_pump`; valid as long as `u`. It shows the ring's contiguous part, and QUASH_LOST where the
 * interrupts lost bytes. */
quash_port port_uart_port(port_uart *u);

/** True if there is something to pump: bytes that the peer has not been shown, or a gap. Bytes that it was shown
 * and has not taken do not count: `quash_idle_ms` knows what they wait for. Before going to sleep, with interrupts
 * held back. */
bool port_uart_has_news(const port_uart *u);

/** Interrupt: true if there is room for a byte. If not, the byte stays in the hardware, whose own buffer and flow
 * control hold what follows. Then the receive interrupt is to stay off until `resume` is called. With several cores that may
 * be at the same time, and `resume` may be called once for nothing. */
bool port_uart_wants(port_uart *u);

/** Interrupt: a byte was received. */
void port_uart_received(port_uart *u, uint8_t byte);

/** Interrupt: the hardware lost what was received. */
void port_uart_overrun(port_uart *u);

/** Interrupt, or the thread in its place: true if there is a byte for `port_uart_next`. For uart_cmsdk.c. */
bool port_uart_has_output_(const port_uart *u);

/** Interrupt: the hardware can take a byte. False when there is none. */
bool port_uart_next(port_uart *u, uint8_t *byte);

#ifdef __cplusplus
}
#endif
#endif
