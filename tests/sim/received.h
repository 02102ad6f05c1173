/* SPDX-License-Identifier: MIT
 * What received.c and stream.c share: the message that a peer is taking, as it must see it. */
#ifndef SIM_RECEIVED_H
#define SIM_RECEIVED_H

#include "prefix.h"
#include "sim.h"

struct input {
	char text[MESSAGE];
	unsigned begun; /* the peer's steps when the message began */
	size_t length, body; /* of a header's message: how much is to come */
	struct prefix prefix;
	bool skipping, in_body, clean;
	char last; /* byte of a header, but for \r */
	size_t digits;
	uint32_t number;
};

extern struct input inputs[LINKS];

/* received.c: the message has ended; it is judged and forgotten. */
void received_message(uint8_t link);
bool received_is_json(uint8_t link);

/* What was kept: the library has decided about it. */
void received_goes_on(uint8_t link);
bool received_waits(uint8_t link);
/* A new session was begun in a message that has not ended. */
void received_sessions(uint8_t link);
void received_begin(uint8_t link);

#endif
