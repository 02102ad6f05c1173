/* SPDX-License-Identifier: MIT
 * A serial line with noise: what a boot loader or a log prints between the messages is noted, and the peer gets the
 * messages alone. */
#ifndef INSPECT_NOISE_H
#define INSPECT_NOISE_H

#include "cut.h"
#include "quash/port.h"

/* Zero at first. The caller sets `line`, the port that has the noise; `noise_free` at the end. */
struct noise {
	quash_port line;
	struct cut cut;
	const uint8_t *shown; /* what is left of a message, in `cut` */
	size_t left;
};

/* The port without noise, for messages that are lines; valid as long as `noise`. */
quash_port noise_port(struct noise *noise);

void noise_free(struct noise *noise);

/* Notes noise; nothing for no text. */
void note_noise(const char *text, size_t length);

#endif
