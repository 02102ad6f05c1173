/* SPDX-License-Identifier: MIT
 * What a device lacks that has no room for the requests of quash-inspect itself. */
#ifndef INSPECT_REFUSED_H
#define INSPECT_REFUSED_H

#include "quash/call.h"
#include "quash/dialect.h"

/* The bytes that the params of a call take in the arena of the device, as needs_arena; of those that the first 64 KiB of its
 * message have. */
uint32_t arena_of_call(const quash_call *call, const quash_dialect *dialect);

#endif
