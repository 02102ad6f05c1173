/* SPDX-License-Identifier: MIT
 * A port to begin with, for what is no UART (USB, DMA, a socket, a mailbox): copy it, give it the name of your link, and
 * write the functions of the first part. The second part is the transport contract over these and stays as it is.
 * As it stands it compiles, says nothing and hears nothing. docs/porting.md explains; for a UART take port/uart/uart.h. */
#include "../include/quash/port.h"

#include <limits.h>

/* --- The header of your port */

/** The link. The caller owns it and keeps it as long as the peer is pumped. */
typedef struct template_link {
	quash_peer *peer;         /* is told of losses */
	volatile bool half_closed; /* the other side will say nothing more; what it said may wait to be read */
	volatile bool gone;       /* unplugged, reset, closed */
	int told;                 /* what of these the peer knows: 0, QUASH_END, QUASH_GONE */
} template_link;

/** Starts clock and link and gives the port. Once, before the first pump; `quash_init` may come before or after. */
quash_port template_start(template_link *link, quash_peer *peer);

/** Sleeps until there may be something to pump or to step; may come back at any time earlier. Peer's thread, in the
 * loop, behind `quash_step`; not from handlers. */
void template_sleep(template_link *link);

/* --- What you write */

/* Switches on what sends, receives and counts milliseconds. */
static void hardware_start(template_link *link)
{
	(void)link;
}

/* Moves up to n bytes that were received into data, without waiting; how many. They are yours from now on: give their
 * buffer back to the hardware. Flow control belongs here too: who takes nothing must in the end stop the sender. */
static size_t hardware_take(template_link *link, uint8_t *data, size_t n)
{
	(void)link;
	(void)data;
	(void)n;
	return 0;
}

/* Hands up to n bytes over, without waiting; how many. Copy them: they do not stay where they are. If it took fewer, an
 * interrupt has to come when it can take more, and end the sleep. */
static size_t hardware_give(template_link *link, const uint8_t *data, size_t n)
{
	(void)link;
	(void)data;
	(void)n;
	return 0;
}

/* How many bytes were lost behind those that were taken, since it was last asked. 0 while bytes from before the loss
 * wait, or if the link cannot lose any. port/port_ring.h keeps such a count in its place. */
static uint32_t hardware_losses(template_link *link)
{
	(void)link;
	return 0;
}

/* Milliseconds since any moment; wraps at 2^32 and nowhere else, and never goes back. */
static uint32_t hardware_ms(void)
{
	return 0;
}

/* Says whether hardware_take would give a byte, or hardware_losses a loss. */
static bool hardware_has_news(const template_link *link)
{
	(void)link;
	return false;
}

/* Says whether hardware_give would take a byte. */
static bool hardware_has_room(const template_link *link)
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

static int tell(template_link *link, int end)
{
	link->told = end;
	return end;
}

static int read_bytes(void *device, uint8_t *data, size_t n)
{
	template_link *const link = device;
	const bool ended = link->half_closed; /* asked first: what came before the end is read before it is told */
	if (link->gone)
		return tell(link, QUASH_GONE);
	const size_t count = hardware_take(link, data, n < INT_MAX ? n : INT_MAX);
	if (count > 0)
		return (int)count;
	const uint32_t lost = hardware_losses(link);
	if (lost > 0)
		quash_lost(link->peer, lost);
	return ended && lost == 0 ? tell(link, QUASH_END) : 0;
}

static int write_bytes(void *device, const uint8_t *data, size_t n)
{
	template_link *const link = device;
	if (link->gone)
		return tell(link, QUASH_GONE);
	return (int)hardware_give(link, data, n < INT_MAX ? n : INT_MAX);
}

static uint32_t now(void *device)
{
	(void)device;
	return hardware_ms();
}

quash_port template_start(template_link *link, quash_peer *peer)
{
	const quash_port port = { .read = read_bytes, .write = write_bytes, .now = now, .device = link };
	link->peer = peer;
	link->half_closed = false;
	link->gone = false;
	link->told = 0;
	hardware_start(link);
	return port;
}

static int end_of(const template_link *link)
{
	if (link->gone)
		return QUASH_GONE;
	return link->half_closed ? QUASH_END : 0;
}

static bool must_pump(const template_link *link)
{
	size_t waiting;
	(void)quash_out(link->peer, &waiting);
	const bool can_write = waiting > 0 && hardware_has_room(link);
	const bool news = hardware_has_news(link) || link->told != end_of(link);
	return can_write || (news && quash_room(link->peer) > 0);
}

void template_sleep(template_link *link)
{
	quash_tick(link->peer, hardware_ms()); /* the step took its time */
	hardware_hold();
	const uint32_t ms = quash_idle_ms(link->peer); /* what an interrupt has woken or cancelled by now is seen */
	if (ms > 0 && !must_pump(link))
		hardware_wait(ms);
	hardware_release();
}
