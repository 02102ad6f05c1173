/* SPDX-License-Identifier: MIT
 * The values of options: numbers, times, and the token in a file. */
#ifndef HOST_ARGUMENTS_H
#define HOST_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A number of at most 2^31 - 1, alone. False for anything else. */
bool argument_number(const char *text, uint32_t *number);

/** `500ms`, `2s`, `5m`; a number alone counts so many milliseconds each. At most 2^31 - 1 ms, as deadlines are. */
bool argument_time(const char *text, uint32_t usual, uint32_t *ms);

/** The first line of a file, without its end. False when it can't be read, is empty, or does not fit. */
bool argument_line(const char *path, char *line, size_t size);

#endif
