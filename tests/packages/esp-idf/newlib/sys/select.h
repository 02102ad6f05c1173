/* SPDX-License-Identifier: MIT
 * STUB: no header of newlib. It states what port/esp-idf uses of one, for compilers that have no C library here. */
#ifndef STATED_SYS_SELECT_H
#define STATED_SYS_SELECT_H

struct timeval {
	long long tv_sec;
	long tv_usec;
};

typedef struct fd_set {
	unsigned long bits[2];
} fd_set;

#define FD_ZERO(set)      ((void)((set)->bits[0] = (set)->bits[1] = 0))
#define FD_SET(fd, set)   ((set)->bits[(fd) / 32] |= 1ul << ((fd) % 32))
#define FD_ISSET(fd, set) (((set)->bits[(fd) / 32] >> ((fd) % 32) & 1) != 0)

int select(int count, fd_set *reads, fd_set *writes, fd_set *errors, struct timeval *limit);

#endif
