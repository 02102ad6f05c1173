/* SPDX-License-Identifier: MIT
 * The wire towards a peer: it cuts, flips, doubles and loses. */
#ifndef SIM_WIRE_H
#define SIM_WIRE_H

#include "sim.h"

/* A message that is being composed. */
struct text {
	char bytes[MESSAGE];
	size_t length;
};

/* Puts a message onto the wire, in the framing of the link's dialect. Nothing befalls one that is intact. */
void wire_send(uint8_t link, struct text *t, bool intact);

/* A sign of life. */
void wire_sign(uint8_t link);

/* What stands on the wire: bytes, up to the next place where some are lost; and that so many of them are taken. */
const uint8_t *wire_bytes(uint8_t link, size_t *n);
void wire_taken(uint8_t link, size_t n);

/* Whether bytes are lost right there. That is shown once. */
bool wire_loss(uint8_t link);

bool wire_is_empty(uint8_t link);

/* Forgets what is on the wire. */
void wire_clear(uint8_t link);

#endif
