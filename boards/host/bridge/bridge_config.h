/* SPDX-License-Identifier: MIT
 * `--print-config HOST`: what to paste into the settings of an editor or a desktop client. */
#ifndef BRIDGE_CONFIG_H
#define BRIDGE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** Prints the block that makes a host start this very command line, as a server named `device`. It is JSON, TOML or Lua,
 * as the host wants it, and nothing else is printed.
 *
 * @param to         where to; whether it took the bytes is the caller's to ask
 * @param host       one of `bridge_config_hosts`
 * @param program    how the program was called: a path, or a name that PATH leads to. Its absolute path is printed, and
 *                   links on the way stay links
 * @param arguments  those after the program, in UTF-8, without `--print-config HOST`
 * @param count      how many these are
 * @return           false, and nothing is printed, when the host is unknown */
bool bridge_print_config(FILE *to, const char *host, const char *program, char *const *arguments, size_t count);

/** The file that the block belongs into, for people; NULL when the host is unknown. */
const char *bridge_config_place(const char *host);

/** The names of all hosts, with blanks between them. Not for several threads at once. */
const char *bridge_config_hosts(void);

#endif
