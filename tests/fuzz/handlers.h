/* SPDX-License-Identifier: MIT
 * Methods that answer with what came in, wait, call back, stay inside, fail, hold, linger: the table of the stream and
 * config targets. They count what they do. */
#ifndef FUZZ_HANDLERS_H
#define FUZZ_HANDLERS_H

#include "drive.h"

enum { HANDLER_METHODS = 25, HANDLER_STATE = 200 };

extern const quash_method handler_methods[HANDLER_METHODS];

/* The device that they serve. Forgets everything. */
void handlers_begin(struct drive *d);

/* Something from another thread: cancels or wakes a request that has been called, live or long ended. */
void handlers_interrupt(unsigned which);
/* The program's own call, or its cancel. */
void handlers_call(void);
/* The program's own notification. */
void handlers_notify(void);

/* The program gives up its own call. */
void handlers_stop(void);

/* The config's `new_session`. */
void handlers_session(quash_peer *peer);

/* At rest every end hook has come to its end once, and every released hook has run once. */
void handlers_rest(void);

#endif
