/* SPDX-License-Identifier: MIT
 * Paths as text, by the rules of a system. Texts that are returned are the caller's to free; NULL: no memory. */
#ifndef BRIDGE_PATH_H
#define BRIDGE_PATH_H

#include "bridge_system.h"

/** Whether it leads to the same place from everywhere. */
bool path_is_whole(const char *path, enum host_system system);

/** Writes the folder that it lies in. False: it names none, or is too long. */
bool path_folder(const char *path, char folder[FILE_PATH]);

/** A path within a folder. */
char *path_join(const char *folder, const char *path);

/** The path from the root on. Links and `..` stay; NULL as well: there is no working folder. */
char *path_whole(const char *path);

/** A program by its name, or a path, as the system would start it: its whole path, or NULL when it is none. */
char *path_of_program(const char *name);

#endif
