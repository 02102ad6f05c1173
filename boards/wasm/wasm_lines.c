/* SPDX-License-Identifier: MIT */
#include "wasm_lines.h"

#include <stdlib.h>

enum { PLACE_BITS = 12, PLACES = 1 << PLACE_BITS, GENERATIONS = 1 << 20 };

static struct place {
	struct bridge_line *line;
	uint32_t generation;
} places[PLACES]; /* the first one stays empty */

static uint32_t number_of_place(const struct place *place)
{
	return place->generation << PLACE_BITS | (uint32_t)(place - places);
}

uint32_t line_number(struct bridge_line *line)
{
	if (line == NULL)
		return 0;
	if (bridge_kept(line) != NULL)
		return number_of_place(bridge_kept(line));
	struct place *place = places + 1;
	while (place < places + PLACES && place->line != NULL)
		place++;
	if (place == places + PLACES)
		return 0;
	place->line = line;
	bridge_keep(line, place);
	return number_of_place(place);
}

static struct place *place_of(uint32_t number)
{
	struct place *const place = &places[number % PLACES];
	return place->line != NULL && number_of_place(place) == number ? place : NULL;
}

struct bridge_line *line_numbered(uint32_t number)
{
	const struct place *const place = place_of(number);
	return place != NULL ? place->line : NULL;
}

struct bridge_line *line_let_go(uint32_t number)
{
	struct place *const place = place_of(number);
	if (place == NULL)
		return NULL;
	struct bridge_line *const line = place->line;
	place->line = NULL;
	place->generation = (place->generation + 1) % GENERATIONS;
	return line;
}
