/* SPDX-License-Identifier: MIT */
#include "../json/utf8.h"
#include "../wire/tx.h"
#include "faults.h"

const char *quash_fault_text(quash_fault_reason reason)
{
	static const char *const texts[QUASH_FAULTS] = {
		"",
		"is too small",
		"is too large",
		"is not aligned",
		"is missing",
		"stands twice",
		"is no name",
		"is too long",
		"is served by the dialect itself",
		"do not go together",
		"is needed and not named",
		"has no such value",
		"stands beside what takes its place",
		"needs a group",
		"is another's",
		"lies outside of its struct",
		"leaves no value",
		"is no value of the argument",
		"has no good cancels",
		"has no cancel_id",
		"has codes that are no errors",
		"has batches that are no lines",
		"is missing, though it moves something",
		"is 0, though it moves something",
	};
	return (unsigned)reason < QUASH_FAULTS ? texts[reason] : "";
}

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
	quash_put_fault_line(&w, fault, quash_fault_text(fault->reason));
	const size_t n = whole_length(to, w.at);
	to[n] = '\0';
	return n;
}

void quash_put_fault(quash_writer *w, const quash_fault *fault)
{
	quash_put_string_open(w);
	quash_put_fault_line(w, fault, quash_fault_text(fault->reason));
	quash_put_string_close(w);
}
