/* SPDX-License-Identifier: MIT
 * The compiler comes without a C library. */
#ifndef UNIT_SETJMP_H
#define UNIT_SETJMP_H

#include <stdint.h>

typedef uint32_t jmp_buf[14]; /* ra, sp, s0 to s11 */

int setjmp(jmp_buf place) __attribute__((returns_twice));
void longjmp(jmp_buf place, int value) __attribute__((noreturn));

#endif
