/* SPDX-License-Identifier: MIT */
#include "heap.h"

#include <stdlib.h>

static void *resize(void *context, void *memory, size_t size)
{
	(void)context;
	if (size > 0)
		return realloc(memory, size);
	free(memory);
	return NULL;
}

const struct heap heap_standard = { resize, NULL };
