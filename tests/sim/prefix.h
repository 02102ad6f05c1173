/* SPDX-License-Identifier: MIT
 * Whether bytes may still become one JSON text: a byte of what cannot is noise. */
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
};

void prefix_begin(struct prefix *p);
/* False once the text is broken, by this byte or an earlier one. */
bool prefix_byte(struct prefix *p, uint8_t byte);

#endif
