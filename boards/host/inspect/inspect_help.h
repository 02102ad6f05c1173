/* SPDX-License-Identifier: MIT
 * What --help prints. */
#ifndef INSPECT_HELP_H
#define INSPECT_HELP_H

void print_help(void);

#endif
