/* SPDX-License-Identifier: MIT
 * sim: the data are the choices of a run of the simulator (tests/sim/sim.h), whole and byte by byte. */
#include "sim_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	sim_both_ways(data, size);
	return 0;
}
