/* SPDX-License-Identifier: MIT
 * sim [--seeds N | --seconds S] [--first SEED] [--rule RULE]
 * sim --seed SEED | --replay HEX [--loud]
 * sim --bytes SEED
 *
 * Runs seeds, each whole and byte by byte, for so many seconds of the processor. The first that fails is shrunk to the shortest bytes that fail by the same rule;
 * these are printed, and replay the failure on any machine; exit code 1 then. With --rule only failures by that rule count,
 * or those that begin as it does ("rest: input"), and the first is shown with its seed, not shrunk. --replay and --seed run once, and --loud shows what happens. --bytes prints
 * what a seed stands for. */
#define _DEFAULT_SOURCE /* mmap */
#include "sim.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void show(const char *format, ...)
{
	va_list list;
	if (!sim.loud)
		return;
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	fflush(stdout);
}

struct verdict {
	uint32_t seed; /* under way */
	uint32_t digest;
	char rule[32]; /* "" as long as all holds */
	char text[400];
};

static struct verdict *shared;

static void note(const char *rule, const char *text)
{
	snprintf(shared->rule, sizeof shared->rule, "%s", rule);
	snprintf(shared->text, sizeof shared->text, "%s", text);
}

/* Both ways of cutting. False, and noted, when something does not hold. */
static bool run(const uint8_t *bytes, size_t length)
{
	if (!sim_run(bytes, length, false)) {
		note(failure_rule, failure_text);
		return false;
	}
	const uint32_t digest = sim.digest;
	shared->digest = digest;
	if (!sim_run(bytes, length, true)) {
		note(failure_rule, failure_text);
		return false;
	}
	if (sim.digest != digest) {
		note("cuts", "the output depends on how the input is cut");
		return false;
	}
	return true;
}

/* Seconds of the processor that the runs have taken: a crowded machine runs as many seeds in them, later. */
static time_t taken(void)
{
	struct rusage runs;
	getrusage(RUSAGE_CHILDREN, &runs);
	return runs.ru_utime.tv_sec + runs.ru_stime.tv_sec;
}

/* In a process of its own, which may crash. */
static bool survives(const uint8_t *bytes, size_t length)
{
	int status;
	shared->rule[0] = '\0';
	fflush(stdout);
	const pid_t child = fork();
	if (child == 0) {
		static const struct rlimit seconds = { 3, 3 };
		setrlimit(RLIMIT_CPU, &seconds);
		const bool good = run(bytes, length);
		fflush(stdout);
		_exit(good ? 0 : 1);
	}
	waitpid(child, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	if (shared->rule[0] == '\0')
		note("crash", "the program has crashed or hangs");
	return false;
}

/* --- Shrinking */

static char wanted_rule[32];
static time_t shrink_until;

static bool still_fails(const uint8_t *bytes, size_t length)
{
	return taken() < shrink_until && !survives(bytes, length) && strcmp(shared->rule, wanted_rule) == 0;
}

static size_t cut_out(uint8_t *bytes, size_t length, size_t chunk)
{
	static uint8_t tried[CHOICES];
	for (size_t at = 0; at + chunk <= length;) {
		memcpy(tried, bytes, at);
		memcpy(tried + at, bytes + at + chunk, length - at - chunk);
		if (still_fails(tried, length - chunk)) {
			length -= chunk;
			memcpy(bytes, tried, length);
		} else {
			at += chunk > 1 ? chunk / 2 : 1;
		}
	}
	return length;
}

static void lower(uint8_t *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		const uint8_t before = bytes[i];
		static const uint8_t smaller[] = { 0, 1, 2, 4 };
		for (size_t k = 0; k < sizeof smaller && smaller[k] < before; k++) {
			bytes[i] = smaller[k];
			if (still_fails(bytes, length))
				break;
			bytes[i] = before;
		}
	}
}

static size_t shrink(uint8_t *bytes, size_t length)
{
	size_t before;
	shrink_until = taken() + 60;
	snprintf(wanted_rule, sizeof wanted_rule, "%s", shared->rule);
	do {
		before = length;
		for (size_t chunk = length / 2; chunk > 0; chunk /= 2)
			length = cut_out(bytes, length, chunk);
		lower(bytes, length);
	} while (length < before);
	(void)survives(bytes, length);
	return length;
}

static void print_bytes(const uint8_t *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		printf("%02x", bytes[i]);
	printf("\n");
}

static int report(uint8_t *bytes, size_t length)
{
	printf("FAIL seed %u: %s: %s\n", (unsigned)shared->seed, shared->rule, shared->text);
	length = shrink(bytes, length);
	printf("shrunk to %zu bytes: %s: %s\n", length, shared->rule, shared->text);
	printf("replay: ");
	print_bytes(bytes, length);
	return 1;
}

