/* SPDX-License-Identifier: MIT
 * What the unit tests use of cmocka, where there is none: the same sources run there. A test ends with its first failure,
 * or where the memory is too small for it. */
#ifndef CMOCKA_H
#define CMOCKA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void unit_function(void **state);
typedef int unit_setup(void **state);

struct CMUnitTest {
	const char *name;
	unit_function *test;
	unit_setup *setup;
};

/* A firmware holds the tests UNIT_FIRST to UNIT_LAST of its file, counted from 0: the others and all that only they
 * need are left out, for what does not fit at once may fit one by one. They share the table's last place. */
#ifndef UNIT_FIRST
#define UNIT_FIRST 0
#define UNIT_LAST  999
#endif
#define UNIT_HERE(n)  ((n) >= UNIT_FIRST && (n) <= UNIT_LAST)
#define UNIT_PLACE(n) (UNIT_HERE(n) ? (n) - UNIT_FIRST : UNIT_LAST + 1 - UNIT_FIRST)
#define UNIT_TEST(n, test, setup) \
	[UNIT_PLACE(n)] = { UNIT_HERE(n) ? #test : NULL, UNIT_HERE(n) ? test : (unit_function *)0, \
		UNIT_HERE(n) ? setup : (unit_setup *)0 }
#pragma GCC diagnostic ignored "-Woverride-init"

#define cmocka_unit_test(test)              UNIT_TEST(__COUNTER__, test, (unit_setup *)0)
#define cmocka_unit_test_setup(test, setup) UNIT_TEST(__COUNTER__, test, setup)

/* Where constant texts lie in RAM, a failure names the line alone. */
#ifdef UNIT_BRIEF
#define UNIT_FILE   ""
#define UNIT_WORDS(words) ""
#else
#define UNIT_FILE         __FILE__
#define UNIT_WORDS(words) words
#endif

/* Runs the tests, says of each that did not pass how it ended (`FAILED: NAME: ...`, `skipped: ...`, `no room: ...`),
 * closes with `N passed, N failed, N skipped, N without room` and ends the program. */
#define cmocka_run_group_tests(tests, setup, teardown) \
	_cmocka_run_group_tests(tests, sizeof(tests) / sizeof *(tests), setup, teardown)
int _cmocka_run_group_tests(const struct CMUnitTest *tests, size_t count, int (*setup)(void **state),
	int (*teardown)(void **state));

/* How many tests have ended before they could free what they held. */
extern unsigned unit_left;

void print_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void _fail_msg(const char *file, int line, const char *format, ...)
	__attribute__((noreturn, format(printf, 3, 4)));
void _skip(const char *file, int line) __attribute__((noreturn));
void _no_room(const char *file, int line) __attribute__((noreturn));
void _assert_true(bool holds, const char *text, const char *file, int line);
void _assert_int_equal(uintmax_t a, uintmax_t b, const char *file, int line);
void _assert_int_not_equal(uintmax_t a, uintmax_t b, const char *file, int line);
void _assert_in_range(uintmax_t value, uintmax_t least, uintmax_t most, const char *file, int line);
void _assert_string_equal(const char *a, const char *b, const char *file, int line);
void _assert_memory_equal(const void *a, const void *b, size_t n, const char *file, int line);

#define fail_msg(...)            _fail_msg(UNIT_FILE, __LINE__, __VA_ARGS__)
#define fail()                   _fail_msg(UNIT_FILE, __LINE__, "fail")
#define skip()                   _skip(UNIT_FILE, __LINE__)
#define assert_room(holds)       ((holds) ? (void)0 : _no_room(UNIT_FILE, __LINE__))
#define assert_true(holds)       _assert_true((holds) ? true : false, UNIT_WORDS(#holds), UNIT_FILE, __LINE__)
#define assert_false(holds)      _assert_true((holds) ? false : true, UNIT_WORDS("!(" #holds ")"), UNIT_FILE, __LINE__)
#define assert_null(p)           _assert_true((p) == NULL, UNIT_WORDS(#p " == NULL"), UNIT_FILE, __LINE__)
#define assert_non_null(p)       _assert_true((p) != NULL, UNIT_WORDS(#p " != NULL"), UNIT_FILE, __LINE__)
#define assert_ptr_equal(a, b)   _assert_true((const void *)(a) == (const void *)(b), UNIT_WORDS(#a " == " #b), UNIT_FILE, __LINE__)
#define assert_int_equal(a, b)   _assert_int_equal((uintmax_t)(a), (uintmax_t)(b), UNIT_FILE, __LINE__)
#define assert_int_not_equal(a, b) _assert_int_not_equal((uintmax_t)(a), (uintmax_t)(b), UNIT_FILE, __LINE__)
#define assert_in_range(value, least, most) \
	_assert_in_range((uintmax_t)(value), (uintmax_t)(least), (uintmax_t)(most), UNIT_FILE, __LINE__)
#define assert_string_equal(a, b)    _assert_string_equal(a, b, UNIT_FILE, __LINE__)
#define assert_memory_equal(a, b, n) _assert_memory_equal(a, b, n, UNIT_FILE, __LINE__)

#endif
