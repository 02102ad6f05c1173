/* SPDX-License-Identifier: MIT
 * No header of Zephyr: it states what the test of port/zephyr uses of ztest, and runs the tests of one suite in the order of
 * their names, as ztest does. */
#ifndef ZEPHYR_STATED_ZTEST_H
#define ZEPHYR_STATED_ZTEST_H

#include <stdbool.h>
#include <string.h>

struct stated_suite {
	const char *name;
	void *(*set_up)(void);
};

extern const struct stated_suite stated_suite;

void stated_test(const char *name, void (*test)(void));
void stated_verdict(bool holds, const char *where, const char *format, ...) __attribute__((format(printf, 3, 4)));

#define ZTEST_SUITE(suite, predicate, set_up, before, after, teardown) \
	const struct stated_suite stated_suite = { #suite, (set_up) }; \
	_Static_assert((predicate) == NULL && (before) == NULL && (after) == NULL && (teardown) == NULL, "the stub has no more")
#define ZTEST(suite, test) \
	static void test(void); \
	__attribute__((constructor)) static void register_##test(void) { stated_test(#test, test); } \
	static void test(void)

#define zassert_true(condition, ...)  do { if (!(condition)) stated_verdict(false, #condition, __VA_ARGS__); } while (0)
#define zassert_equal(a, b, ...)      zassert_true((a) == (b), __VA_ARGS__)

#endif
