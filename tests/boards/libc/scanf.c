/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

int sscanf(const char *text, const char *format, ...)
{
	va_list list;
	int found = 0;
	va_start(list, format);
	for (; *format != '\0'; format++) {
		if (format[0] == '%' && format[1] == 'u') {
			if (!digit(*text))
				break;
			*va_arg(list, unsigned *) = (unsigned)strtoul(text, NULL, 10);
			while (digit(*text))
				text++;
			found++;
			format++;
		} else if (*format != *text++) {
			break;
		}
	}
	va_end(list);
	return found;
}
