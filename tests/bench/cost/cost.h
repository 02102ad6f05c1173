/* SPDX-License-Identifier: MIT
 * What the library costs, counted and not timed: basic blocks of its code that were executed, and calls of put functions. Both are
 * the same in every run. */
#ifndef COST_H
#define COST_H

#include "quash.h"

/* --- The counter: counter.c. The library is compiled with -fsanitize-coverage=trace-pc, the tests are not */

/* Blocks executed so far. */
extern uint64_t cost_blocks;

/* Functions called so far, where they are compiled with -finstrument-functions. */
extern uint64_t cost_calls;

/* Is shown each of them; or NULL. */
extern void (*cost_enters)(void *function);

/* --- What is checked: check.c */

/* Counts a test. One that fails prints a line, as does each if `--loud` was given. Returns `good`. */
bool cost_check(bool good, const char *format, ...);

/* True if `--loud` was given. */
extern bool cost_loud;

/* One point of a line: so many blocks for so many bytes of input. */
struct cost_point {
	uint64_t blocks;
	size_t n;
	size_t moved;  /* the output's with them */
	size_t rounds; /* pumps, each with its step */
};

enum { COST_POINTS = 4, COST_MOST_BYTES = 65536 };

/* `--full` was given: input in pieces to 64 KiB, else to 16, byte by byte to 8, and none of 16 bytes. */
extern bool cost_full;

/* True if four times the length costs at most 4.4 times as much: what a byte costs between the third point and the last is what it
 * costs between the second and the third, whatever is begun or full before. */
bool cost_is_linear(const struct cost_point points[COST_POINTS]);

/* One test: it is linear, and at no length costs more than so many blocks for each byte that is moved, and so many for each round with
 * so many slots. */
void cost_check_line(const struct cost_point points[COST_POINTS], uint8_t slots, const char *what, const char *of, size_t cut);

/* --- The groups of tests */

void cost_of_input(void);
void cost_of_values(void);
void cost_of_passes(void);
void cost_of_lists(void);
void cost_of_peers(void);
void cost_of_known(void);
void cost_of_bridge(void);
void cost_of_crowds(void);

#endif
