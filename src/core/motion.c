/* SPDX-License-Identifier: MIT */
#include "motion.h"

static bool is_wrong(quash_fault *fault, const char *member)
{
	fault->member = member;
	return true;
}

static bool is_too_late(quash_fault *fault, const char *member, uint32_t ms)
{
	if (ms <= INT32_MAX)
		return false;
	fault->is = ms;
	fault->needs = INT32_MAX;
	return is_wrong(fault, member);
}

/* Half of one would move something that nothing brings to rest, or for ever. */
bool quash_is_motion_wrong(const QUASH_FLASH quash_motion *motion, quash_fault *fault)
{
	const bool ends = motion->end != NULL, is_limited = motion->longest != 0;
	if (!ends && !is_limited && motion->lease == 0 && motion->group == NULL)
		return false;
	if (!ends)
		return is_wrong(fault, "motion.end");
	if (!is_limited)
		return is_wrong(fault, "motion.longest");
	return (motion->longest != QUASH_NO_LIMIT && is_too_late(fault, "motion.longest", motion->longest)) ||
		is_too_late(fault, "motion.lease", motion->lease);
}
