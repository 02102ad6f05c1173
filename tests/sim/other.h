/* SPDX-License-Identifier: MIT
 * The other side of a link, and the wire between. */
#ifndef SIM_OTHER_H
#define SIM_OTHER_H

#include "sim.h"

void other_begin(void);

/* It says something that it chooses. */
void other_says(uint8_t link);
/* It answers everything that is open, and cancels what it has asked. */
void other_settles(uint8_t link);
/* It answers one open ask, or all. */
void other_answers(struct ask *ask);

/* What stands on the wire towards the peer: bytes, up to the next place where some are lost. */
const uint8_t *other_bytes(uint8_t link, size_t *n);
void other_taken(uint8_t link, size_t n);
/* How many bytes are lost right there; 0: none. They are told once. */
uint32_t other_loss(uint8_t link);

/* Forgets what is on the wire. */
void other_clear(uint8_t link);

#endif
