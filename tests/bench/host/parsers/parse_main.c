/* SPDX-License-Identifier: MIT
 * parse_NAME FILE [ROUNDS]
 *
 * Has a parser read each line of a file as a message: once to be warm, then in `measured`, ROUNDS times or once. Prints how many
 * ids and bytes of methods were found, and the nanoseconds of processor of each round. */
#define _GNU_SOURCE 1
#include "parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct total {
	size_t messages, ids, methods;
};

static char *file_text(const char *path, size_t *n)
{
	FILE *const file = fopen(path, "rb");
	if (file == NULL || fseek(file, 0, SEEK_END) != 0)
		return NULL;
	*n = (size_t)ftell(file);
	char *const text = calloc(*n + 1, 1);
	rewind(file);
	if (text != NULL && fread(text, 1, *n, file) != *n)
		return NULL;
	fclose(file);
	return text;
}

static void refuse(size_t message)
{
	fprintf(stderr, "message %zu is refused\n", message);
	exit(1);
}

static struct total read_lines(const char *text, size_t n)
{
	struct total total = { 0, 0, 0 };
	for (const char *line = text, *const end = text + n; line < end; total.messages++) {
		const char *const feed = memchr(line, '\n', (size_t)(end - line));
		const size_t length = (size_t)((feed != NULL ? feed : end) - line);
		struct found found = { false, 0 };
		if (!parse(line, length, &found))
			refuse(total.messages);
		total.ids += found.has_id;
		total.methods += found.method;
		line += length + 1;
	}
	return total;
}

/* What callgrind counts: a function that is seen from outside. */
struct total measured(const char *text, size_t n);
__attribute__((noinline)) struct total measured(const char *text, size_t n)
{
	return read_lines(text, n);
}

static unsigned long long nanoseconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* others use the machine too */
	return (unsigned long long)t.tv_sec * 1000000000u + (unsigned long long)t.tv_nsec;
}

int main(int argc, char **argv)
{
	size_t n = 0;
	char *const text = argc > 1 ? file_text(argv[1], &n) : NULL;
	if (text == NULL) {
		fprintf(stderr, "no file to read\n");
		return 1;
	}
	const struct total total = read_lines(text, n);
	printf("found %zu %zu %zu\nnanoseconds", total.messages, total.ids, total.methods);
	for (int round = argc > 2 ? atoi(argv[2]) : 1; round > 0; round--) {
		const unsigned long long from = nanoseconds();
		(void)measured(text, n);
		printf(" %llu", nanoseconds() - from);
	}
	printf("\n");
	free(text);
	return 0;
}
