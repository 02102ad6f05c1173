/* SPDX-License-Identifier: MIT */
#include "gather.h"

#include <string.h>

/* What stdout answered last: 0 when it takes no more, or needs not. */
static int write_gathered(struct gather *g)
{
	const quash_port port = posix_stdio_port(g->stdio);
	while (g->from < g->to) {
		const int written = port.write(port.device, g->bytes + g->from, g->to - g->from);
		if (written <= 0)
			return written;
		g->from += (size_t)written;
	}
	g->from = g->to = 0;
	return 0;
}

static int gather_peek(void *device, const uint8_t **bytes)
{
	struct gather *const g = device;
	const quash_port port = posix_stdio_port(g->stdio);
	const bool reads = g->stdio->from == g->stdio->to;
	return reads && write_gathered(g) == QUASH_GONE ? QUASH_GONE : port.peek(port.device, bytes);
}

static void gather_take(void *device, size_t n)
{
	const struct gather *const g = device;
	const quash_port port = posix_stdio_port(g->stdio);
	port.take(port.device, n);
}

static int gather_write(void *device, const uint8_t *data, size_t n)
{
	struct gather *const g = device;
	if (n > sizeof g->bytes - g->to && write_gathered(g) == QUASH_GONE)
		return QUASH_GONE;
	const size_t room = sizeof g->bytes - g->to;
	const size_t taken = n < room ? n : room;
	memcpy(g->bytes + g->to, data, taken);
	g->to += taken;
	return (int)taken;
}

static uint32_t gather_now(void *device)
{
	const struct gather *const g = device;
	const quash_port port = posix_stdio_port(g->stdio);
	return port.now(port.device);
}

void gather_open(struct gather *g, struct posix_stdio *stdio)
{
	g->stdio = stdio;
	g->from = g->to = 0;
}

quash_port gather_port(struct gather *g)
{
	const quash_port port = { gather_peek, gather_take, gather_write, gather_now, g };
	return port;
}

void gather_flush(struct gather *g)
{
	(void)write_gathered(g);
}

bool gather_is_empty(const struct gather *g)
{
	return g->from == g->to;
}
