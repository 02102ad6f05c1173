/* SPDX-License-Identifier: MIT
 * The line to a device: opening it, losing it, trying again; and signs of life on it. */
#ifndef BRIDGE_DEVICE_H
#define BRIDGE_DEVICE_H

#include "bridge_inner.h"

/** Makes the device of `options.devices[index]` and its peer. False: no memory. */
bool device_open(struct bridge *bridge, unsigned index);

/** Moves bytes, and opens the line when it is time. */
void device_turn(struct device *device);

/** How long it can do without a turn; UINT32_MAX: until something happens. */
uint32_t device_rest(struct device *device);

/** Starts a call of the bridge's own. */
void device_ask(struct device *device, quash_call *call, const char *method, quash_call_put *put, uint32_t ms);

/** Its greeting has ended, or its line: another one may begin. */
void device_end_greeting(struct device *device);

/** Its name and version, as it has given them itself. */
void device_note_name(struct device *device, quash_value info);

/** Its greeting was refused with this error; QUASH_NONE: its result is none of the protocol. */
void device_refused(struct device *device, quash_value error);

/** Its greeting was not answered in time: another one is to begin. */
void device_unanswered(struct device *device);

/** Requests may pass: its session is made, or it was refused, or there is none. */
void device_ready(struct device *device);

/** A command notices that nothing more comes. */
void device_hang_up(struct device *device);

/** Gives back all that it has but its line. */
void device_free(struct device *device);

/** Closes its line; what is due is to leave within `ms`. */
void device_close(struct device *device, uint32_t ms);

/** What is wrong with one that is not ready, in words: why it is away, or what its line shows and what to do. */
enum { DEVICE_WORDS = SYMPTOMS_WORDS + 600 };
void device_words(const struct device *device, char to[DEVICE_WORDS]);

/** "ready", "connecting", "waiting". */
const char *device_state(const struct device *device);

#endif
