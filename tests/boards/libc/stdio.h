/* SPDX-License-Identifier: MIT
 * What the unit tests use of it, the same on every board: %c %d %u %x %X %s with width, precision, `0`, `l`, `ll`, `z`;
 * %g shows the bits of the double. There are no files. */
#ifndef UNIT_STDIO_H
#define UNIT_STDIO_H

#include <stdarg.h>
#include <stddef.h>

int snprintf(char *text, size_t size, const char *format, ...);
int vsnprintf(char *text, size_t size, const char *format, va_list list);
int sprintf(char *text, const char *format, ...);
int sscanf(const char *text, const char *format, ...); /* %u alone */

typedef struct unit_file FILE;
FILE *fopen(const char *path, const char *mode);
size_t fread(void *to, size_t size, size_t count, FILE *file);
int fclose(FILE *file);

#endif
