/* SPDX-License-Identifier: MIT
 * What stands for a system around the bridge: lines with an other side, devices that are opened and closed, doors. */
#include "world.h"

#include <string.h>

enum { READ_ROUNDS = 16, LOST = 3 };

/* --- Lines */

void system_open(struct line *line, struct bridge_line *of)
{
	bridge_keep(of, line);
	line->of = of;
	line->open = true;
	line->told = line->due = line->full = line->silent = line->closing = false;
	line->end = 0;
	world_stir();
}

static void close_line(struct line *line)
{
	line->open = false;
	if (line->closes != NULL)
		line->closes(line);
	bridge_closed(line->of);
	world_stir();
}

static void connect(struct line *line)
{
	const struct device_end *const end = &world.devices[line->owner];
	if (!line->closed && world_left(end->connected) > 0)
		return;
	line->opening = false;
	line->open = !line->closed && !end->refuses;
	if (line->open)
		bridge_opened(line->of);
	else
		bridge_failed(line->of, BRIDGE_FAILED, "refused");
	world_stir();
}

/* Into memory of the bridge, or from memory of ours. */
static size_t hand_in(struct line *line, const uint8_t *bytes, size_t n)
{
	size_t room = 0;
	uint8_t *const at = n % 2 == 0 ? bridge_room(line->of, n, &room) : NULL;
	if (at == NULL)
		return bridge_feed(line->of, bytes, n);
	memcpy(at, bytes, room);
	bridge_fed(line->of, room);
	return room;
}

static void feed(struct line *line)
{
	struct queue *const in = &line->in;
	for (unsigned i = 0; i < READ_ROUNDS && in->from < in->to && bridge_reads(line->of) && !line->silent; i++) {
		in->from += hand_in(line, in->bytes + in->from, line_pieces(line, in->to - in->from));
		line->read_at = world.now;
		world_stir();
	}
	line->full = in->from < in->to && !bridge_reads(line->of);
}

static void drain(struct line *line)
{
	size_t n, taken;
	const uint8_t *bytes;
	while (bytes = bridge_out(line->of, &n), n > 0 && !line->closed && (taken = line_takes(line, bytes, n)) > 0)
		bridge_sent(line->of, taken);
	line->due = n > 0;
}

/* The end of a client is seen whatever of it is unread; a device is lost once it was read to its end. */
static void see_end(struct line *line)
{
	const bool over = line->ended || line->closed, device = line->way == BRIDGE_DEVICE;
	const unsigned end = !over ? 0 : line->in.from == line->in.to ? 2 : line->socket ? 1 : 0;
	if (line->end < LOST && (device ? end == 2 : line->closed && (!line->socket || line->due))) {
		line->end = LOST;
		bridge_lost(line->of, "is gone");
	} else if (!device && end > line->end) {
		line->end = end;
		bridge_ended(line->of, end == 1);
	}
}

static void move(struct line *line)
{
	if (line->opening && !line->closing)
		connect(line);
	if (line->open && !line->opening) {
		drain(line);
		feed(line); /* what was answered to that is there at once */
		see_end(line);
	}
	const bool now = line->opening || line->closed || !line->due || world.over || world_left(line->close_by) == 0;
	if (line->open && line->closing && now)
		close_line(line);
}

/* --- Wishes and doors */

static void open_device(unsigned which, struct bridge_line *of)
{
	struct device_end *const end = &world.devices[which];
	if (end->line.open)
		close_line(&end->line);
	if (end->busy || !end->plugged) {
		bridge_failed(of, end->busy ? BRIDGE_IN_USE : BRIDGE_FAILED, "somebody");
	} else {
		device_opens(which);
		system_open(&end->line, of);
		end->line.opening = true;
	}
}

void system_obey(void)
{
	struct bridge_wish wish;
	while (bridge_wants(world.bridge, &wish)) {
		struct line *const line = bridge_kept(wish.line);
		if (wish.kind == BRIDGE_OPENS) {
			open_device(wish.device, wish.line);
		} else if (wish.kind == BRIDGE_HANGS_UP) {
			line->silent = true;
		} else {
			line->closing = true;
			line->close_by = world.now + wish.ms;
		}
	}
}

/* What it has transmitted is read before another comes, who could take its place. */
static void let_in(struct client_end *c)
{
	if (!c->waits || !bridge_takes(world.bridge, c->line.way))
		return;
	struct bridge_line *const of = bridge_client(world.bridge, c->line.way);
	c->waits = false;
	c->since = world.now;
	if (of == NULL)
		client_is_refused(c->line.owner);
	system_open(&c->line, of);
	move(&c->line);
	system_obey();
}

uint32_t system_move(void)
{
	uint32_t rest = UINT32_MAX;
	struct line *line;
	for (unsigned i = 0; i < world.client_count; i++)
		let_in(&world.clients[i]);
	for (unsigned i = 0; (line = line_at(i)) != NULL; i++) {
		move(line);
		const uint32_t by = line->opening ? world.devices[line->owner].connected : line->close_by;
		const uint32_t own = line->open && (line->opening || line->closing) ? world_left(by) : UINT32_MAX;
		rest = own < rest ? own : rest;
	}
	return rest;
}
