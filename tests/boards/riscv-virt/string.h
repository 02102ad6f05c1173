/* SPDX-License-Identifier: MIT
 * What the unit tests use of it, for a compiler without a C library. */
#ifndef UNIT_STRING_H
#define UNIT_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memset(void *to, int value, size_t n);
void *memmove(void *to, const void *from, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
char *strcpy(char *restrict to, const char *restrict from);
char *strncpy(char *restrict to, const char *restrict from, size_t n);
char *strcat(char *restrict to, const char *restrict from);
char *strncat(char *restrict to, const char *restrict from, size_t n);
char *strchr(const char *text, int c);
size_t strcspn(const char *text, const char *ends);
size_t strspn(const char *text, const char *of);
char *strstr(const char *text, const char *part);

#endif
