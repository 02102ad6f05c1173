/* SPDX-License-Identifier: MIT
 * STUB: no header of newlib. It states what port/esp-idf uses of one, for compilers that have no C library here. */
#ifndef STATED_FCNTL_H
#define STATED_FCNTL_H

#define F_SETFL    4
#define O_NONBLOCK 0x4000

int fcntl(int fd, int command, ...);

#endif
