/* SPDX-License-Identifier: MIT */
#include "../../include/quash/port.h"

enum { PUMP_ROUNDS = 64 }; /* at most in one go: endless input keeps no handler that pumps from its work */

/* True if a byte has left. */
static bool write_out(quash_peer *peer, const quash_port *port)
{
	bool moved = false;
	for (;;) {
		size_t n;
		const uint8_t *const data = quash_out(peer, &n);
		const int taken = n > 0 ? port->write(port->device, data, n) : 0;
		if (taken == QUASH_GONE)
			quash_gone(peer);
		if (taken <= 0)
			return moved;
		quash_sent(peer, (size_t)taken);
		moved = true;
	}
}

/* The port shows no byte. True if there may be more behind that. */
static bool read_mark(quash_peer *peer, int mark)
{
	if (mark == QUASH_LOST)
		quash_lost(peer);
	else if (mark == QUASH_GONE)
		quash_gone(peer);
	else
		(void)quash_feed(peer, NULL, 0); /* a message that is kept goes on without a byte */
	if (mark == QUASH_END)
		quash_input_end(peer);
	return mark == QUASH_LOST;
}

/* Feeds what the port shows, again as long as anything moves. True if there may be more. */
static bool read_in(quash_peer *peer, const quash_port *port)
{
	size_t taken;
	do {
		const uint8_t *bytes = NULL;
		const int n = port->peek(port->device, &bytes);
		if (n <= 0)
			return read_mark(peer, n);
		taken = quash_feed(peer, bytes, (size_t)n);
		if (taken > 0)
			port->take(port->device, taken);
		if (taken == (size_t)n)
			return true;
	} while (write_out(peer, port) || taken > 0);
	return false;
}

static void pass_time(quash_peer *peer, const quash_port *port)
{
	quash_tick(peer, port->now(port->device));
}

QUASH_NOINLINE void quash_pump(quash_peer *peer, const quash_port *port)
{
	unsigned rounds = PUMP_ROUNDS;
	pass_time(peer, port); /* what is received now was not there when the program fell asleep */
	(void)write_out(peer, port);
	while (rounds > 0 && !quash_is_gone(peer) && read_in(peer, port))
		rounds--;
	(void)write_out(peer, port);
	pass_time(peer, port);
}
