/* SPDX-License-Identifier: MIT
 * No board but a process: for targets that have a C library and no cmocka. */
#include "unit_board.h"

#include <stdio.h>

unsigned char unit_stack_end[64]; /* nothing grows into it */

void unit_start(void)
{
}

void unit_put(char c)
{
	putchar(c);
}

uint8_t unit_get(void)
{
	return (uint8_t)getchar();
}

void unit_end(void)
{
	fflush(stdout);
}
