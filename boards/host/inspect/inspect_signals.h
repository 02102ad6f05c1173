/* SPDX-License-Identifier: MIT
 * Signals as something to poll for. */
#ifndef INSPECT_SIGNALS_H
#define INSPECT_SIGNALS_H

#include <stdbool.h>

/* From now on SIGINT, SIGTERM, SIGHUP and the end of a child are noticed. False when that cannot be had. */
bool signals_catch(void);

/* How often we were interrupted: SIGINT counts 1, SIGTERM and SIGHUP 2, for they are not repeated. */
int signals_interrupts(void);

/* Readable once a signal has come, until `signals_read`. */
int signals_descriptor(void);
void signals_read(void);

#endif
