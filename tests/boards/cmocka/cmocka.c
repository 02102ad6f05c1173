/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "unit_board.h"

enum outcome { BEGUN, FAILED, SKIPPED, NO_ROOM };
enum { PAINT = 0xC5, PAINTED = 64 };

unsigned unit_left;

static jmp_buf out_of_the_test;
static const char *running;

static void say_text(const char *text)
{
	while (*text != '\0')
		unit_put(*text++);
}

static void say_formatted(const char *format, va_list list)
{
	char text[120];
	vsnprintf(text, sizeof text, format, list);
	say_text(text);
}

void print_error(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	say_formatted(format, list);
	va_end(list);
}

static void begin_line(const char *what, const char *file, int line)
{
	print_error("%s: %s: %s:%d: ", what, running, file, line);
}

static void __attribute__((noreturn)) stop(enum outcome outcome)
{
	say_text("\n");
	unit_left++;
	longjmp(out_of_the_test, (int)outcome);
}

void _fail_msg(const char *file, int line, const char *format, ...)
{
	va_list list;
	begin_line("FAILED", file, line);
	va_start(list, format);
	say_formatted(format, list);
	va_end(list);
	stop(FAILED);
}

void _skip(const char *file, int line)
{
	begin_line("skipped", file, line);
	stop(SKIPPED);
}

void _no_room(const char *file, int line)
{
	begin_line("no room", file, line);
	stop(NO_ROOM);
}

void _assert_true(bool holds, const char *text, const char *file, int line)
{
	if (!holds)
		_fail_msg(file, line, "%s", text);
}

void _assert_int_equal(uintmax_t a, uintmax_t b, const char *file, int line)
{
	if (a != b)
		_fail_msg(file, line, "0x%llx != 0x%llx", (unsigned long long)a, (unsigned long long)b);
}

void _assert_int_not_equal(uintmax_t a, uintmax_t b, const char *file, int line)
{
	if (a == b)
		_fail_msg(file, line, "0x%llx == 0x%llx", (unsigned long long)a, (unsigned long long)b);
}

void _assert_in_range(uintmax_t value, uintmax_t least, uintmax_t most, const char *file, int line)
{
	if (value < least || value > most)
		_fail_msg(file, line, "%llu is not within %llu and %llu", (unsigned long long)value,
			(unsigned long long)least, (unsigned long long)most);
}

void _assert_string_equal(const char *a, const char *b, const char *file, int line)
{
	if (strcmp(a, b) == 0)
		return;
	begin_line("FAILED", file, line);
	say_text("\"");
	say_text(a);
	say_text("\" != \"");
	say_text(b);
	say_text("\"");
	stop(FAILED);
}

void _assert_memory_equal(const void *a, const void *b, size_t n, const char *file, int line)
{
	if (memcmp(a, b, n) != 0)
		_fail_msg(file, line, "%u bytes differ", (unsigned)n);
}

static enum outcome run(const struct CMUnitTest *test)
{
	void *state = NULL;
	const int outcome = setjmp(out_of_the_test);
	if (outcome != 0)
		return (enum outcome)outcome;
	running = test->name;
	if (test->setup != NULL && test->setup(&state) != 0)
		_fail_msg(__FILE__, __LINE__, "its setup failed");
	test->test(&state);
	return BEGUN;
}

/* The stack grows down to `unit_stack_end`. What stands there no longer as painted was overrun, and what lies after
 * it may have been too: whatever such a test says is worth nothing, and so is all that follows. */
static void paint(void)
{
	memset(unit_stack_end, PAINT, PAINTED);
}

static bool overrun(void)
{
	for (unsigned i = 0; i < PAINTED; i++) {
		if (unit_stack_end[i] != PAINT)
			return true;
	}
	return false;
}

static unsigned counts[NO_ROOM + 1];

static void run_all(const struct CMUnitTest *tests, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (tests[i].name == NULL)
			continue;
		const enum outcome outcome = run(&tests[i]);
		if (overrun()) {
			print_error("no room: %s: for the stack\n", running);
			counts[NO_ROOM]++;
			break;
		}
		counts[outcome]++;
	}
}

static void no_test(void **state)
{
	(void)state;
}

static void run_around(const char *name, int (*around)(void **state))
{
	const struct CMUnitTest test = { name, no_test, around };
	if (around != NULL)
		counts[FAILED] += run(&test) == FAILED;
}

int _cmocka_run_group_tests(const struct CMUnitTest *tests, size_t count, int (*setup)(void **state),
	int (*teardown)(void **state))
{
	unit_start();
	paint();
	run_around("setup of all", setup);
	run_all(tests, count);
	run_around("teardown of all", teardown);
	print_error("%u passed, %u failed, %u skipped, %u without room\n", counts[BEGUN], counts[FAILED],
		counts[SKIPPED], counts[NO_ROOM]);
	unit_end();
	return counts[FAILED] + counts[NO_ROOM] > 0;
}
