/* SPDX-License-Identifier: MIT
 * The lexer, fed for ever with anything, in pieces of any length up to that of the array. */
#include "any.h"
#include "quash/lex.h"

enum { LONGEST = 6 };

int main(void)
{
	quash_lex lex;
	quash_lex_init(&lex);
	/*@ widen_hints global:"all", 4, LONGEST; */
	while (any_bool()) {
		uint8_t data[LONGEST];
		bool again;
		size_t at;
		any_bytes(data, sizeof data);
		at = any_size(LONGEST);
		(void)quash_lex_run(&lex, data, LONGEST, &at);
		//@ assert at <= LONGEST;
		//@ assert lex.count <= 4;
		(void)quash_lex_byte(&lex, any_byte(), &again);
		(void)quash_lex_complete(&lex);
		(void)quash_lex_blank(&lex);
		if (any_bool())
			quash_lex_init(&lex);
	}
	return 0;
}
