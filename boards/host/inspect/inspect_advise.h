/* SPDX-License-Identifier: MIT
 * quash-inspect --advise: see docs/inspect.md. */
#ifndef INSPECT_ADVISE_H
#define INSPECT_ADVISE_H

#include "inspect_options.h"
#include "quash/json.h"

/* Takes the result of the device's `stats`. Returns the exit code. */
int advise_take(quash_value result);

/* Takes a request of ours that the device has answered with an error. */
void advise_refused(const struct options *options, const quash_call *call);

/* True if that was for want of room: which is advice too. */
bool advise_was_refused(void);

/* Reads the files that the command line names, shows what is advised. Returns the exit code; `code` when there is nothing to
 * change. */
int advise(const struct options *options, int code);

#endif
