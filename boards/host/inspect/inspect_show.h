/* SPDX-License-Identifier: MIT
 * Where things are shown: results on stdout, notes on stderr. Nothing else of quash-inspect writes there while it runs. What comes
 * from the device can neither send commands to a terminal nor look like a note of ours. A note passes host_escape.h as a whole.
 * A result does if it goes to a terminal. */
#ifndef INSPECT_SHOW_H
#define INSPECT_SHOW_H

#include "quash/json.h"

#include <stdio.h>

/* One line on stderr. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same in pieces: text of any length, and JSON. */
void note_open(void);
void note_part(const char *format, ...) __attribute__((format(printf, 1, 2)));
void note_text(const char *text, size_t length);
void note_value(quash_value value); /* a string's text, anything else as JSON */
void note_close(void);

/* A line that is drawn again in place on a terminal, until the next note or result. */
void note_progress_open(void);
void note_progress_close(void);

/* Results. */
void show_text(const char *text, size_t length);
void show_value(quash_value value); /* as `note_value` */
void show_json(quash_value value);
void show_line_end(void); /* unless the line is empty */

/* Writes out what was shown. False when stdout does not take it, or there was no memory for it. */
bool show_flush(void);

#endif
