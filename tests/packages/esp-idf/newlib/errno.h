/* SPDX-License-Identifier: MIT
 * STUB: no header of newlib. It states what port/esp-idf uses of one, for compilers that have no C library here. */
#ifndef STATED_ERRNO_H
#define STATED_ERRNO_H

#define EINTR        4
#define EAGAIN       11
#define EWOULDBLOCK  EAGAIN
#define EINVAL       22
#define ECONNABORTED 113

int *__errno(void);
#define errno (*__errno())

#endif
