/* SPDX-License-Identifier: MIT
 * The engine of quash-bridge: bytes in, bytes out, time in. It opens nothing, reads no clock, never waits, and has no state but what
 * `bridge_new` gives: a program may have several bridges, of different protocols.
 *
 * A *line* is a stream of bytes both ways: to a client, or to a device. Its host - the program around the engine - opens and closes
 * what is behind it, feeds what has come, and takes what is to leave. Its loop is
 *
 * 1. to give what has come to `bridge_feed`, as far as the line takes it,
 * 2. `bridge_tick`, with milliseconds of a clock that only goes on, and may wrap: all that follows,
 * 3. to do what `bridge_wants` asks for: open, hang up, close,
 * 4. to write for each line that `bridge_next` names what `bridge_out` shows, to tell `bridge_sent` how much of it was taken, and to read
 *    on if `bridge_reads`,
 * 5. to sleep for `bridge_idle_ms`, or until something comes,
 *
 * until `bridge_is_over`. A line stays until the host has said `bridge_closed` or `bridge_failed`. Everything is called on one thread, none
 * of it from within a function of `struct bridge_host`. */
#ifndef BRIDGE_H
#define BRIDGE_H

#include "bridge_host.h"
#include "bridge_options.h"

struct bridge;
struct bridge_line;

/** Whose line it is. */
enum bridge_way {
	BRIDGE_TERMINAL, /* of the one client that needs no door; it is there from the start */
	BRIDGE_LOCAL,    /* of a client that no other user can be */
	BRIDGE_TCP,      /* of a client; its first line must be the token, if there is one */
	BRIDGE_HTTP,     /* a connection of HTTP */
	BRIDGE_DEVICE
};

/** The protocol of that name: mcp, acp, lsp, jsonrpc. NULL: there is none. And its name. */
const struct protocol *bridge_protocol(const char *name);
const char *bridge_protocol_name(const struct protocol *protocol);

/** A bridge. The options are copied; what they point to, and the host, stand as long as the bridge. Unless the options have a door, the one
 * client is there from the start, and its line is `bridge_terminal`.
 *
 * @return NULL: there is no memory */
struct bridge *bridge_new(const struct bridge_options *options, const struct bridge_host *host, uint32_t now);

/** Gives back all that it has, lines too. */
void bridge_free(struct bridge *bridge);

/** The line of the client that is there from the start; NULL: clients come through doors. */
struct bridge_line *bridge_terminal(struct bridge *bridge);

/* --- Lines of clients */

/** True if one more would find a place now. While it is false leave who waits at the door; `bridge_idle_ms` tells when to ask again. */
bool bridge_takes(struct bridge *bridge, enum bridge_way way);

/** The line of a client that has come, which is open. For one of HTTP an older one may have to give way.
 *
 * @return NULL: there is no place, or no memory: close it */
struct bridge_line *bridge_client(struct bridge *bridge, enum bridge_way way);

/** There is no descriptor for one more of HTTP: true if another one gives way for it, which is a wish to close it. */
bool bridge_yields(struct bridge *bridge);

/* --- Wishes */

enum bridge_wish_kind {
	BRIDGE_OPENS,    /* the device: answer with `bridge_opened` or `bridge_failed`, now or later */
	BRIDGE_HANGS_UP, /* nothing more will be transmitted to the device, and it is to notice that; what it transmits is not wanted */
	BRIDGE_CLOSES    /* the line. What `bridge_out` shows is to leave, within `ms`. Answer with `bridge_closed`, now or later */
};

struct bridge_wish {
	enum bridge_wish_kind kind;
	struct bridge_line *line;
	unsigned device; /* of BRIDGE_OPENS: which of the options */
	uint32_t ms;     /* of BRIDGE_CLOSES */
};

/** The next thing that the host is to do. False: there is none. */
bool bridge_wants(struct bridge *bridge, struct bridge_wish *wish);

/** The device of that line is there. */
void bridge_opened(struct bridge_line *line);

/** The other side will transmit nothing more behind what was fed. `unread`: its end was seen, and more may still be fed. */
void bridge_ended(struct bridge_line *line, bool unread);

/** Nothing passes on the line any more. What was fed is still read; then the bridge wishes to close it.
 *
 * @param words  what has happened, for the log, such as `closed the connection`; borrowed for the call */
void bridge_lost(struct bridge_line *line, const char *words);

/** Why a device could not be opened. */
enum bridge_why {
	BRIDGE_FAILED, /* by what `words` say */
	BRIDGE_IN_USE  /* another program has it, which `words` name */
};

/** The device of that line could not be opened, or the connection to it not made. Do not use the line any more. */
void bridge_failed(struct bridge_line *line, enum bridge_why why, const char *words);

/** It is closed, as was wished. Do not use the line any more. */
void bridge_closed(struct bridge_line *line);

/* --- Bytes */

/** Bytes have come. Returns how many were taken; what is left comes again once `bridge_next` returns the line. Taken bytes are copied. */
size_t bridge_feed(struct bridge_line *line, const uint8_t *bytes, size_t n);

/** Memory for bytes that come next, to save a copy: `*n` of them, of `most` that the host would read at once; `bridge_fed` tells how many
 * there are. Valid as long as nothing else of the engine is called. NULL: feed them, or nothing is taken now. */
uint8_t *bridge_room(struct bridge_line *line, size_t most, size_t *n);

/** So many bytes, at least one, stand in the memory that `bridge_room` has given. */
void bridge_fed(struct bridge_line *line, size_t n);

/** True if it takes bytes now. */
bool bridge_reads(const struct bridge_line *line);

/** What is to leave, oldest first: `*n` bytes, as long as nothing else of the engine is called. */
const uint8_t *bridge_out(const struct bridge_line *line, size_t *n);

/** So many of them have left. */
void bridge_sent(struct bridge_line *line, size_t n);

/** Each line once that has bytes that are to leave, or that takes bytes again, since it was last returned. NULL: there is none. */
struct bridge_line *bridge_next(struct bridge *bridge);

/** For the host: what it keeps with a line. */
void bridge_keep(struct bridge_line *line, void *of_host);
void *bridge_kept(const struct bridge_line *line);

/* --- Time */

/** Does all that is to be done now. Cost: bounded by what has come. */
void bridge_tick(struct bridge *bridge, uint32_t now);

/** Milliseconds for which nothing is to be done, unless something comes; UINT32_MAX: for ever. 0: tick again. */
uint32_t bridge_idle_ms(const struct bridge *bridge);

/* --- The end */

/** It is to end: everything is cancelled, devices are given the grace to take that. Ends by itself when the one client has left, or the
 * device is gone for good. Go on with turns until `bridge_is_over`. */
void bridge_end(struct bridge *bridge);

/** True once it has begun to end: nobody is let in any more. */
bool bridge_is_ending(const struct bridge *bridge);

/** True once nothing is left to do. `*code`: a `bridge_exit`. Wishes to close are still there. */
bool bridge_is_over(const struct bridge *bridge, int *code);

#endif
