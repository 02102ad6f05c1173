/* SPDX-License-Identifier: MIT
 * A link shared with a console: a port between a peer and another port, for framing by lines.
 *
 * What comes: a line that begins with `{` is the peer's, and an empty one, which may be a sign of life. All others are
 * noise: the banner of a boot loader, what somebody types, the log of another program, a batch. They are counted and
 * handed to a hook; the peer does not see them. After a gap it gets their newline: only there it takes bytes again.
 *
 * What goes: lines of the program's own leave between two messages, never inside of one.
 *
 * Calling context: the peer's thread; an interrupt that has something to log leaves it to that. */
#ifndef PORT_CONSOLE_H
#define PORT_CONSOLE_H

#include "../include/quash/port.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a console is made of. All that it points to belongs to the caller and outlives the console. */
typedef struct console_config {
	quash_port port; /**< the link; its framing is that of lines */
	/** Gets a line that is no message: without newline and carriage return, ended by NUL, valid during the call; a longer
	 * one than fits comes in pieces. Called within `quash_pump`: must not pump or step, may log. NULL: they are counted only. */
	void (*noise)(void *context, const char *text, size_t n);
	void *context;    /**< handed to it */
	char *line;       /**< room for a noisy line; unused without a hook */
	size_t line_size; /**< of it: 2 or more */
	uint8_t *log; /**< room for lines that wait until they may leave; may be NULL, nothing can be logged then */
	size_t log_size; /**< of it */
} console_config;

/** A console. The caller owns it, as long as its port is pumped; opaque. */
typedef struct console {
	console_config config;
	const uint8_t *shown; /* to the peer */
	size_t line_length, log_length, log_sent;
	uint32_t noise, lost_logs;
	uint8_t state; /* what the line is that is being received */
	bool gap;      /* bytes of it were lost */
	bool inside;   /* of a message that leaves */
} console;

/** Makes it ready; `config` is copied. */
void console_init(console *c, const console_config *config);

/** The port for `quash_pump`; valid as long as `c`. It shows a gap where the link shows it. */
quash_port console_port(console *c);

/** There is a new link, `quash_reopen` is called: both sides begin a line. Counters and waiting logs stay. */
void console_reopen(console *c, quash_port port);

/** Writes a line of the program's own, before the next message, at once when none is under way. A newline inside of `text`
 * becomes a space, and one is put in front of `{`. False when it found no room: it is dropped whole and counted. */
bool console_log(console *c, const char *text);

/** True if lines wait that might leave now: a reason not to sleep. */
bool console_has_log(const console *c);

/** How many lines were noise; wraps. */
uint32_t console_noise(const console *c);

/** How many lines `console_log` has dropped; wraps. */
uint32_t console_lost_logs(const console *c);

#ifdef __cplusplus
}
#endif
#endif
