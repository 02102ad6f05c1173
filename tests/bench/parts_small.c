/* SPDX-License-Identifier: MIT
 * For a flash that the profile does not fit into beside the messages. */
#include "bench.h"

void bench_parts(void)
{
	bench_lexing();
	bench_plain();
}
