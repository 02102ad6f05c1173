/* SPDX-License-Identifier: MIT */
#include "../../include/quash/fault.h"

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
		"is 0 for what moves something, or too large",
	};
	return (unsigned)reason < QUASH_FAULTS ? texts[reason] : "";
}
