/* SPDX-License-Identifier: MIT
 * bridge: as sim, but two peers that forward to each other, always. */
#include "sim_target.h"

#include "sim.h"

#include <string.h>

/* What the first choices of a run must be for a bridge. */
static const uint8_t to_a_bridge[] = { 1, BRIDGE };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t choices[CHOICES];
	const size_t room = sizeof choices - sizeof to_a_bridge, n = size < room ? size : room;
	memcpy(choices, to_a_bridge, sizeof to_a_bridge);
	memcpy(choices + sizeof to_a_bridge, data, n);
	sim_both_ways(choices, sizeof to_a_bridge + n);
	if (sim.setup.topology != BRIDGE)
		broken("target", "it is no bridge: the first choices mean something else now");
	return 0;
}
