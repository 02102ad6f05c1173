/* SPDX-License-Identifier: MIT
 * Numbers for what is tried at random: the same in every run. */
#ifndef QUASH_TESTS_CHANCE_H
#define QUASH_TESTS_CHANCE_H

#include <stdint.h>

/* Where they go on. A test sets it first, not to 0. */
extern uint32_t seed;

/* A number below `limit`. */
unsigned random_below(unsigned limit);

#endif
