/* SPDX-License-Identifier: MIT
 * Names and slots: what a byte costs grows with how many there are, and not with the input's length. A slow wire. */
#include "served.h"
#include "shapes.h"

static uint8_t text[2 * COST_MOST_BYTES];

static void check_bounded(const struct cost_setup *setup, const struct cost_shape *shape, size_t speed, double most)
{
	struct cost_point points[COST_POINTS];
	double each = 0;
	for (unsigned i = 0; i < COST_POINTS; i++) {
		const size_t n = cost_shape_text(shape, setup->dialect, (size_t)1024 << 2 * i, text, sizeof text);
		cost_start(setup);
		const struct cost_run run = cost_feed(text, n, n, speed);
		points[i] = (struct cost_point){ run.blocks, n, n + run.written, run.rounds };
		each = (double)run.blocks / (double)points[i].moved;
		if (run.taken != n)
			cost_check(false, "%s: %zu of %zu bytes were taken", setup->name, run.taken, n);
	}
	cost_check(cost_is_linear(points) && each <= most, "%s, %s, %u bytes of TX: %.1f blocks for a byte, at most %.1f", setup->name, shape->name,
		(unsigned)setup->tx, each, most);
}

/* A byte of a name is compared with the names that it may be, from their beginning on: at most so many steps. */
static void check_names(void)
{
	enum { MOST = 2000 };
	static char unit[4][320];
	static const char *const names[] = { "the last of the methods", "nearly one of the methods", "longer than the methods", "the first letter of the methods" };
	cost_crowd_begin();
	cost_crowd_unit(unit[0], sizeof unit[0], "249");
	cost_crowd_unit(unit[1], sizeof unit[1], "");
	cost_crowd_unit(unit[2], sizeof unit[2], "249 and more of it");
	cost_crowd_unit(unit[3], sizeof unit[3], NULL);
	for (unsigned i = 0; i < sizeof unit / sizeof *unit; i++) {
		const struct cost_shape shape = { names[i], "", unit[i], NULL, "", false };
		check_bounded(&cost_crowd, &shape, COST_FAST, MOST);
	}
}

/* What waits in TX is moved again for each byte that leaves, while an answer waits for room. */
static void check_slow_wire(void)
{
	enum { MOST = 700, MOST_FOR_TX = 1 };
	static const struct cost_shape requests = { "requests on a slow wire", "", "{'jsonrpc':'2.0','id':#,'method':'ok'}\n", NULL, "", false };
	for (quash_size tx = 64; tx <= 1024; tx = (quash_size)(tx * 4)) {
		struct cost_setup setup = cost_plain[0];
		setup.tx = tx;
		check_bounded(&setup, &requests, 1, MOST + (double)tx * MOST_FOR_TX);
	}
}

void cost_of_crowds(void)
{
	check_names();
	check_slow_wire();
}
