/* SPDX-License-Identifier: MIT
 * STUB: no header of newlib. It states what port/esp-idf uses of one, for compilers that have no C library here. */
#ifndef STATED_SYS_TYPES_H
#define STATED_SYS_TYPES_H

#include <stddef.h>

typedef int ssize_t;

#endif
