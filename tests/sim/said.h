/* SPDX-License-Identifier: MIT
 * What said.c and answers.c share. The value that is given stands in `text`. */
#ifndef SIM_SAID_H
#define SIM_SAID_H

#include "plain.h"
#include "sim.h"

/* answers.c: looks at an answer, and at an array of them. */
void said_answer(uint8_t link, const struct plain *value, const char *text);
void said_batch(uint8_t link, const struct plain *array, const char *text);

/* said.c: what was put into TX with that number leaves now; 0: without one. */
void said_in_order(uint8_t link, unsigned order);

#endif
