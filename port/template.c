/* SPDX-License-Identifier: MIT
 * A port to begin with, for what is no UART (USB, DMA, a socket, a mailbox). Copy it, and
 * give it the name of your link. Write the functions of the first part. The second part is the transport contract over
 * these. It stays as it is. As it is here it compiles, and no byte moves. docs/porting.md explains. For a UART take
 * port/uart/uart.h. */
#include "../include/quash/port.h"

#include <limits.h>

/* --- The header of your port */

/** The link. The caller owns it and keeps it as long as the peer is pumped. */
typedef struct port_template_link {
	quash_peer *peer;          /* for whom it sleeps */
	volatile bool half_closed; /* the other side has finished transmitting; bytes of it may wait */
	volatile bool gone;        /* unplugged, reset, closed */
	int answered;              /* what of these the peer knows: 0, QUASH_END, QUASH_GONE */
	size_t shown;              /* bytes that the peer has not taken */
} port_template_link;

/** Starts clock and link and gives the port. Once, before the first pump; `quash_init` may come before or after. */
quash_port port_template_start(port_template_link *link, quash_peer *peer);

/** Sleeps until there may be something to pump or to step; may come back at any time earlier. Peer's thread, in the
 * loop, after `quash_step`; not from handlers. */
void port_template_sleep(port_template_link *link);

/* --- What you write */

/* Switches on what sends, receives and counts milliseconds. */
static void hardware_start(port_template_link *link)
{
	(void)link;
}

/* Shows the bytes that were received and not taken, those that stand in one piece, without waiting; how many. They stay
 * where they are until they are taken. They may be a part of a ring, a packet in its buffer, or a buffer that is read
 * into when it is empty. */
static size_t hardware_show(port_template_link *link, const uint8_t **bytes)
{
	(void)link;
	(void)bytes;
	return 0;
}

/* The first n of them are taken: their room goes back to the hardware. Flow control belongs here too: as long as nothing
 * is taken, the sender must in the end stop. */
static void hardware_take(port_template_link *link, size_t n)
{
	(void)link;
	(void)n;
}

/* Hands up to n bytes over, without waiting; how many. Copy them: they do not stay where they are. If it took fewer, an
 * interrupt has to come when it can take more, and end the sleep. */
static size_t hardware_give(port_template_link *link, const uint8_t *data, size_t n)
{
	(void)link;
	(void)data;
	(void)n;
	return 0;
}

/* True if bytes were lost just here, after those that were taken. True once for each gap; false while bytes from
 * before it wait, or if the link cannot lose any. port/port_ring.h keeps a gap in its place. */
static bool hardware_passes_gap(port_template_link *link)
{
	(void)link;
	return false;
}

/* Milliseconds since any moment; wraps at 2^32 and nowhere else, and never goes back. */
static uint32_t hardware_ms(void)
{
	return 0;
}

/* True if hardware_show would show a byte, or hardware_passes_gap a gap. */
static bool hardware_has_news(const port_template_link *link)
{
	(void)link;
	return false;
}

/* True if hardware_give would take a byte. */
static bool hardware_has_room(const port_template_link *link)
{
	(void)link;
	return false;
}

/* Holds interrupts back, so that none comes between a question and the sleep. */
static void hardware_hold(void)
{
}

/* Lets them run again, those that came meanwhile first of all. */
static void hardware_release(void)
{
}

/* Stops the processor until an interrupt is pending, though it is held back, or ms have passed: set the alarm first. */
static void hardware_wait(uint32_t ms)
{
	(void)ms;
}

/* --- The transport contract */

static int answer(port_template_link *link, int end)
{
	link->answered = end;
	return end;
}

static int peek(void *device, const uint8_t **bytes)
{
	port_template_link *const link = device;
	const bool ended = link->half_closed; /* asked first: what came before the end is shown before it */
	if (link->gone)
		return answer(link, QUASH_GONE);
	const size_t count = hardware_show(link, bytes);
	link->shown = count < INT_MAX ? count : INT_MAX;
	if (link->shown > 0)
		return (int)link->shown;
	if (hardware_passes_gap(link))
		return QUASH_LOST;
	return ended ? answer(link, QUASH_END) : 0;
}

static void take(void *device, size_t n)
{
	port_template_link *const link = device;
	hardware_take(link, n);
	link->shown -= n;
}

static int write_bytes(void *device, const uint8_t *data, size_t n)
{
	port_template_link *const link = device;
	if (link->gone)
		return answer(link, QUASH_GONE);
	return (int)hardware_give(link, data, n < INT_MAX ? n : INT_MAX);
}

static uint32_t now(void *device)
{
	(void)device;
	return hardware_ms();
}

quash_port port_template_start(port_template_link *link, quash_peer *peer)
{
	const quash_port port = { .peek = peek, .take = take, .write = write_bytes, .now = now, .device = link };
	link->peer = peer;
	link->half_closed = false;
	link->gone = false;
	link->answered = 0;
	link->shown = 0;
	hardware_start(link);
	return port;
}

/* Bytes that the peer was shown and has not taken are no reason: `quash_idle_ms` knows what they wait for. */
static bool must_pump(const port_template_link *link)
{
	size_t waiting;
	(void)quash_out(link->peer, &waiting);
	if (link->gone)
		return link->answered != QUASH_GONE;
	const bool can_write = waiting > 0 && hardware_has_room(link);
	const bool ends = link->half_closed && link->answered != QUASH_END;
	return can_write || (link->shown == 0 && (ends || hardware_has_news(link)));
}

void port_template_sleep(port_template_link *link)
{
	quash_tick(link->peer, hardware_ms()); /* the step took its time */
	hardware_hold();
	const bool pump = must_pump(link);             /* first: it may let the next message in */
	const uint32_t ms = quash_idle_ms(link->peer); /* what an interrupt has woken or cancelled by now counts */
	if (ms > 0 && !pump)
		hardware_wait(ms);
	hardware_release();
}
