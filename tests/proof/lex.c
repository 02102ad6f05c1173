/* SPDX-License-Identifier: MIT
 * The lexer, fed for ever with anything, in pieces of any length up to that of the array. */
#include "any.h"
#include "quash/lex.h"

enum { LONGEST = 6, ROOM = 8 };

int main(void)
{
	uint8_t text[ROOM];
	quash_lex lex;
	quash_lex_init(&lex, text, ROOM);
	/*@ widen_hints global:"all", 4, LONGEST, ROOM; */
	while (any_bool()) {
		uint8_t data[LONGEST];
		bool again;
		size_t at;
		any_bytes(data, sizeof data);
		at = any_size(LONGEST);
		//@ split lex.size;
		(void)quash_lex_run(&lex, data, LONGEST, &at);
		//@ assert at <= LONGEST;
		//@ assert lex.length <= ROOM;
		(void)quash_lex_byte(&lex, any_byte(), &again);
		(void)quash_lex_complete(&lex);
		(void)quash_lex_blank_(&lex);
		if (any_bool())
			lex.size = (quash_size)(QUASH_LEX_ROOM + any_size(ROOM - QUASH_LEX_ROOM));
		if (any_bool())
			lex.length = (quash_size)any_size(ROOM);
		//@ merge lex.size;
		if (any_bool())
			quash_lex_init(&lex, text, ROOM);
	}
	return 0;
}
