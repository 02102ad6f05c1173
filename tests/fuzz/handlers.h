/* SPDX-License-Identifier: MIT
 * Methods that answer with what came in, wait, ask, stay inside, fail: the table of the stream and config targets. */
#ifndef FUZZ_HANDLERS_H
#define FUZZ_HANDLERS_H

#include "drive.h"

enum { HANDLER_METHODS = 14, HANDLER_STATE = 160 };

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

/* At rest every end hook has run once. */
void handlers_rest(void);

#endif
