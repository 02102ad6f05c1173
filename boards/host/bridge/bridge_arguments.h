/* SPDX-License-Identifier: MIT
 * Reads the command line. */
#ifndef BRIDGE_ARGUMENTS_H
#define BRIDGE_ARGUMENTS_H

#include "bridge_options.h"

/** @return -1: go on; else the exit code, and what explains it is printed */
int options_read(struct bridge_options *options, int argc, char **argv);

#endif
