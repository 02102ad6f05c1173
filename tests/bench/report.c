/* SPDX-License-Identifier: MIT */
#include "bench.h"
#include "json/rom.h"

/* Literals; and digits, which stand in RAM. */
static void put(const char *text)
{
	for (char c = quash_rom(text); c != '\0'; c = quash_rom(text)) {
		counter_put(c);
		text++;
	}
}

void report_row(const char *what, const char *of)
{
	put("row ");
	put(what);
	counter_put(' ');
	put(of);
	counter_put('\n');
}

static void put_number(uint32_t number)
{
	char digits[11];
	uint8_t at = sizeof digits - 1;
	digits[at] = '\0';
	for (; number >= 10 && at > 1; number /= 10)
		digits[--at] = (char)('0' + number % 10);
	digits[--at] = (char)('0' + number);
	put(&digits[at]);
	counter_put('\n');
}

void report_sample(uint32_t from, uint32_t to)
{
	put_number(counter_between(from, to));
}

void report_answer(const uint8_t *text, size_t n)
{
	put("answer ");
	for (size_t i = 0; i < n; i++)
		counter_put((char)text[i]);
	counter_put('\n');
}

void report_wrong(const char *what, const char *which)
{
	put("wrong ");
	put(what);
	counter_put(' ');
	put(which);
	counter_put('\n');
}

void report_end(void)
{
	put("end\n");
	counter_end();
}
