/* SPDX-License-Identifier: MIT
 * Where the files of hosts are. A place is written as people write it, with `/` between: it begins with `~/`, or with a variable of
 * Windows, `%APPDATA%/`. A name of it that ends with `*` stands for a folder that begins so. */
#ifndef BRIDGE_PLACES_H
#define BRIDGE_PLACES_H

#include "bridge_hosts.h"

/** Finds a host's file on that system: the one that is there, else the one whose folder is, else the last one. `path` is what was looked
 * at, "" when it is not known.
 *
 * @return  NULL, or why none can be chosen */
const char *places_find(const struct settings_host *host, enum host_system system, char path[FILE_PATH]);

/** Prints what a block is pasted into, for people. */
void places_put(FILE *to, const struct settings_host *host, enum host_system system);

/** Whether this program lives in a packaged app of Windows, so that files that it makes under AppData are seen by that app alone: it
 * makes one, and looks for it among those of packaged apps. */
bool places_are_virtual(void);

#endif
