/* SPDX-License-Identifier: MIT */
#include "heap.h"

#include <string.h>

void *heap_new(const struct heap *heap, size_t size)
{
	void *const memory = heap_resize(heap, NULL, size);
	if (memory != NULL)
		memset(memory, 0, size);
	return memory;
}

void *heap_resize(const struct heap *heap, void *memory, size_t size)
{
	return heap->resize(heap->context, memory, size);
}

void heap_free(const struct heap *heap, void *memory)
{
	if (memory != NULL)
		(void)heap->resize(heap->context, memory, 0);
}
