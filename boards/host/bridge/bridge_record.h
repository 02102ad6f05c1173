/* SPDX-License-Identifier: MIT
 * A record of what passes on the line to the devices, for `quash-inspect --replay`. */
#ifndef BRIDGE_RECORD_H
#define BRIDGE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Which way a message went. */
enum record_way { RECORD_TO = '>', RECORD_FROM = '<', RECORD_NOTE = '!' };

/** Opens the file, which nobody else may read (0600); what it held is lost. Each line tells when it was written, by `now` in
 *  ms. 0 or an errno. */
int record_open(const char *path, const char *protocol, uint32_t (*now)(void));

/** True if there is one. */
bool record_is_open(void);

/** A message, or for RECORD_NOTE a text of ours. Line ends in it become blanks. */
void record_line(const char *device, enum record_way way, const char *text, size_t length);

/** Writes out what is due. */
void record_flush(void);

#endif
