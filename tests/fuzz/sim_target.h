/* SPDX-License-Identifier: MIT */
#ifndef FUZZ_SIM_TARGET_H
#define FUZZ_SIM_TARGET_H

#include "fuzz.h"

/* A run of the simulator with the input cut at random places, and one with each byte alone: both must hold and put out the same. */
void sim_both_ways(const uint8_t *choices, size_t n);

#endif
