/* SPDX-License-Identifier: MIT */
#include "../../include/quash/port.h"

static void write_out(quash_peer *peer, const quash_port *port)
{
	size_t n;
	const uint8_t *data = quash_out(peer, &n);
	while (n > 0) {
		const int taken = port->write(port->device, data, n);
		if (taken == QUASH_GONE)
			quash_gone(peer);
		if (taken <= 0)
			return;
		quash_sent(peer, (size_t)taken);
		data = quash_out(peer, &n);
	}
}

/* False when there is no more to be had for now. */
static bool read_in(quash_peer *peer, const quash_port *port)
{
	uint8_t chunk[32];
	const size_t room = quash_room(peer);
	if (room == 0)
		return false;
	const int n = port->read(port->device, chunk, room < sizeof chunk ? room : sizeof chunk);
	if (n == QUASH_END)
		quash_end(peer);
	else if (n == QUASH_GONE)
		quash_gone(peer);
	if (n <= 0)
		return false;
	(void)quash_feed(peer, chunk, (size_t)n < sizeof chunk ? (size_t)n : sizeof chunk);
	return true;
}

void quash_pump(quash_peer *peer, const quash_port *port)
{
	quash_tick(peer, port->now(port->device)); /* what is heard now was not heard when the program fell asleep */
	write_out(peer, port);
	while (read_in(peer, port))
		;
	quash_tick(peer, port->now(port->device));
}
