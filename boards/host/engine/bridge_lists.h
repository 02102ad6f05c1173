/* SPDX-License-Identifier: MIT
 * What a device offers: its lists of tools, prompts and resources, as JSON texts. */
#ifndef BRIDGE_LISTS_H
#define BRIDGE_LISTS_H

#include "heap.h"
#include "mcp_client.h"

#include <stddef.h>
#include <stdint.h>

/** One list. Texts are owned. */
struct list {
	struct list_item {
		char *shown; /* the name that clients see */
		char *name;  /* the device's own */
		char *json;
	} *items;
	size_t count;
	uint64_t print; /* fingerprint of what the device has sent, not 0 once it is complete */
};

/** Frees what it has. */
static inline void list_clear(const struct heap *heap, struct list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		heap_free(heap, list->items[i].shown);
		heap_free(heap, list->items[i].name);
		heap_free(heap, list->items[i].json);
	}
	heap_free(heap, list->items);
	*list = (struct list){ .items = NULL };
}

#endif
