/* SPDX-License-Identifier: MIT
 * A peer's life: start, links that come and go, time, bytes out; and a port that it pumps. */
#include "../../include/quash/port.h"

#include "call_hooks.h"
#include "decide.h"
#include "fault_hooks.h"
#include "feed.h"
#include "due.h"
#include "transmit.h"

static void begin_link(quash_peer *peer)
{
	peer->link.state = LINK_UP;
	peer->link.armed = PROMISE_NONE;
	peer->link.session = false;
	peer->notify.open = false;
	quash_transmit_clear(peer);
	quash_feed_begin(peer);
}

QUASH_NOINLINE void quash_start_with_(quash_peer *peer, const quash_config *config)
{
	static const quash_peer fresh = { .last_id = 0 };
	static const quash_counters none = { .requests = 0 };
	*peer = fresh;
	peer->config = config;
	if (quash_config_of(peer)->counters != NULL)
		*quash_config_of(peer)->counters = none;
	peer->running = NO_INDEX;
	peer->reason_of = NO_INDEX;
	quash_slots_init(peer);
	begin_link(peer);
}

void quash_gone(quash_peer *peer)
{
	if (peer->link.state == LINK_GONE)
		return;
	peer->link.state = LINK_GONE;
	quash_feed_abandon(peer);
	peer->in.pause = PAUSE_NONE;
	peer->out.crowded = 0;
	quash_transmit_clear(peer);
	if (quash_calls_of(peer) != NULL)
		quash_calls_of(peer)->gone(peer);
	quash_flag_all(peer, QUASH_BY_LINK);
	peer->batch = 0;
}

bool quash_is_gone(const quash_peer *peer)
{
	return peer->link.state == LINK_GONE;
}

/* A peer without TX stays silent. */
void quash_reopen(quash_peer *peer)
{
	if (quash_is_silent(peer))
		return;
	quash_gone(peer);
	begin_link(peer);
}

void quash_tick(quash_peer *peer, uint32_t now)
{
	peer->now = now;
	quash_flag_due(peer);
}

uint8_t quash_live_count(const quash_peer *peer)
{
	return (uint8_t)(peer->live + (quash_feed_keeps(peer) ? 1 : 0));
}

bool quash_is_at_rest(const quash_peer *peer)
{
	return peer->first == NO_INDEX && peer->in.pause == PAUSE_NONE && peer->link.state != LINK_ENDING &&
		peer->out.message == NULL &&
		quash_tx_empty(&peer->writer) && (quash_calls_of(peer) == NULL || quash_calls_of(peer)->next(peer) == NULL);
}

/* --- The pump */

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

/* The port shows no byte. True if there may be more after that. */
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

QUASH_NOINLINE static void pass_time(quash_peer *peer, const quash_port *port)
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
