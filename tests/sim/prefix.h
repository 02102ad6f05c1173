/* SPDX-License-Identifier: MIT
 * Whether bytes may still become one JSON-RPC message: a byte of what cannot is noise, and so is one of what has shown no
 * member of an envelope. */
#ifndef SIM_PREFIX_H
#define SIM_PREFIX_H

#include <stdbool.h>
#include <stdint.h>

struct prefix {
	char open[64]; /* of each container that is open, what closes it */
	unsigned depth;
	uint8_t state, left, low, high; /* of a character, escape or word: how many bytes are to come, and which may be next */
	const char *word;
	bool key, broken;
	bool batches; /* elements of an array are envelopes too */
	bool known;   /* the envelope has had a member that JSON-RPC knows */
	char name[8]; /* of the member that is open: as much as tells it from others */
	unsigned length, unit;
};

/* True if it is one whole object. */
bool prefix_is_object(const struct prefix *p);

void prefix_begin(struct prefix *p, bool batches);
/* False once the text is broken, by this byte or an earlier one, and before it has shown a member. */
bool prefix_byte(struct prefix *p, uint8_t byte);

#endif
