/* SPDX-License-Identifier: MIT
 * Text by a format, into a buffer: what the engine and what it shares needs of printf, without stdio.
 *
 * %s, %.*s, %c, %%; %d, %u and %x with l, ll or z before the letter, and a width with leading zeros, as in %08lx. Any other
 * format ends the text there. */
#ifndef HOST_FORMAT_H
#define HOST_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/** Writes what fits into `size` bytes, of which there is at least one, and a null byte behind it.
 * @return how many bytes stand before the null byte */
size_t format_text(char *to, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/** The same; `arguments` are to be ended by the caller. */
size_t format_list(char *to, size_t size, const char *format, va_list arguments) __attribute__((format(printf, 3, 0)));

#endif
