/* SPDX-License-Identifier: MIT
 * What heard.c and stream.c share: the message that a peer is taking, as it must see it. */
#ifndef SIM_HEARD_H
#define SIM_HEARD_H

#include "sim.h"

struct ears {
	char text[MESSAGE];
	uint32_t times[MESSAGE]; /* when each byte came */
	unsigned begun;          /* the peer's steps when the message began */
	unsigned litter;         /* before that many steps nothing is left of a batch that came to nothing */
	size_t cancelled;        /* how many bytes stood there when everything was cancelled */
	size_t length, body;     /* of a header's message: how much is to come */
	bool skipping, in_body;
	char last;        /* byte of a header, but for \r */
	size_t digits;
	uint32_t number;
};

extern struct ears ears[LINKS];

/* heard.c: the message in `ears` has ended; it is judged and forgotten. */
void heard_message(uint8_t link);

/* It is given up: what is heard next belongs to no batch. */
void heard_no_batch(uint8_t link);

#endif
