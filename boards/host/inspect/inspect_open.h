/* SPDX-License-Identifier: MIT
 * The way to an open device: waits for one that another program has locked, and for a connection to be made. */
#ifndef INSPECT_OPEN_H
#define INSPECT_OPEN_H

#include "host_device.h"
#include "inspect_options.h"

/* Opens it. Signals are caught already; one ends the waiting.
 *
 * @return 0; else the exit code, and the reason is noted: then it is not open */
int open_device(struct device *device, const struct options *options);

#endif
