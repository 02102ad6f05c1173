/* SPDX-License-Identifier: MIT
 * Why a member is wrong, which its name shows; and all of it in a line. */
#include "faults.h"

#include "../../include/quash/fault.h"
#include "../json/c_text.h"
#include "../json/rom.h"
#include "../json/utf8.h"
#include "../json/writer.h"
#include "../wire/tx.h"

/* --- Why */

static bool is_table(const quash_fault *fault, const char *table)
{
	return quash_same_text(fault->table, table);
}

static bool is_tool_character(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
		c == '.';
}

/* Tools have fewer characters than others have, and may have no longer name. */
static quash_fault_reason reason_of_tool_name(const char *name)
{
	enum { LONGEST = 128 };
	size_t length = 0;
	while (length <= LONGEST && is_tool_character(quash_rom(&name[length])))
		length++;
	if (length > LONGEST)
		return QUASH_FAULT_LONG;
	return length == 0 || quash_rom(&name[length]) != '\0' ? QUASH_FAULT_NAME : QUASH_FAULT_TWICE;
}

/* Of what has a name that no other has: else it is missing. */
static quash_fault_reason reason_of_name(const quash_fault *fault)
{
	const char *const name = fault->name;
	if (name == NULL ||
		(quash_same_text(fault->member, "name") && (is_table(fault, "modes") || is_table(fault, "resources"))))
		return QUASH_FAULT_MISSING;
	if (is_table(fault, "tools"))
		return reason_of_tool_name(name);
	return quash_rom(name) == '\0' && !is_table(fault, "methods") ? QUASH_FAULT_NAME : QUASH_FAULT_TWICE;
}

/* Why, and the members that are wrong for it; all others are missing. */
static const char reasons[] =
	"\002deadline\0\002token_size\0"
	"\005name\0\005id\0\005uri\0"
	"\011marks\0"
	"\012leases\0\012modern\0\012new_session\0\012calls\0"
	"\013level\0"
	"\014output_schema\0\014resource\0\014suggest\0"
	"\015busy\0"
	"\016QUASH_THE_CONFIG\0\016check\0\016server\0\016dialect\0"
	"\017offset\0"
	"\020min\0"
	"\021fallback\0"
	"\026motion.end\0"
	"\027motion.longest\0";

quash_fault_reason quash_fault_reason_of(const quash_fault *fault)
{
	const char *at = reasons;
	if (fault->needs > 0)
		return fault->is > fault->needs ? QUASH_FAULT_LARGE : QUASH_FAULT_SMALL;
	while (*at != '\0' && !quash_same_text(at + 1, fault->member))
		at += quash_text_length(at) + 1;
	if (*at == '\0')
		return QUASH_FAULT_MISSING;
	const quash_fault_reason reason = (quash_fault_reason)*at;
	return reason == QUASH_FAULT_TWICE ? reason_of_name(fault) : reason;
}

/* --- In words */

/* One after the other: a table of pointers would keep them in programs that have the library in their own unit. */
static const char fault_texts[] = "\0"
	"is too small\0"
	"is too large\0"
	"is not aligned\0"
	"is missing\0"
	"stands twice\0"
	"is no name\0"
	"is too long\0"
	"is served by the dialect itself\0"
	"do not go together\0"
	"is needed and not named\0"
	"has no such value\0"
	"stands beside what takes its place\0"
	"needs a group\0"
	"is another's\0"
	"lies outside of its struct\0"
	"leaves no value\0"
	"is no value of the argument\0"
	"has no good cancels\0"
	"has no cancel_id\0"
	"has codes that are no errors\0"
	"has batches that are no lines\0"
	"is missing, though it moves something\0"
	"is 0 for what moves something\0";

const char *quash_fault_text(quash_fault_reason reason)
{
	return quash_text_at(fault_texts, (unsigned)reason < QUASH_FAULTS ? (unsigned)reason : 0);
}

/* --- In a line */

static void put_part(quash_writer *w, const char *text)
{
	/*@ loop unroll 40; */
	for (size_t i = 0; quash_rom(&text[i]) != '\0'; i++)
		quash_put_escaped(w, (uint8_t)quash_rom(&text[i]));
}

static void put_word(quash_writer *w, const char *word)
{
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
	if (!is_table(fault, "config")) {
		put_fault_number(w, "[", fault->index);
		put_part(w, "]");
	}
	if (fault->name != NULL)
		put_word(w, fault->name);
}

void quash_put_fault_line(quash_writer *w, const quash_fault *fault)
{
	put_fault_place(w, fault);
	put_part(w, ": ");
	put_part(w, fault->member);
	if (fault->needs == 0) {
		put_word(w, quash_fault_text(fault->reason != QUASH_FAULT_NONE ? fault->reason : quash_fault_reason_of(fault)));
		return;
	}
	put_fault_number(w, " ", fault->is);
	put_fault_number(w, fault->is > fault->needs ? ", at most " : ", needs ", fault->needs);
}

/* --- For programs */

/* How much of the text ends with a whole character. */
static size_t whole_length(const char *text, size_t n)
{
	size_t at = n;
	while (at > 0 && ((uint8_t)text[at - 1] & 0xC0) == 0x80)
		at--;
	if (at == 0 || (uint8_t)text[at - 1] < 0x80)
		return n;
	return at - 1 + quash_utf8_length((uint8_t)text[at - 1]) <= n ? n : at - 1;
}

size_t quash_fault_line(const quash_fault *fault, char *to, size_t size)
{
	const size_t most = (quash_size)-1;
	quash_writer w;
	quash_tx_init(&w, (uint8_t *)to, (quash_size)(size - 1 < most ? size - 1 : most));
	quash_put_fault_line(&w, fault);
	const size_t n = whole_length(to, w.at);
	to[n] = '\0';
	return n;
}

void quash_put_fault_(quash_writer *w, const quash_fault *fault)
{
	quash_put_string_open(w);
	quash_put_fault_line(w, fault);
	quash_put_string_close(w);
}
