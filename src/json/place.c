/* SPDX-License-Identifier: MIT
 * The writer's place: what may come next. */
#include "writer.h"

#include "../../include/quash/why.h"

void quash_place_begin(quash_place *place)
{
	place->kinds = 0;
	place->begun_count = 0;
	place->depth = 0;
	place->expects = EXPECT_VALUE;
	place->floor = 0;
	place->quote = 0;
}

bool quash_writer_in_object(const quash_writer *w)
{
	return (w->place.kinds & 1u) != 0;
}

bool quash_writer_is_due(const quash_writer *w)
{
	return (w->place.expects & (EXPECT_VALUE | EXPECT_END)) == EXPECT_VALUE;
}

/* The first misuse is the one to know: others follow from it. */
void quash_writer_misuse(quash_writer *w, uint8_t why)
{
	if (w->why == QUASH_WHY_NONE)
		w->why = why;
}

bool quash_writer_expects(quash_writer *w, uint8_t what)
{
	if ((w->place.expects & what) != 0)
		return true;
	quash_writer_misuse(w, QUASH_WHY_UNBALANCED);
	return false;
}

void quash_place_value(quash_writer *w)
{
	const uint8_t what = quash_writer_in_object(w) ? EXPECT_NAME : EXPECT_VALUE;
	const bool inside = w->place.depth > w->place.floor >> 1;
	w->place.expects = (uint8_t)(inside ? what | EXPECT_END | EXPECT_COMMA : EXPECT_NOTHING);
}
