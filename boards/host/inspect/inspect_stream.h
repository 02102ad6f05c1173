/* SPDX-License-Identifier: MIT
 * Where inspect writes. The command may share our stderr, and programs make what they share non-blocking without a word:
 * these streams wait all the same until everything is written. */
#ifndef INSPECT_STREAM_H
#define INSPECT_STREAM_H

#include <stdio.h>

FILE *results_stream(void); /* stdout */
FILE *notes_stream(void);   /* stderr, with a buffer */

#endif
