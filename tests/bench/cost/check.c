/* SPDX-License-Identifier: MIT */
#include "cost.h"

#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool cost_loud, cost_full;

bool cost_check(bool good, const char *format, ...)
{
	char sentence[400];
	va_list arguments;
	if (good && !cost_loud)
		return check_quietly(true);
	va_start(arguments, format);
	(void)vsnprintf(sentence, sizeof sentence, format, arguments);
	va_end(arguments);
	return check(good, sentence);
}

/* Between two points. */
static double slope(const struct cost_point *from, const struct cost_point *to)
{
	return ((double)to->blocks - (double)from->blocks) / ((double)to->n - (double)from->n);
}

bool cost_is_linear(const struct cost_point points[COST_POINTS])
{
	return slope(&points[2], &points[3]) <= 1.1 * slope(&points[1], &points[2]);
}

/* What a byte may cost when nothing is known of it: it opens and ends a short value on the tape, which is looked at some times. */
enum { MOST_FOR_BYTE = 160, MOST_FOR_ROUND = 400, MOST_FOR_SLOT = 500 };

static bool is_bounded(const struct cost_point *point, uint8_t slots)
{
	const uint64_t round = MOST_FOR_ROUND + (uint64_t)slots * MOST_FOR_SLOT;
	return point->blocks <= point->moved * (uint64_t)MOST_FOR_BYTE + (point->rounds + 1) * round;
}

void cost_check_line(const struct cost_point points[COST_POINTS], uint8_t slots, const char *what, const char *of, size_t cut)
{
	double each[COST_POINTS];
	bool bounded = true;
	for (unsigned i = 0; i < COST_POINTS; i++) {
		each[i] = (double)points[i].blocks / (double)points[i].moved;
		bounded = bounded && is_bounded(&points[i], slots);
	}
	cost_check(bounded && cost_is_linear(points),
		"%s, %s, in pieces of %zu: from %zu to %zu bytes, blocks for each that is moved: %.1f %.1f %.1f %.1f; for one more of the input: %.1f %.1f %.1f%s",
		what, of, cut, points[0].n, points[3].n, each[0], each[1], each[2], each[3], slope(&points[0], &points[1]),
		slope(&points[1], &points[2]), slope(&points[2], &points[3]), bounded ? "" : "; too many");
}

int main(int count, char **words)
{
	for (int i = 1; i < count; i++) {
		cost_loud = cost_loud || strcmp(words[i], "--loud") == 0;
		cost_full = cost_full || strcmp(words[i], "--full") == 0;
	}
	cost_of_known();
	cost_of_input();
	cost_of_values();
	cost_of_passes();
	cost_of_lists();
	cost_of_peers();
	cost_of_bridge();
	cost_of_crowds();
	return check_end();
}
