/* SPDX-License-Identifier: MIT
 * turns | turns way | turns calls NUMBER BESIDE
 *
 * What quash-bridge costs, counted and not timed: calls of functions and basic blocks, its own and the library's. With `way` each function
 * that a call enters is a line. With `calls` it does nothing else, for callgrind: so many calls beside so many clients. */
#include "turns.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the bridge must not exceed: calls of functions in an idle turn, and in a call of a tool; how much more that may cost beside idle
 * clients, in tenths; how often a line is read, in hundredths, and copied. */
enum { MOST_IDLE = 500, MOST_CALLS = 9000, MOST_TENTHS = 13, MOST_PASSES = 200, MOST_COPIES = 4 };

struct cost {
	uint64_t calls, blocks;
};

static long next_id = 2;

static void call_once(void)
{
	const char *const heard = called(&clients[0], next_id++);
	if (heard == NULL || strstr(heard, "\"content\"") == NULL)
		fail("a call is not answered");
}

/* From the call until the bridge rests; of the second of two, when all is known that is learned once. */
static struct cost cost_of_call(void)
{
	call_once();
	const struct cost before = { cost_calls, cost_blocks };
	call_once();
	return (struct cost){ cost_calls - before.calls, cost_blocks - before.blocks };
}

/* --- Checks */

static void check_most(uint64_t is, uint64_t most, const char *format)
{
	char sentence[200];
	(void)snprintf(sentence, sizeof sentence, format, (unsigned long)is, (unsigned long)most);
	check(is > 0 && is <= most, sentence);
}

static void check_line(void)
{
	check_most(line_passes(), MOST_PASSES, "a client's line passes the lexer %lu hundredths of a time, at most %lu");
	check_most(line_copies(), MOST_COPIES, "it stands in %lu places of the bridge when the device has got it, at most %lu");
}

static void check_crowd(uint64_t alone)
{
	char sentence[200];
	connect_clients(CLIENTS);
	const uint64_t beside = cost_of_call().blocks;
	(void)snprintf(sentence, sizeof sentence, "a call beside %u idle clients takes %lu blocks, at most %u tenths of the %lu of one alone",
		(unsigned)CLIENTS - 1, (unsigned long)beside, (unsigned)MOST_TENTHS, (unsigned long)alone);
	check(alone > 0 && beside * 10 <= alone * MOST_TENTHS, sentence);
	now_ms += FOREVER;
	shell_turn(&shell);
	unacknowledged = 8;
	check(cost_of_call().blocks > 0 && unacknowledged < 8, "who was idle for a minute is not gone because he has not acknowledged an answer yet");
}

static void check_costs(void)
{
	connect_clients(1);
	const struct cost alone = cost_of_call();
	const uint64_t before = cost_calls;
	shell_turn(&shell);
	check_most(cost_calls - before, MOST_IDLE, "an idle turn with one client and one device calls %lu functions, at most %lu");
	check_most(alone.calls, MOST_CALLS, "a call there and back, until the bridge rests, calls %lu functions, at most %lu");
	check_line();
	check_crowd(alone.blocks);
}

/* --- The way */

int main(int argc, char **argv);

static void print_function(void *function)
{
	printf("1 %lx\n", (unsigned long)((uintptr_t)function - (uintptr_t)main));
}

static int print_way(void)
{
	connect_clients(1);
	call_once();
	cost_enters = print_function;
	call_once();
	cost_enters = NULL;
	return 0;
}

/* --- For callgrind */

static int do_calls(int number, int beside)
{
	connect_clients(1 + (unsigned)beside);
	for (int i = 0; i < number; i++)
		call_once();
	return 0;
}

int main(int argc, char **argv)
{
	start_bridge();
	if (argc == 2 && strcmp(argv[1], "way") == 0)
		return print_way();
	if (argc == 4 && strcmp(argv[1], "calls") == 0)
		return do_calls(atoi(argv[2]), atoi(argv[3]));
	check_costs();
	return check_end();
}
