/* SPDX-License-Identifier: MIT
 * Targets for libFuzzer. Each fuzz_*.c is one: what its data stand for stands at its head.
 *
 *     fuzz.c     the data, and how a run ends that does not hold
 *     watch.c    what must hold of one end of a connection, as seen from the wire
 *     drive.c    a peer in memory that was lent to the byte, its wire, its time, and how it comes to rest
 *     answers.c  what the other side answers
 *     bridge/    the world around quash-bridge */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The data, read from the front. After the last byte all is 0. */
struct bytes {
	const uint8_t *at, *end;
};

uint8_t take(struct bytes *from);
/* A number below `below`, which is 1 to 65536. */
unsigned take_below(struct bytes *from, unsigned below);
/* Up to `n` bytes as they stand; their number is stored. */
const uint8_t *take_run(struct bytes *from, size_t n, size_t *length);
bool is_used_up(const struct bytes *from);

/* Prints what does not hold and crashes, as libFuzzer wants it. */
_Noreturn void broken(const char *rule, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* With FUZZ_LOUD in the environment: shows what happens. */
void show(const char *format, ...) __attribute__((format(printf, 1, 2)));

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
