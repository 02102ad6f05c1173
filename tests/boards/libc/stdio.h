/* SPDX-License-Identifier: MIT
 * What the unit tests use of it, the same on every board: %c %d %u %x %X %s with width, precision, `0`, `l`, `ll`, `z`;
 * %g shows the bits of the double. */
#ifndef UNIT_STDIO_H
#define UNIT_STDIO_H

#include <stdarg.h>
#include <stddef.h>

int snprintf(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int vsnprintf(char *text, size_t size, const char *format, va_list list);
int sprintf(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
int sscanf(const char *text, const char *format, ...); /* %u alone */

#endif
