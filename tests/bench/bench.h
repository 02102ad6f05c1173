/* SPDX-License-Identifier: MIT
 * A firmware that has its instructions counted: what its parts and each board's counter provide. What it writes is read by
 * count.mjs: a line `row NAME`, then a number for each sample and `answer ANSWER`; `wrong ...` where something is not as it
 * must be; `end`. */
#ifndef BENCH_H
#define BENCH_H

#include "quash.h"

/* --- The counter: counter_*.c */

/* Makes counter and output ready. */
void counter_start(void);

/* A moment, in ticks: count.mjs knows how many make an instruction. The function is also a mark in the program's way, for
 * an emulator that shows each instruction. */
uint32_t counter_now(void);

/* Ticks from one moment to a later one. */
uint32_t counter_between(uint32_t from, uint32_t to);

void counter_put(char c);

/* Ends the emulator where it can be ended from inside. */
void counter_end(void);

/* --- What is written: report.c */

void report_row(const char *what, const char *of);
void report_sample(uint32_t from, uint32_t to);
void report_answer(const uint8_t *text, size_t n);
void report_wrong(const char *what, const char *which);
void report_end(void);

/* --- The messages: messages.c */

typedef struct bench_message {
	const char *name;
	const uint8_t *text; /* a line feed stands after it; on an AVR in the flash */
	const uint8_t *end;
} bench_message;

/* Those that fit into this board's flash, in the order of the files. */
extern const bench_message bench_messages[];
extern const uint8_t bench_message_count;

enum { BENCH_INITIALIZE, BENCH_CALL, BENCH_CANCEL, BENCH_CALL_4K, BENCH_RESULT_64K, BENCH_STREAM };

size_t bench_size(const bench_message *message);

/* `n` bytes of a message, at most BENCH_PIECE: where they stand, or, on an AVR, a copy that stands until the next call. */
const uint8_t *bench_bytes(const uint8_t *text, size_t n);

/* --- What is measured. Each piece of a message is a sample. */

void bench_parts(void); /* those of a board: parts_*.c */

void bench_lexing(void);
void bench_plain(void);
void bench_tools(void);

#endif
