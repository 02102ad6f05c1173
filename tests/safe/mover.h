/* SPDX-License-Identifier: MIT
 * A device with one motor: an MCP server whose tool `move` turns it for `ms` milliseconds, a step each millisecond. Its
 * `end` hook slows it down for MOVER_RAMP_MS, and then it rests. `turn` does the same, for MOVER_LONGEST_MS at most. */
#ifndef SAFE_MOVER_H
#define SAFE_MOVER_H

#include "quash/port.h"

#ifndef MOVER_LEASE_MS
#define MOVER_LEASE_MS 60
#endif
#ifndef MOVER_RAMP_MS
#define MOVER_RAMP_MS 30
#endif
#ifndef MOVER_LONGEST_MS
#define MOVER_LONGEST_MS 250
#endif
#ifndef MOVER_REPORT_MS
#define MOVER_REPORT_MS 2
#endif
#define MOVER_STEP_MS 1 /* between two steps at full speed */

/* What the motor does: noted where an observer finds it, and that is not the line. */
enum mover_note {
	MOVER_LOOPS = 'L', /* its handler or its hook is called */
	MOVER_STEPS = 'S',
	MOVER_RESTS = 'R',
	MOVER_ENDS = 'E',  /* its hook is done and is called no more */
	MOVER_TAKES = 'T'  /* bytes were taken from its port; noted once in a millisecond */
};

/* Planted defects: a check that never sees one is none. */
enum mover_defect {
	MOVER_SOUND,
	MOVER_IGNORES_LEASE,
	MOVER_LEASES_TWICE, /* as long */
	MOVER_RAMPS_TWICE,  /* as long */
	MOVER_NEVER_RESTS,
	MOVER_STARTS_AGAIN,
	MOVER_IGNORES_LONGEST,
	MOVER_DEFECTS
};

extern const quash_config mover_config;

/* Before the config is used: which defect it has. */
void mover_plant(enum mover_defect defect);

/* The same port, but what is taken from it is noted. One port in a program. */
quash_port mover_watch(quash_port port);

/* Each program that has the motor provides this. `now` are the peer's milliseconds. Returns at once. */
void mover_note(enum mover_note what, uint32_t now);

#endif
