/* SPDX-License-Identifier: MIT */
#ifndef FUZZ_ANSWERS_H
#define FUZZ_ANSWERS_H

#include "drive.h"

/* Answers what the peer has asked: one call, whichever `which` stands for, in way `how`; or all of them. False when
 * none is open. */
bool answer_one(struct drive *d, unsigned which, unsigned how);
void answer_all(struct drive *d);

#endif
