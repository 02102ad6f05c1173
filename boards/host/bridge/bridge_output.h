/* SPDX-License-Identifier: MIT
 * What is written about a run: the log and the record.
 *
 * The log are lines on stderr, one for each event: `quash-bridge: LEVEL: TEXT`. Nothing else of the bridge writes there while it runs. The
 * whole of a line passes host_escape.h, whatever its pieces are. */
#ifndef BRIDGE_OUTPUT_H
#define BRIDGE_OUTPUT_H

#include "bridge_host.h"

/** From now on a line leaves in one piece, so that those of several programs on one terminal stay whole. The program's start
 * calls it once. */
void log_open(void);

/** The level of that name; LOG_LEVELS if there is none. */
enum log_level log_level_of(const char *name);

/** A line; `is_cut`: there is more than these `length` bytes. */
void log_print(enum log_level level, const char *text, size_t length, bool is_cut);

/** The `log` of a `bridge_host`: a line. */
void log_for_bridge(void *context, enum log_level level, const char *text, size_t length, bool is_cut);

/* --- A record of what passes on the line to the devices, for `quash-inspect --replay` */

/** Opens the file, which only its owner may read (0600); what it held is lost. Each line has the time of its writing, in ms. 0 or an
 * errno. */
int record_open(const char *path, const char *protocol);

/** A message, or for RECORD_NOTE a text of ours. Line ends in it become blanks. */
void record_write(const char *device, enum record_way way, const char *text, size_t length);

/** Writes out what is due. */
void record_flush(void);

#endif
