/* SPDX-License-Identifier: MIT */
#include "bench.h"

void bench_parts(void)
{
	bench_lexing();
	bench_plain();
	bench_tools();
}
