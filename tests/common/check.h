/* SPDX-License-Identifier: MIT
 * The checks of a program that is a test: each prints a line, and a last one counts them. It needs no C library: without one
 * the program provides check_print. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <stdbool.h>
#include <stdint.h>

void check_print(const char *text);
void check_print_number(uint32_t number);

/** These words stand before the sentences of all later checks; NULL: none. */
void check_of(const char *subject);

/** Counts a check, and prints whether the sentence is true. Returns `holds`. */
bool check(bool holds, const char *sentence);

/** Counts one without a word. */
bool check_quietly(bool holds);

/** A check of many parts: CHECK prints one that does not hold. Outside of a test that counts too. */
void check_test(const char *sentence, void (*test)(void));
#define CHECK(holds) check_part((holds), #holds, __FILE__, __LINE__)
void check_part(bool holds, const char *text, const char *file, int line);

/** Prints `N passed, N failed, 0 skipped`. Returns the exit code. */
int check_end(void);

#endif
