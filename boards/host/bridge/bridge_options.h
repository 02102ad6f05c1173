/* SPDX-License-Identifier: MIT
 * Reads the command line. */
#ifndef BRIDGE_OPTIONS_H
#define BRIDGE_OPTIONS_H

#include "bridge.h"

/** @return -1: go on; else the exit code, and what explains it is printed */
int options_read(struct options *options, int argc, char **argv);

#endif
