/* SPDX-License-Identifier: MIT
 * Escapes of one letter, for who reads and for who writes. */
#ifndef QUASH_SRC_ESCAPE_H
#define QUASH_SRC_ESCAPE_H

/* What stands behind the backslash for the bytes from \b to \r. JSON has no letter for \v: who searches finds the first n. */
static const char *const quash_escapes = "btnnfr";

#endif
