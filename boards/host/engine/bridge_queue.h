/* SPDX-License-Identifier: MIT
 * What a client has not taken yet, message by message, on the heap: so nothing else waits for it. */
#ifndef BRIDGE_QUEUE_H
#define BRIDGE_QUEUE_H

#include "heap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** How many bytes may wait after the message that is being taken; tests build it smaller. And how many milliseconds nothing
 * may be taken. */
#ifndef QUEUE_BYTES
#define QUEUE_BYTES (4 << 20)
#endif
enum { QUEUE_MOST = QUEUE_BYTES, QUEUE_MS = 30000 };

struct queued;

/** The caller owns it, zeroes it and sets `heap` first; `queue_free` gives its memory back. */
struct send_queue {
	const struct heap *heap;
	struct queued *first, *last;
	struct queued **to_last; /* `first`, or `next` of the one before */
	bool open;      /* the last message goes on */
	bool full;      /* something found no room */
	size_t waiting; /* bytes that count: those after the first message */
};

/** Adds bytes; `ends`: a message ends with them. False: more than QUEUE_MOST wait already, or there is no memory. */
bool queue_add(struct send_queue *queue, const uint8_t *data, size_t n, bool ends);

/** What is to be taken next; NULL: nothing waits. */
const uint8_t *queue_next(const struct send_queue *queue, size_t *n);

/** So many of these bytes were taken. */
void queue_taken(struct send_queue *queue, size_t n);

/** True if nothing waits. */
bool queue_is_empty(const struct send_queue *queue);

/** Forgets what waits. */
void queue_free(struct send_queue *queue);

#endif
