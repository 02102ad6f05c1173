/* SPDX-License-Identifier: MIT
 * Memory that somebody else gives: the C library, the host of a WebAssembly module, a test that counts. */
#ifndef HOST_HEAP_H
#define HOST_HEAP_H

#include <stddef.h>

/** Where memory comes from. The caller owns it; it stands as long as anything that it has given. */
struct heap {
	/** As realloc: NULL for `memory` gives new memory, which holds anything. NULL: there is none, and `memory` stays as it is. A `size`
	 * of 0 gives `memory` back, which may be NULL, and returns NULL. */
	void *(*resize)(void *context, void *memory, size_t size);
	void *context;
};

/** The C library's. */
extern const struct heap heap_standard;

/** Memory of zeros. NULL: there is none. */
void *heap_new(const struct heap *heap, size_t size);

/** Larger or smaller memory, with the same contents; `memory` NULL: new memory, which holds anything. NULL: there is none, and `memory`
 * stays as it is. `size` is at least 1. */
void *heap_resize(const struct heap *heap, void *memory, size_t size);

/** Gives it back; NULL is taken. */
void heap_free(const struct heap *heap, void *memory);

#endif
