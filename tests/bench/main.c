/* SPDX-License-Identifier: MIT
 * First what is known: nothing at all, which is what counting costs, and a number of instructions that do nothing. */
#include "bench.h"

int main(void);

#define TEN_NOPS "nop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\n"

static void known(void)
{
	report_row("known", "0");
	uint32_t from = counter_now();
	report_sample(from, counter_now());
	report_row("known", "100");
	from = counter_now();
	__asm__ volatile(
		TEN_NOPS TEN_NOPS TEN_NOPS TEN_NOPS TEN_NOPS TEN_NOPS TEN_NOPS TEN_NOPS TEN_NOPS TEN_NOPS);
	report_sample(from, counter_now());
}

int main(void)
{
	counter_start();
	known();
	bench_parts();
	report_end();
	return 0;
}
