/* SPDX-License-Identifier: MIT */
#include "bridge_queue.h"

#include <string.h>

struct queued {
	struct queued *next;
	size_t from, to; /* of `bytes`: what was not taken */
	uint8_t bytes[];
};

static bool queue_begin(struct send_queue *queue, const uint8_t *data, size_t n)
{
	struct queued *const added = queue->waiting <= QUEUE_MOST ? heap_resize(queue->heap, NULL, sizeof *added + n) : NULL;
	if (added == NULL)
		return false;
	added->next = NULL;
	added->from = 0;
	added->to = n;
	memcpy(added->bytes, data, n);
	queue->to_last = queue->last != NULL ? &queue->last->next : &queue->first;
	*queue->to_last = queue->last = added;
	return true;
}

static bool queue_go_on(struct send_queue *queue, const uint8_t *data, size_t n)
{
	struct queued *const longer = heap_resize(queue->heap, queue->last, sizeof *longer + queue->last->to + n);
	if (longer == NULL)
		return false;
	*queue->to_last = queue->last = longer;
	memcpy(longer->bytes + longer->to, data, n);
	longer->to += n;
	return true;
}

bool queue_add(struct send_queue *queue, const uint8_t *data, size_t n, bool ends)
{
	const bool goes_on = queue->first != NULL && queue->open;
	const bool added = goes_on ? queue_go_on(queue, data, n) : queue_begin(queue, data, n);
	queue->full = queue->full || !added;
	if (!added)
		return false;
	queue->open = !ends;
	queue->waiting += queue->last != queue->first ? n : 0;
	return true;
}

const uint8_t *queue_next(const struct send_queue *queue, size_t *n)
{
	const struct queued *const first = queue->first;
	*n = first != NULL ? first->to - first->from : 0;
	return first != NULL ? first->bytes + first->from : NULL;
}

static void drop_first(struct send_queue *queue)
{
	struct queued *const first = queue->first;
	queue->first = first->next;
	if (queue->to_last == &first->next)
		queue->to_last = &queue->first;
	if (queue->first == NULL)
		queue->last = NULL;
	else
		queue->waiting -= queue->first->to;
	heap_free(queue->heap, first);
}

void queue_taken(struct send_queue *queue, size_t n)
{
	queue->first->from += n;
	if (queue->first->from == queue->first->to)
		drop_first(queue);
}

bool queue_is_empty(const struct send_queue *queue)
{
	return queue->first == NULL;
}

void queue_free(struct send_queue *queue)
{
	while (queue->first != NULL)
		drop_first(queue);
	queue->open = false;
}
