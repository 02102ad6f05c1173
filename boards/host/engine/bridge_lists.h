/* SPDX-License-Identifier: MIT
 * What a device offers: its lists of tools, prompts and resources, as JSON texts. */
#ifndef BRIDGE_LISTS_H
#define BRIDGE_LISTS_H

#include "heap.h"
#include "quash/json.h"

#include <stdbool.h>
#include <stdint.h>

enum list_kind { LIST_TOOLS, LIST_PROMPTS, LIST_RESOURCES, LIST_TEMPLATES, LIST_KINDS };

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

void list_clear(const struct heap *heap, struct list *list);

#endif
