/* SPDX-License-Identifier: MIT */
#include "values.h"

#include "json/tape.h"
#include "json/value.h"
#include "json/writer.h"
#include "quash/why.h"

static uint8_t arena[UNIT_VALUE];
static uint8_t buffer[UNIT_VALUE];
static quash_writer writer;

static void replace(char *text, char from, char to)
{
	while ((text = strchr(text, from)) != NULL)
		*text++ = to;
}

static void put_on_tape(quash_tape *tape, const char *text)
{
	const size_t n = strlen(text);
	uint8_t piece[32];
	quash_lex lex;
	quash_lex_event event;
	size_t at = 0;
	quash_lex_init(&lex, piece, sizeof piece);
	do {
		event = quash_lex_run(&lex, (const uint8_t *)text, n, &at);
		assert_int_not_equal(event, QUASH_LEX_ERROR);
		if (event == QUASH_LEX_TEXT || event == QUASH_LEX_END) {
			quash_tape_text(tape, arena, sizeof arena, piece, lex.length);
			lex.length = 0;
		}
		if (event != QUASH_LEX_TEXT && event != QUASH_LEX_MORE)
			quash_tape_event(tape, arena, sizeof arena, event);
	} while (event != QUASH_LEX_MORE);
	assert_true(quash_lex_complete(&lex));
}

quash_value value_of(const char *json)
{
	static char text[UNIT_VALUE];
	static const quash_size start = 7; /* anywhere in the arena */
	quash_tape tape;
	assert_room(strlen(json) < sizeof text - 1);
	strcpy(text, json);
	strcat(text, " "); /* ends a number */
	replace(text, '\'', '"');
	memset(arena, 0xA5, sizeof arena);
	quash_tape_begin(&tape, start);
	put_on_tape(&tape, text);
	assert_room(quash_tape_whole(&tape));
	return quash_value_of(arena, sizeof arena, start, tape.length);
}

quash_writer *fresh_writer(void)
{
	static const quash_writer fresh = { .buffer = buffer, .size = sizeof buffer - 1 };
	writer = fresh;
	quash_place_begin(&writer.place);
	return &writer;
}

const char *was_written(void)
{
	assert_int_equal(writer.place.depth, 0);
	assert_int_equal(writer.why, QUASH_WHY_NONE);
	assert_false(writer.full);
	buffer[writer.at] = '\0';
	replace((char *)buffer, '"', '\'');
	return (const char *)buffer;
}

const char *json_of(quash_value value)
{
	quash_put_value(fresh_writer(), value);
	return was_written();
}
