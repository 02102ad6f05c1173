/* SPDX-License-Identifier: MIT
 * What is written about a run: the log and the record.
 *
 * The log are lines on stderr, one for each event: `quash-bridge: LEVEL: TEXT`. Nothing else of the bridge writes there while it runs. The
 * whole of a line passes host_escape.h, whatever its pieces are. */
#ifndef BRIDGE_LOG_H
#define BRIDGE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum log_level { LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DEBUG, LOG_LEVELS, LOG_TRACE };

/** Long enough for a piece of foreign text that is shown, escaped. */
enum { LOG_MESSAGE = 4096, LOG_SHOWN = 200, LOG_TEXT = 6 * LOG_SHOWN + 64 };

/** From now on a line leaves in one piece, so that those of several programs on one terminal stay whole. The program's start
 * calls it once. */
void log_open(void);

/** What is less grave than this is not shown. LOG_TRACE always is. */
void log_set_level(enum log_level most);

/** True if lines of this level are shown. */
bool log_shows(enum log_level level);

/** The level of that name; LOG_LEVELS if there is none. */
enum log_level log_level_of(const char *name);

/** At most LOG_MESSAGE bytes are shown. */
void log_line(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** The same with `n` bytes that came from outside at its end. */
void log_message(enum log_level level, const char *from, const char *mark, const char *text, size_t n);

/** What came from outside, to stand within quotes: at most LOG_SHOWN bytes, escaped. Returns `to`. */
const char *log_text(char to[LOG_TEXT], const char *text, size_t length);

/* --- A record of what passes on the line to the devices, for `quash-inspect --replay` */

/** Which way a message went. */
enum record_way { RECORD_TO = '>', RECORD_FROM = '<', RECORD_NOTE = '!' };

/** Opens the file, which only its owner may read (0600); what it held is lost. Each line has the time of its writing, by `now` in
 *  ms. 0 or an errno. */
int record_open(const char *path, const char *protocol, uint32_t (*now)(void));

/** True if there is one. */
bool record_is_open(void);

/** A message, or for RECORD_NOTE a text of ours. Line ends in it become blanks. */
void record_line(const char *device, enum record_way way, const char *text, size_t length);

/** Writes out what is due. */
void record_flush(void);

#endif
