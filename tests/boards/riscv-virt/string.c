/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <string.h>

void *memmove(void *to, const void *from, size_t n)
{
	volatile unsigned char *out = to; /* volatile: no loop may become a call to itself */
	const unsigned char *in = from;
	if ((uintptr_t)to <= (uintptr_t)from) {
		for (size_t i = 0; i < n; i++)
			out[i] = in[i];
	} else {
		while (n-- > 0)
			out[n] = in[n];
	}
	return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *left = a, *right = b;
	for (size_t i = 0; i < n; i++) {
		if (left[i] != right[i])
			return left[i] < right[i] ? -1 : 1;
	}
	return 0;
}

size_t strlen(const char *text)
{
	const volatile char *end = text;
	while (*end != '\0')
		end++;
	return (size_t)(end - text);
}

int strcmp(const char *a, const char *b)
{
	for (; *a == *b && *a != '\0'; a++)
		b++;
	return (unsigned char)*a - (unsigned char)*b;
}

char *strcpy(char *restrict to, const char *restrict from)
{
	memcpy(to, from, strlen(from) + 1);
	return to;
}

char *strncpy(char *restrict to, const char *restrict from, size_t n)
{
	size_t i = 0;
	for (; i < n && from[i] != '\0'; i++)
		to[i] = from[i];
	for (; i < n; i++)
		to[i] = '\0';
	return to;
}

char *strcat(char *restrict to, const char *restrict from)
{
	strcpy(to + strlen(to), from);
	return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t n)
{
	char *end = to + strlen(to);
	for (; n > 0 && *from != '\0'; n--)
		*end++ = *from++;
	*end = '\0';
	return to;
}

char *strchr(const char *text, int c)
{
	for (; *text != (char)c; text++) {
		if (*text == '\0')
			return NULL;
	}
	return (char *)(uintptr_t)text;
}

size_t strcspn(const char *text, const char *ends)
{
	size_t n = 0;
	while (text[n] != '\0' && strchr(ends, text[n]) == NULL)
		n++;
	return n;
}

size_t strspn(const char *text, const char *of)
{
	size_t n = 0;
	while (text[n] != '\0' && strchr(of, text[n]) != NULL)
		n++;
	return n;
}

char *strstr(const char *text, const char *part)
{
	const size_t n = strlen(part);
	for (size_t left = strlen(text); left >= n; text++, left--) {
		if (memcmp(text, part, n) == 0)
			return (char *)(uintptr_t)text;
	}
	return NULL;
}
