/* SPDX-License-Identifier: MIT
 * What the engine says of itself, to its host. */
#ifndef BRIDGE_LOG_H
#define BRIDGE_LOG_H

#include "bridge_host.h"

struct bridge;

/** Long enough for a piece of foreign text that is shown, escaped. */
enum { LOG_MESSAGE = 4096, LOG_SHOWN = 200, LOG_TEXT = 6 * LOG_SHOWN + 64 };

/** True if lines of this level are shown. */
bool log_shows(const struct bridge *bridge, enum log_level level);

/** At most LOG_MESSAGE bytes are shown. */
void log_line(const struct bridge *bridge, enum log_level level, const char *format, ...) __attribute__((format(printf, 3, 4)));

/** The same with `n` bytes that came from outside at its end. */
void log_message(const struct bridge *bridge, enum log_level level, const char *from, const char *mark, const char *text, size_t n);

/** What came from outside, to stand within quotes: at most LOG_SHOWN bytes, escaped. Returns `to`. */
const char *log_text(char to[LOG_TEXT], const char *text, size_t length);

/** A message on the line of a device, or for RECORD_NOTE a text of ours. */
void record_line(const struct bridge *bridge, const char *device, enum record_way way, const char *text, size_t length);

#endif
