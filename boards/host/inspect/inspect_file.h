/* SPDX-License-Identifier: MIT
 * The files that the command line names. */
#ifndef INSPECT_FILE_H
#define INSPECT_FILE_H

#include <stddef.h>

/* Reads all of a file, or of what a pipe still has.
 *
 * @param bytes   NULL before; free it in any case. Behind them stands a NUL
 * @param length  0 before
 * @return        NULL, or what is wrong, in words */
const char *read_file(const char *path, char **bytes, size_t *length);

#endif
