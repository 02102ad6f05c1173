/* SPDX-License-Identifier: MIT */
#include "faults.h"

#include "../json/c_text.h"
#include "../json/rom.h"
#include "../json/writer.h"

QUASH_OUTLINED bool quash_is_fault(quash_fault *fault, const char *wrong, uint32_t is, uint32_t needs)
{
	fault->reason = (quash_fault_reason)quash_rom(wrong);
	fault->member = wrong + 1;
	fault->is = is;
	fault->needs = needs;
	return true;
}

bool quash_is_state_short(quash_fault *fault, const quash_config *config, uint32_t needs)
{
	return needs > config->state_size && quash_is_fault(fault, IS_SMALL "state_size", config->state_size, needs);
}

/* --- In a line */

static void put_part(quash_writer *w, const char *text)
{
	/*@ loop unroll 40; */
	for (size_t i = 0; quash_rom(&text[i]) != '\0'; i++)
		quash_put_escaped(w, (uint8_t)quash_rom(&text[i]));
}

/* NULL: none. */
static void put_word(quash_writer *w, const char *word)
{
	if (word == NULL)
		return;
	quash_put_byte(w, ' ');
	put_part(w, word);
}

static void put_fault_number(quash_writer *w, const char *before, uint32_t number)
{
	put_part(w, before);
	quash_put_digits(w, number);
}

/* Where it is: the config has no number. */
static void put_fault_place(quash_writer *w, const quash_fault *fault)
{
	put_part(w, fault->table);
	if (!quash_same_text(fault->table, "config")) {
		put_fault_number(w, "[", fault->index);
		put_part(w, "]");
	}
	put_word(w, fault->name);
}

void quash_put_fault_line(quash_writer *w, const quash_fault *fault, const char *words)
{
	put_fault_place(w, fault);
	put_part(w, ": ");
	put_part(w, fault->member);
	if (fault->needs == 0) {
		put_word(w, words);
		return;
	}
	put_fault_number(w, " ", fault->is);
	put_fault_number(w, fault->reason == QUASH_FAULT_LARGE ? ", at most " : ", needs ", fault->needs);
}
