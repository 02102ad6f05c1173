/* SPDX-License-Identifier: MIT
 * Whatever comes in costs in proportion to its length, in whatever pieces it comes. */
#include "served.h"
#include "shapes.h"

static uint8_t text[2 * COST_MOST_BYTES];

/* Pieces of which a pump and a step follow each. */
static const size_t cuts[] = { 1, 16, 64, sizeof text };

/* 1, 4, 16 and 64 KiB; in pieces a quarter of that, byte by byte an eighth. */
static size_t length_of(unsigned point, size_t cut)
{
	const size_t first = cut == sizeof text || cost_full ? 1024 : cut > 1 ? 256 : 128;
	return first << 2 * point;
}

static void count_shape(const struct cost_setup *setup, const struct cost_shape *shape)
{
	for (unsigned c = 0; c < sizeof cuts / sizeof *cuts; c++) {
		if (!cost_full && cuts[c] == 16) /* between two others */
			continue;
		struct cost_point points[COST_POINTS];
		for (unsigned i = 0; i < COST_POINTS; i++) {
			const size_t n = cost_shape_text(shape, setup->dialect, length_of(i, cuts[c]), text, sizeof text);
			const struct cost_run run = cost_serve(setup, text, n, cuts[c]);
			points[i] = (struct cost_point){ run.blocks, n, n + run.written, run.rounds };
		}
		cost_check_line(points, setup->slots, setup->name, shape->name, cuts[c]);
	}
}

static void count_shapes(const struct cost_setup *setup, const struct cost_shape *shapes, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		count_shape(setup, &shapes[i]);
}

void cost_of_input(void)
{
	for (unsigned i = 0; i < cost_plain_count; i++) {
		count_shapes(&cost_plain[i], cost_shapes, cost_shape_count);
		count_shapes(&cost_plain[i], cost_raw_shapes, cost_raw_shape_count);
	}
	for (unsigned i = 0; i < sizeof cost_mcp / sizeof *cost_mcp; i++)
		count_shapes(&cost_mcp[i], cost_mcp_shapes, cost_mcp_shape_count);
}
