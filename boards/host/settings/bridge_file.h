/* SPDX-License-Identifier: MIT
 * A file of settings: read whole, replaced at once. */
#ifndef BRIDGE_FILE_H
#define BRIDGE_FILE_H

#include "bridge_system.h"

#include <stdio.h>

enum { FILE_MOST = 16 << 20 };

struct settings_file {
	char path[FILE_PATH]; /**< without links */
	bool there;
	struct file_about about;
	char *text; /**< "" of one that is not there; owned */
};

/** Reads it. NULL, or why it cannot be changed, in words that follow on its path. A folder must be there for it. */
const char *file_read(struct settings_file *file, const char *path);

/** Writes the text in its place, with the same owner and mode. NULL, or what failed; then it is as it was. So it is when another program
 * has changed it since it was read. */
const char *file_replace(const struct settings_file *file, const char *text);

/** Writes `like` to `path`, with its owner and mode, in place of what may be there. */
const char *file_copy(const struct settings_file *like, const char *path);

void file_free(struct settings_file *file);

/** Prints a change as a diff without context. Control characters are escaped. */
void file_show_change(FILE *to, const char *path, const char *before, const char *after);

#endif
