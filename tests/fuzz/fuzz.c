/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

uint8_t take(struct bytes *from)
{
	return from->at < from->end ? *from->at++ : 0;
}

unsigned take_below(struct bytes *from, unsigned below)
{
	unsigned value = below > 1 ? take(from) : 0;
	if (below > 256)
		value = value * 256 + take(from);
	return value % below;
}

const uint8_t *take_run(struct bytes *from, size_t n, size_t *length)
{
	const uint8_t *const run = from->at;
	const size_t left = (size_t)(from->end - from->at);
	*length = n < left ? n : left;
	from->at += *length;
	return run;
}

bool is_used_up(const struct bytes *from)
{
	return from->at == from->end;
}

void broken(const char *rule, const char *format, ...)
{
	va_list list;
	fprintf(stderr, "FAIL: %s: ", rule);
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	fprintf(stderr, "\n");
	abort();
}

void show(const char *format, ...)
{
	static int loud = -1;
	va_list list;
	if (loud < 0)
		loud = getenv("FUZZ_LOUD") != NULL;
	if (loud == 0)
		return;
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
}
