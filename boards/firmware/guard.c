/* SPDX-License-Identifier: MIT */
#include "guard.h"

#include <stdint.h>

extern volatile uint32_t stack_bottom[]; /* from the linker: after all variables */

static const uint32_t word = 0x5AFE57AC;

void guard_set(void)
{
	*stack_bottom = word;
}

bool guard_holds(void)
{
	return *stack_bottom == word;
}
