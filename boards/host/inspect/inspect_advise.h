/* SPDX-License-Identifier: MIT
 * quash-inspect --advise: see docs/inspect.md. */
#ifndef INSPECT_ADVISE_H
#define INSPECT_ADVISE_H

#include "inspect_link.h"

/* Takes the result of the device's `stats`, and requests of ours that it has answered with an error. */
extern const struct observer advise_observer;

/* True if one was for want of room: which is advice too. */
bool advise_was_refused(void);

/* Reads the files that the command line names, shows what is advised. Returns the exit code; `code` when there is nothing to
 * change. */
int advise(const struct options *options, int code);

#endif
