/* SPDX-License-Identifier: MIT
 * What the unit tests use of cmocka, for boards: the same sources run there. A test ends with its first failure. */
#ifndef CMOCKA_H
#define CMOCKA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct CMUnitTest {
	const char *name;
	void (*test)(void **state);
	int (*setup)(void **state);
};

#define cmocka_unit_test(test)              { #test, test, NULL }
#define cmocka_unit_test_setup(test, setup) { #test, test, setup }

/* Runs the tests, says how they ended, closes with `N passed, N failed, N skipped` and ends the program. */
#define cmocka_run_group_tests(tests, setup, teardown) \
	_cmocka_run_group_tests(tests, sizeof(tests) / sizeof *(tests), setup, teardown)
int _cmocka_run_group_tests(const struct CMUnitTest *tests, size_t count, int (*setup)(void **state),
	int (*teardown)(void **state));

void print_error(const char *format, ...);
void _fail_msg(const char *file, int line, const char *format, ...) __attribute__((noreturn));
void _skip(const char *file, int line, const char *why) __attribute__((noreturn));
void _assert_true(bool holds, const char *text, const char *file, int line);
void _assert_int_equal(uintmax_t a, uintmax_t b, const char *file, int line);
void _assert_int_not_equal(uintmax_t a, uintmax_t b, const char *file, int line);
void _assert_in_range(uintmax_t value, uintmax_t least, uintmax_t most, const char *file, int line);
void _assert_string_equal(const char *a, const char *b, const char *file, int line);
void _assert_memory_equal(const void *a, const void *b, size_t n, const char *file, int line);

#define fail_msg(...)            _fail_msg(__FILE__, __LINE__, __VA_ARGS__)
#define fail()                   _fail_msg(__FILE__, __LINE__, "fail")
#define skip()                   _skip(__FILE__, __LINE__, "not here")
#define assert_room(holds)       ((holds) ? (void)0 : _skip(__FILE__, __LINE__, "no room"))
#define assert_true(holds)       _assert_true((holds) ? true : false, #holds, __FILE__, __LINE__)
#define assert_false(holds)      _assert_true((holds) ? false : true, "!(" #holds ")", __FILE__, __LINE__)
#define assert_null(p)           _assert_true((p) == NULL, #p " == NULL", __FILE__, __LINE__)
#define assert_non_null(p)       _assert_true((p) != NULL, #p " != NULL", __FILE__, __LINE__)
#define assert_ptr_equal(a, b)   _assert_true((const void *)(a) == (const void *)(b), #a " == " #b, __FILE__, __LINE__)
#define assert_int_equal(a, b)   _assert_int_equal((uintmax_t)(a), (uintmax_t)(b), __FILE__, __LINE__)
#define assert_int_not_equal(a, b) _assert_int_not_equal((uintmax_t)(a), (uintmax_t)(b), __FILE__, __LINE__)
#define assert_in_range(value, least, most) \
	_assert_in_range((uintmax_t)(value), (uintmax_t)(least), (uintmax_t)(most), __FILE__, __LINE__)
#define assert_string_equal(a, b)    _assert_string_equal(a, b, __FILE__, __LINE__)
#define assert_memory_equal(a, b, n) _assert_memory_equal(a, b, n, __FILE__, __LINE__)

#endif
