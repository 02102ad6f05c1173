/* SPDX-License-Identifier: MIT
 * A word at the end of the stack. Only a stack that has grown too far writes it. */
#ifndef GUARD_H
#define GUARD_H

#include <stdbool.h>

/* Sets the word. First of all in main. */
void guard_set(void);

/* True if it is as it was. The loop asks in each turn; a program whose stack has met its variables must not go on. */
bool guard_holds(void);

#endif
