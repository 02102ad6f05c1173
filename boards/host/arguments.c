/* SPDX-License-Identifier: MIT */
#include "arguments.h"

#include <stdio.h>
#include <string.h>

/* Where the number ends; NULL: there is none, or it is too large. */
static const char *read_digits(const char *text, uint32_t *number)
{
	const uint32_t most = INT32_MAX;
	uint32_t value = 0;
	if (*text < '0' || *text > '9')
		return NULL;
	for (; *text >= '0' && *text <= '9'; text++) {
		const uint32_t digit = (uint32_t)(*text - '0');
		if (value > (most - digit) / 10)
			return NULL;
		value = value * 10 + digit;
	}
	*number = value;
	return text;
}

bool argument_number(const char *text, uint32_t *number)
{
	const char *const end = read_digits(text, number);
	return end != NULL && *end == '\0';
}

/* 0: it is no unit. */
static uint32_t unit_of(const char *name, uint32_t usual)
{
	if (*name == '\0')
		return usual;
	if (strcmp(name, "ms") == 0)
		return 1;
	if (strcmp(name, "s") == 0)
		return 1000;
	return strcmp(name, "m") == 0 ? 60000 : 0;
}

bool argument_time(const char *text, uint32_t usual, uint32_t *ms)
{
	uint32_t number;
	const char *const name = read_digits(text, &number);
	const uint32_t unit = name != NULL ? unit_of(name, usual) : 0;
	if (unit == 0 || number > INT32_MAX / unit)
		return false;
	*ms = number * unit;
	return true;
}

bool argument_line(const char *path, char *line, size_t size)
{
	FILE *const file = fopen(path, "re");
	if (file == NULL)
		return false;
	const bool read = fgets(line, (int)size, file) != NULL;
	fclose(file);
	const size_t length = read ? strcspn(line, "\r\n") : 0;
	const bool whole = length > 0 && length < size - 1;
	line[whole ? length : 0] = '\0';
	return whole;
}
