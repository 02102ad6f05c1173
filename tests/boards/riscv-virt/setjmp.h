/* SPDX-License-Identifier: MIT
 * The compiler's own, for it comes without a C library. */
#ifndef UNIT_SETJMP_H
#define UNIT_SETJMP_H

typedef void *jmp_buf[5];

/* Macros: the compiler's setjmp has to stand in the frame that is to be returned to, and its longjmp knows only 1. */
extern int unit_jump;
#define setjmp(place)         (__builtin_setjmp(place) ? unit_jump : 0)
#define longjmp(place, value) (unit_jump = (value), __builtin_longjmp(place, 1))

#endif
