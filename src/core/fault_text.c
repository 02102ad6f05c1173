/* SPDX-License-Identifier: MIT */
#include "../../include/quash/fault.h"

#include "../json/c_text.h"

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
