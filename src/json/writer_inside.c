/* SPDX-License-Identifier: MIT
 * Texts inside of a text: one value at a place where another writer goes on. */
#include "writer.h"

#include "../../include/quash/why.h"

/* The comma stays expected: it is put with the value. */
static uint8_t fix_floor(quash_writer *w, uint8_t quoted)
{
	const uint8_t floor = w->place.floor;
	w->place.floor = (uint8_t)(w->place.depth << 1 | quoted);
	w->place.expects = (uint8_t)(EXPECT_VALUE | (w->place.expects & EXPECT_COMMA));
	return floor;
}

uint8_t quash_place_enter(quash_writer *w)
{
	return fix_floor(w, 0);
}

void quash_place_leave(quash_writer *w, uint8_t floor)
{
	quash_put_ends(w);
	w->place.floor = floor;
	quash_place_value(w);
}

static bool is_quoted(const quash_writer *w)
{
	return (w->place.floor & 1u) != 0;
}

/* Down to the floor. */
void quash_put_ends(quash_writer *w)
{
	if (quash_writer_is_due(w))
		quash_put_null(w);
	while ((w->place.expects & EXPECT_END) != 0)
		quash_put_end(w);
	if (w->place.expects != EXPECT_NOTHING || is_quoted(w))
		quash_writer_misuse(w, QUASH_WHY_UNBALANCED);
}

/* JSON inside of JSON inside of JSON would need two more escapes. */
void quash_put_quote_open(quash_writer *w)
{
	quash_put_comma(w);
	if (w->place.quote != 0)
		quash_writer_misuse(w, QUASH_WHY_UNBALANCED);
	quash_put_byte(w, '"');
	w->place.expects = EXPECT_NOTHING;
	w->place.quote = (uint8_t)(fix_floor(w, 1) + 1);
}

void quash_put_quote_close(quash_writer *w)
{
	if (!is_quoted(w))
		quash_writer_misuse(w, QUASH_WHY_UNBALANCED);
	w->place.floor &= 0xFE;
	quash_put_ends(w);
	w->place.floor = (uint8_t)(w->place.quote - 1);
	w->place.quote = 0;
	quash_put_byte(w, '"');
	quash_place_value(w);
}
