/* SPDX-License-Identifier: MIT
 * The other side of a link. */
#ifndef SIM_OTHER_H
#define SIM_OTHER_H

#include "sim.h"

void other_begin(void);

/* It sends something that it chooses. */
void other_sends(uint8_t link);
/* It answers everything that is open, and cancels what it has asked. */
void other_settles(uint8_t link);
/* It answers one open ask, or all. */
void other_answers(struct ask *ask);

#endif
