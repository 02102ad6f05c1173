/* SPDX-License-Identifier: MIT
 * MCP with one device alone, for as long as it has never answered: what the bridge says in its place. */
#ifndef BRIDGE_ALONE_H
#define BRIDGE_ALONE_H

#include "bridge_inner.h"

/** True if the one device has never been ready. */
static inline bool alone_is_silent(const struct bridge *bridge)
{
	return !bridge->options.many_devices && !bridge->devices[0]->was_ready;
}

/** The rest of the bridge's own result of `initialize`, after the version, JSON. To be freed. */
char *alone_greeting(struct bridge *bridge);

/** Ends a request: the device will not come. */
int32_t alone_refuse(quash_request *request);

/** What clients may ask meanwhile. */
void alone_methods(struct client *client);

/** The device has answered for the first time. Clients that the bridge has greeted in its place get what it says of itself, and ask for its
 * lists. */
void alone_over(const struct device *device, quash_value instructions);

#endif
