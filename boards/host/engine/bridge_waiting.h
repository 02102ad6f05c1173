/* SPDX-License-Identifier: MIT
 * Requests of clients that wait for room on the line of a device. A client's own go in their order, and clients take turns. Who waits
 * sleeps: only whose turn it is is woken, so it costs nothing that many wait. */
#ifndef BRIDGE_WAITING_H
#define BRIDGE_WAITING_H

#include "bridge_forward.h"

/** True if it need not wait for that device: it has got room. */
bool waiting_passes(quash_request *request, struct device *device);

/** It waits for that device, behind what its client has asked of it before. */
void waiting_add(quash_request *request, struct device *device);

/** It waits no more: it has begun, or is not wanted. Harmless when it does not wait. */
void waiting_remove(quash_request *request);

/** Gives room to those whose turn it is, as far as there is some: they are woken. */
void waiting_grant(struct device *device);

/** Milliseconds until more room may be looked for; UINT32_MAX: nobody waits. */
uint32_t waiting_rest(const struct device *device);

#endif
