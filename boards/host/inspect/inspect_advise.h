/* SPDX-License-Identifier: MIT
 * quash-inspect --advise: see docs/inspect.md. */
#ifndef INSPECT_ADVISE_H
#define INSPECT_ADVISE_H

#include "inspect_link.h"

/* Takes the result of the device's `stats`, and requests of ours that it has answered with an error. */
extern const struct observer advise_observer;

/* True if one was for want of room: which is advice too. */
bool advise_was_refused(void);

/* The code of a call's error. In the modern era of MCP a device that has no room says so in words alone: the code that has them. */
int32_t advise_code_of(const quash_call *call);

/* Reads the files that the command line names, shows what is advised. Returns the exit code; `code` when there is nothing to
 * change. */
int advise(const struct inspect_options *options, int code);

/* --- For the doctor */

enum advice_on { ADVICE_NONE, ADVICE_ON_NOTIFICATIONS, ADVICE_ON_REQUESTS };

/* Takes what the device's `stats` has answered. False: there is no counter in it. */
bool advise_take(quash_value result);

/* For what a buffer is too small, by all that was taken. */
enum advice_on advise_judge(const struct inspect_options *options);

/* Shows what is to be changed, and counters to look at; as JSON two members of an object. */
void advise_show(const struct inspect_options *options);

#endif