/* --- Seeds */

/* Whether what was noted is a failure by that rule: `rule` is a word, or the beginning of "word: text". */
static bool counts(const char *rule)
{
	char noted[sizeof shared->rule + sizeof shared->text + 3];
	snprintf(noted, sizeof noted, "%s: %s", shared->rule, shared->text);
	return rule == NULL || strcmp(shared->rule, rule) == 0 ||
		(strchr(rule, ':') != NULL && strncmp(noted, rule, strlen(rule)) == 0);
}

/* A process for many seeds. False when one of them fails. */
static bool run_seeds(uint32_t from, uint32_t to, const char *rule)
{
	static uint8_t bytes[CHOICES];
	int status;
	shared->rule[0] = '\0';
	const pid_t child = fork();
	if (child == 0) {
		static const struct itimerval most = { .it_value = { .tv_sec = 20 } }; /* of the processor */
		for (uint32_t seed = from; seed < to; seed++) {
			shared->seed = seed;
			shared->rule[0] = '\0';
			(void)setitimer(ITIMER_PROF, &most, NULL);
			if (!run(bytes, choice_seed(seed, bytes)) && counts(rule))
				_exit(1);
		}
		_exit(0);
	}
	waitpid(child, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	if (shared->rule[0] == '\0')
		note("crash", "the program has crashed or hangs");
	return false;
}

/* Up to the next crash or failure that counts; `from` is where to go on. */
static bool find(uint32_t *from, uint32_t to, const char *rule)
{
	while (*from < to) {
		if (run_seeds(*from, to, rule)) {
			*from = to;
			return false;
		}
		*from = shared->seed + 1;
		if (counts(rule))
			return true;
	}
	return false;
}

static int seeds(uint32_t first, uint32_t count, unsigned seconds, const char *rule)
{
	static uint8_t bytes[CHOICES];
	uint32_t at = first;
	const uint32_t end = first + count;
	while (at < end && (seconds == 0 || taken() < (time_t)seconds)) {
		if (!find(&at, end - at < 500 ? end : at + 500, rule))
			continue;
		if (rule == NULL)
			return report(bytes, choice_seed(shared->seed, bytes));
		printf("FAIL seed %u: %s: %s\n", (unsigned)shared->seed, shared->rule, shared->text);
		return 1;
	}
	printf("seeds %u to %u hold\n", (unsigned)first, (unsigned)(at - 1));
	return 0;
}

static size_t from_hex(const char *text, uint8_t *bytes)
{
	size_t n = 0;
	for (unsigned byte; n < CHOICES && sscanf(text + 2 * n, "%2x", &byte) == 1; n++)
		bytes[n] = (uint8_t)byte;
	return n;
}

static int one(const uint8_t *bytes, size_t length)
{
	const bool good = survives(bytes, length);
	if (good)
		printf("ok, digest %08x\n", (unsigned)shared->digest);
	else
		printf("FAIL: %s: %s\n", shared->rule, shared->text);
	return good ? 0 : 1;
}

int main(int argc, char **argv)
{
	static uint8_t bytes[CHOICES];
	uint32_t first = 1, count = 1000;
	unsigned seconds = 0;
	const char *replay = NULL, *rule = NULL;
	bool single = false, print = false;
	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANON, -1, 0);
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--loud") == 0)
			sim.loud = true;
		else if (i + 1 >= argc)
			return 2;
		else if (strcmp(argv[i], "--seeds") == 0)
			count = (uint32_t)strtoul(argv[++i], NULL, 10);
		else if (strcmp(argv[i], "--first") == 0)
			first = (uint32_t)strtoul(argv[++i], NULL, 10);
		else if (strcmp(argv[i], "--seconds") == 0)
			seconds = (unsigned)strtoul(argv[++i], NULL, 10), count = 0x7FFFFFF;
		else if (strcmp(argv[i], "--seed") == 0)
			first = (uint32_t)strtoul(argv[++i], NULL, 10), single = true;
		else if (strcmp(argv[i], "--bytes") == 0)
			first = (uint32_t)strtoul(argv[++i], NULL, 10), print = true;
		else if (strcmp(argv[i], "--rule") == 0)
			rule = argv[++i];
		else if (strcmp(argv[i], "--replay") == 0)
			replay = argv[++i];
		else
			return 2;
	}
	if (print) {
		print_bytes(bytes, choice_seed(first, bytes));
		return 0;
	}
	if (replay != NULL)
		return one(bytes, from_hex(replay, bytes));
	if (single)
		return one(bytes, choice_seed(first, bytes));
	return seeds(first, count, seconds, rule);
}
