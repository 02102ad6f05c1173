/* SPDX-License-Identifier: MIT
 * What clang calls by itself on Arm, for a link without any library. */
#include <stddef.h>

void __aeabi_memcpy(unsigned char *to, const unsigned char *from, size_t n);
void __aeabi_memcpy4(unsigned char *to, const unsigned char *from, size_t n);
void __aeabi_memclr4(unsigned char *to, size_t n);

void __aeabi_memcpy(unsigned char *to, const unsigned char *from, size_t n)
{
	for (volatile size_t i = 0; i < n; i++)
		to[i] = from[i];
}

void __aeabi_memcpy4(unsigned char *to, const unsigned char *from, size_t n)
{
	__aeabi_memcpy(to, from, n);
}

void __aeabi_memclr4(unsigned char *to, size_t n)
{
	for (volatile size_t i = 0; i < n; i++)
		to[i] = 0;
}
