/* SPDX-License-Identifier: MIT
 * The faults. */
#ifndef SAFE_FAULTS_H
#define SAFE_FAULTS_H

#include "rig.h"

/** When it happens. */
enum fault_time {
	FAULT_MOVING, /* while the motor moves */
	FAULT_SOON,   /* or before: what it needs is there at once */
	FAULT_FIRST   /* it is prepared before the client's first byte has passed */
};

/** A kind of fault. */
struct fault {
	const char *name;
	unsigned ways;     /* in which it can happen: WAY_... */
	unsigned habits;   /* that the client needs for it */
	const char *limit; /* option of the bridge, or NULL */
	enum fault_time time;
	/** Lets it happen.
	 *
	 * @return the moment of the fault: after it nothing of a living client can have passed */
	int64_t (*strike)(struct rig *rig);
};

enum { FAULT_KINDS = 23 };

extern const struct fault faults[FAULT_KINDS];

#endif
