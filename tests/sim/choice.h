/* SPDX-License-Identifier: MIT
 * Where all that is random comes from: a string of bytes. It is made from a seed, shrunk, or a fuzzer's. */
#ifndef SIM_CHOICE_H
#define SIM_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHOICES = 4096 };

/* The bytes that a seed stands for. Returns their number, at most CHOICES. */
size_t choice_seed(uint32_t seed, uint8_t *bytes);

/* Begins to read them; they must stand until the run has ended. */
void choice_begin(const uint8_t *bytes, size_t length);

/* A number below `below`, which is 1 to 65536. After the last byte it is 0. */
unsigned choose(unsigned below);

/* True once in `times`, never after the last byte. */
bool chance(unsigned times);

/* Whether all bytes are read. */
bool choice_ended(void);

/* What does not change a run's meaning, such as where input is cut: random, but no choice. */
unsigned cut_below(unsigned below);

#endif
