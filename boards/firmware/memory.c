/* SPDX-License-Identifier: MIT
 * What compilers call by themselves, for boards whose compiler comes without a C library. */
#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memset(void *to, int value, size_t n);

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
	volatile unsigned char *out = to; /* volatile: no loop may become a call to itself */
	const unsigned char *in = from;
	for (size_t i = 0; i < n; i++)
		out[i] = in[i];
	return to;
}

void *memset(void *to, int value, size_t n)
{
	volatile unsigned char *out = to;
	for (size_t i = 0; i < n; i++)
		out[i] = (unsigned char)value;
	return to;
}
