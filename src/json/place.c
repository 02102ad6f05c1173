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
	const bool expected = (w->place.expects & what) != 0;
	if (!expected)
		quash_writer_misuse(w, QUASH_WHY_UNBALANCED);
	return expected;
}

static void expect_inside(quash_writer *w, uint8_t comma)
{
	const uint8_t what = quash_writer_in_object(w) ? EXPECT_NAME : EXPECT_VALUE;
	w->place.expects = (uint8_t)(what | EXPECT_END | comma);
}

void quash_place_open(quash_writer *w, bool object)
{
	if (w->place.depth >= QUASH_DEPTH)
		quash_writer_misuse(w, QUASH_WHY_PUT_DEEP);
	else
		w->place.depth++;
	w->place.kinds = w->place.kinds << 1 | (object ? 1u : 0u);
	expect_inside(w, 0);
}

void quash_place_close(quash_writer *w)
{
	w->place.kinds >>= 1;
	w->place.depth--;
	quash_place_value(w);
}

void quash_place_value(quash_writer *w)
{
	if (w->place.depth > w->place.floor >> 1)
		expect_inside(w, EXPECT_COMMA);
	else
		w->place.expects = EXPECT_NOTHING;
}
