/* SPDX-License-Identifier: MIT
 * STUB: no header of newlib. It states what port/esp-idf uses of one, for compilers that have no C library here. */
#ifndef STATED_UNISTD_H
#define STATED_UNISTD_H

#include <sys/types.h>

int close(int fd);
ssize_t read(int fd, void *bytes, size_t n);
ssize_t write(int fd, const void *bytes, size_t n);

#endif
