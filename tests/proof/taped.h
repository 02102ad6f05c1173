/* SPDX-License-Identifier: MIT
 * Params as the lexer would have stored them, event by event. For a harness that has `arena`, of ARENA bytes. */
#ifndef QUASH_PROOF_TAPED_H
#define QUASH_PROOF_TAPED_H

static quash_tape tape;

static void store(quash_lex_event event)
{
	quash_tape_event(&tape, arena, ARENA, event);
}

static void store_bytes(quash_lex_event kind, const uint8_t *bytes, size_t n)
{
	store(kind);
	quash_tape_text(&tape, arena, ARENA, bytes, n);
	store(QUASH_LEX_END);
}

/* A key, a string or a number. */
static void store_text(quash_lex_event kind, const char *text)
{
	size_t n = 0;
	while (text[n] != '\0')
		n++;
	store_bytes(kind, (const uint8_t *)text, n);
}

#endif
