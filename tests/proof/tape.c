/* SPDX-License-Identifier: MIT
 * The tape, told of events in any order and given any text; then values read from an arena in which anything
 * stands, which is more than any tape can hold. */
#include "any.h"
#include "quash/json.h"
#include "json/tape.h"
#include "json/value.h"
#include "json/writer.h"

#ifndef ARENA
#define ARENA 16
#endif

enum { TEXT = 5, TX = 64 };

static uint8_t arena[ARENA];

static void write_tape(void)
{
	quash_tape tape;
	quash_tape_begin(&tape, (quash_size)any_size(ARENA));
	while (any_bool()) {
		uint8_t text[TEXT];
		any_bytes(text, sizeof text);
		if (any_bool())
			quash_tape_event(&tape, arena, ARENA, (quash_lex_event)Frama_C_interval(0, QUASH_LEX_ERROR));
		else if (any_bool())
			quash_tape_text(&tape, arena, ARENA, text, any_size(TEXT));
		else
			quash_tape_took(&tape, ARENA, any_size(ARENA));
		(void)quash_tape_whole(&tape);
		if (any_bool())
			quash_tape_begin(&tape, (quash_size)any_size(ARENA));
	}
}

static void read_text(quash_value v)
{
	const char *text = quash_text(v);
	const size_t length = quash_length(v);
	char c = text[0];
	if (length > 0)
		c = (char)(c ^ text[0]);
	(void)quash_is(v, "name");
	(void)c;
}

static void read_numbers(quash_value v)
{
	int32_t small;
	int64_t large;
	double real;
	(void)quash_int32(v, &small);
	(void)quash_int64(v, &large);
	(void)quash_double(v, &real);
}

static void write_value(quash_value v)
{
	uint8_t tx[TX];
	quash_writer w = { .buffer = tx, .size = TX };
	quash_put_value(&w, v);
}

static void walk(quash_value v)
{
	quash_value cursor = { NULL, 0, 0 }, key, value;
	while (quash_next(v, &cursor, &key, &value)) {
		(void)quash_kind_of(key);
		(void)quash_kind_of(value);
		read_text(value);
	}
	cursor = (quash_value){ NULL, 0, 0 };
	while (quash_next(v, &cursor, NULL, &value))
		read_text(value);
}

static void read_value(quash_value v)
{
	read_text(v);
	read_numbers(v);
	write_value(v);
	walk(v);
	read_text(quash_get(v, "arguments.pin"));
	read_text(quash_get(v, "list.10.name.0"));
	read_text(quash_get(v, ""));
	read_text(quash_get(v, ".."));
}

int main(void)
{
	const quash_value nothing = { NULL, 0, 0 };
	/*@ widen_hints global:"all", TEXT, ARENA; */
	while (any_bool()) {
		write_tape();
		read_value(nothing);
		any_bytes(arena, ARENA);
		read_value(quash_value_of(arena, ARENA, (quash_size)any_size(ARENA), (quash_size)any_size(ARENA)));
	}
	return 0;
}
