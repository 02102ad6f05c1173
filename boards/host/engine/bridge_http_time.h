/* SPDX-License-Identifier: MIT
 * What time brings to sessions and streams of MCP over HTTP. A request is cancelled whose stream nobody has had for a lease. An idle
 * session ends. The stream of a cancelled request ends without its answer. A request that goes on becomes a stream. */
#ifndef BRIDGE_HTTP_TIME_H
#define BRIDGE_HTTP_TIME_H

#include <stdint.h>

struct bridge;

void sessions_turn(struct bridge *bridge);

/** How long it can do without a turn; UINT32_MAX: until something happens. */
uint32_t sessions_rest(struct bridge *bridge);

#endif
