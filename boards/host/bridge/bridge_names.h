/* SPDX-License-Identifier: MIT
 * A method table that grows: names that nobody knows beforehand are handed on as well. */
#ifndef BRIDGE_NAMES_H
#define BRIDGE_NAMES_H

#include "look.h"
#include "quash/peer.h"

/** The table of one peer. The caller owns it and zeroes it first. */
struct names {
	quash_method methods[QUASH_METHODS_MAX];
	uint8_t fixed; /* those at the beginning, which stay */
	uint32_t uses;
	struct {
		uint32_t used; /* when, in uses */
		char text[LOOK_NAME];
	} learned[QUASH_METHODS_MAX];
};

/** Adds an entry that stays. Before quash_init only. */
void names_add(struct names *names, quash_config *config, const quash_method *method);

/** Makes sure that the method is in the table, as a copy of `like` under that name. The one that was not used for longest,
 * and of which no request is live, gives way. To be called between two messages, when the peer keeps none: what is kept has
 * found its entry already. What the dialect takes for a cancel
 * is not learned. */
void names_learn(struct names *names, quash_config *config, const quash_peer *peer, const char *name,
	const quash_method *like);

#endif
