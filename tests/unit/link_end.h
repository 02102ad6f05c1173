/* SPDX-License-Identifier: MIT
 * A peer on a descriptor of POSIX, and somebody at the other end who writes and reads byte by byte: for the tests of
 * ports. All waiting is for something to happen. In all texts ' stands for ". */
#ifndef QUASH_TESTS_LINK_END_H
#define QUASH_TESTS_LINK_END_H

#include "descriptors.h"
#include "device.h"

#include "quash/call.h"

#include "posix/posix_stdio.h"

enum { END_SLOTS = 6, END_ID = 20, END_ARENA = 512, END_TX = 256, END_CALLS = 4 };

/* Its methods:
 *
 *   echo   answers its params
 *   later  answers 'at last' at its third call
 *   wait   waits until it is cancelled
 *   note   a notification */
typedef struct link_end {
	quash_peer peer;
	quash_config config;
	quash_port port;
	struct posix_stdio *stdio;
	unsigned notes; /* that were received */
	unsigned ended; /* requests whose end hook has run */
	quash_counters counters;
	quash_call calls[END_CALLS];
	quash_request slots[END_SLOTS];
	quash_word word;
	uint64_t states[END_SLOTS];
	uint8_t ids[(END_SLOTS + 1) * END_ID];
	uint8_t arena[END_ARENA];
	uint8_t tx[END_TX];
} link_end;

/* A fresh peer on a port over `stdio`. */
void end_start(link_end *end, quash_port port, struct posix_stdio *stdio);

/* Pumps and steps once. */
void end_turn(link_end *end);

/* Turns, asleep in between, until `done` says so. */
void end_until(link_end *end, bool (*done)(const link_end *));

bool end_has_ended(const link_end *end);  /* the other side has finished transmitting */
bool end_is_gone(const link_end *end);    /* the link is gone, and all requests with it */
bool end_has_three(const link_end *end);  /* requests live */
bool end_is_idle(const link_end *end);    /* nothing is live, nothing is to be sent */

/* Milliseconds. */
uint32_t clock_ms(void);

/* --- The other end: a descriptor that does not block */

/* Writes all of it; `end` turns when the way is full. */
void raw_send(link_end *end, int fd, const char *text);

/* Reads until as much has come as is expected; `end` turns meanwhile. */
void raw_receives(link_end *end, int fd, const char *expected);

/* Reads to the end of what the other side writes. */
void raw_receives_end(int fd);

/* --- What happens on every kind of link */

/* Request, answer, cancel. */
void talk(link_end *end, int fd);

/* The same, one byte now and then. */
void talk_slowly(link_end *end, int fd);

/* Somebody asks without reading the answers until nobody takes anything any more; then reads, and nothing is missing. */
void talk_without_reading(link_end *end, int fd);

/* Three requests are live. */
void talk_of_three(link_end *end, int fd);

#endif
