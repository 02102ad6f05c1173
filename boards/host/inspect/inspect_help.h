/* SPDX-License-Identifier: MIT
 * What --help says. */
#ifndef INSPECT_HELP_H
#define INSPECT_HELP_H

void print_help(void);

#endif
