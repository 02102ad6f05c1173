/* SPDX-License-Identifier: MIT
 * From what was counted, marked and recorded to sizes: see docs/inspect.md. */
#ifndef INSPECT_ADVICE_H
#define INSPECT_ADVICE_H

#include "inspect_facts.h"
#include "inspect_needs.h"

/* What is said about one buffer. */
struct advice {
	const char *member; /* of the config */
	bool known;         /* what the device has */
	bool change;        /* it is to be changed */
	bool least;         /* `needs` is what is known so far */
	bool priced;        /* `ram` is known */
	uint32_t is, needs; /* `needs` is no more than the member can be */
	uint32_t wants;     /* more than `needs` where no size is enough */
	uint64_t ram;       /* bytes more */
	char why[128];
};

enum { BUFFERS = 7 };

/* Fills in what is known of each buffer. Returns how many.
 *
 * @param headers  messages have Content-Length */
size_t advice_on_buffers(struct advice list[BUFFERS], const struct facts *facts, const struct needs *needs, bool headers);

#endif
