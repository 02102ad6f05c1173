/* SPDX-License-Identifier: MIT */
#include "sim_target.h"

#include "sim.h"

#include <stdio.h>
#include <stdlib.h>

static uint32_t digest_of(const uint8_t *choices, size_t n, bool byte_by_byte)
{
	if (sim_run(choices, n, byte_by_byte))
		return sim.digest;
	fprintf(stderr, "replay: sim --replay ");
	for (size_t i = 0; i < n; i++)
		fprintf(stderr, "%02x", choices[i]);
	fprintf(stderr, "\n");
	broken(failure_rule, "%s%s", failure_text, byte_by_byte ? " (byte by byte)" : "");
}

void sim_both_ways(const uint8_t *choices, size_t n)
{
	sim.loud = getenv("FUZZ_LOUD") != NULL;
	n = n < CHOICES ? n : CHOICES;
	const uint32_t whole = digest_of(choices, n, false);
	if (digest_of(choices, n, true) != whole)
		broken("cuts", "the output depends on how the input is cut");
}
