/* SPDX-License-Identifier: MIT
 * Faults as quash_init finds them: what is wrong shows why. */
#ifndef QUASH_SRC_FAULTS_H
#define QUASH_SRC_FAULTS_H

#include "fault_hooks.h"

#include <stddef.h>

struct quash_padded {
	char first;
	void *pointer;
};

/* 1 where nothing is aligned, whatever the size of a pointer. */
enum { QUASH_STATE_ALIGNMENT = offsetof(struct quash_padded, pointer) };

static inline bool quash_are_states_askew(const quash_config *config)
{
	return (uintptr_t)config->states % QUASH_STATE_ALIGNMENT != 0 || config->state_size % QUASH_STATE_ALIGNMENT != 0;
}

/* Why, as far as that is known without the config. */
quash_fault_reason quash_fault_reason_of(const quash_fault *fault);

/* Puts the line into an open string. */
void quash_put_fault_line(quash_writer *w, const quash_fault *fault);

/* --- Configs */

/* True if it is neither whole nor absent, or a time is too large. Then the fault has its member, and for a time that is
 * too large what it is and may be; else both are 0. */
bool quash_is_motion_wrong(const QUASH_FLASH quash_motion *motion, quash_fault *fault);

enum quash_config_state quash_check_config(const quash_config *config, quash_fault *fault);

#endif
