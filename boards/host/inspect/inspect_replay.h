/* SPDX-License-Identifier: MIT
 * Plays a record of quash-bridge against a device: see docs/inspect.md. */
#ifndef INSPECT_REPLAY_H
#define INSPECT_REPLAY_H

#include "inspect_options.h"

/* Sends what was sent, compares what comes back, shows the differences. Returns the exit code. */
int replay(struct inspect_options *options);

#endif
