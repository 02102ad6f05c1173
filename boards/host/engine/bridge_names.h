/* SPDX-License-Identifier: MIT
 * A method table that grows: names that are not known beforehand are handed on as well. */
#ifndef BRIDGE_NAMES_H
#define BRIDGE_NAMES_H

#include "cut.h"
#include "heap.h"
#include "quash/peer.h"

/** The table of one peer. Most of it is never used, and takes no memory of the system then. */
struct names {
	quash_method methods[QUASH_METHODS_MAX];
	uint8_t fixed; /* those at the beginning, which stay */
	uint32_t uses;
	struct {
		uint32_t used; /* when, in uses */
		char text[LOOK_NAME];
	} learned[QUASH_METHODS_MAX];
};

/** Adds entries that stay, before the peer begins. `*names` is NULL first, and the caller's, to be freed with the heap. The config names the
 * table then. False: there is no memory. */
bool names_add(struct names **names, const struct heap *heap, quash_config *config, const quash_method *methods, size_t count);

/** Makes sure that the method is in the table, as a copy of `like` under that name. The one that was not used for longest, and of which no
 * request is live, gives way. To be called between two messages, when the peer holds none for later: such a message has found its entry
 * already. What the dialect takes for a cancel is not learned. */
void names_learn(struct names *names, quash_config *config, const quash_peer *peer, const char *name, const quash_method *like);

/** True if `names_learn` would change no entry; it counts as a use. */
bool names_know(struct names *names, const quash_config *config, const char *name, const quash_method *like);

/** True of a method that cancels. */
bool names_is_cancel(const quash_dialect *dialect, const char *method);

#endif
