/* SPDX-License-Identifier: MIT
 * What a device that speaks MCP stores of the params of a request, by the library itself: a device with every part receives it. */
#ifndef INSPECT_KEPT_H
#define INSPECT_KEPT_H

#include "span.h"

#include <stdint.h>

/** The bytes that they take in its arena. Both are JSON; `params` may be missing. */
uint32_t arena_of_kept(struct span method, struct span params);

#endif
