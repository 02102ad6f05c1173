/* SPDX-License-Identifier: MIT
 * Programs whose sizes can be chosen when they are started: --slots N, --arena N, --tx N. */
#ifndef HOST_SIZES_H
#define HOST_SIZES_H

#include "quash/peer.h"

struct sizes {
	uint32_t slots, arena, tx;
};

/** Those of a config. */
struct sizes sizes_of(const quash_config *config);

/** Takes one of the options with its argument. False when it is none of them, or its argument is no number. */
bool sizes_option(struct sizes *sizes, const char *option, const char *argument);

/** Gives the config memory of these sizes, with the config's sizes of ids, states and tags. The memory is the process's.
 * Without memory the process ends with an error of `program`. */
void sizes_provide(const char *program, const struct sizes *sizes, quash_config *config);

#endif
