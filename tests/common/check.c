/* SPDX-License-Identifier: MIT */
#include "check.h"

#include <stddef.h>

static const char *about;
static unsigned passed, failed;
static bool wrong, inside; /* a test */

#if __STDC_HOSTED__
#include <stdio.h>

/* At once: who is ended from outside has said how far it came. */
void check_print(const char *text)
{
	fputs(text, stdout);
	fflush(stdout);
}
#endif

void check_print_number(uint32_t number)
{
	char digits[11];
	char *first = digits + sizeof digits - 1;
	*first = '\0';
	do {
		*--first = (char)('0' + number % 10);
		number /= 10;
	} while (number != 0);
	check_print(first);
}

void check_of(const char *subject)
{
	about = subject;
}

bool check_quietly(bool holds)
{
	if (holds)
		passed++;
	else
		failed++;
	return holds;
}

bool check(bool holds, const char *sentence)
{
	check_print(holds ? "ok      " : "FAILED: ");
	if (about != NULL) {
		check_print(about);
		check_print(" ");
	}
	check_print(sentence);
	check_print("\n");
	return check_quietly(holds);
}

void check_test(const char *sentence, void (*test)(void))
{
	wrong = false;
	inside = true;
	test();
	inside = false;
	(void)check(!wrong, sentence);
}

void check_part(bool holds, const char *text, const char *file, int line)
{
	if (holds)
		return;
	wrong = true;
	failed += !inside;
	check_print(file);
	check_print(":");
	check_print_number((uint32_t)line);
	check_print(": ");
	check_print(text);
	check_print("\n");
}

int check_end(void)
{
	check_print_number(passed);
	check_print(" passed, ");
	check_print_number(failed);
	check_print(" failed, 0 skipped\n");
	return failed > 0;
}
