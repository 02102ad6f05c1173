/* SPDX-License-Identifier: MIT
 * A thousand connections at once, over TCP or Unix sockets: see link_socket.h for the family under test. */
#ifndef QUASH_TESTS_LINK_CROWD_H
#define QUASH_TESTS_LINK_CROWD_H

#include "link_socket.h"

enum { CROWD = 1000 };

/* The peers of both sides, by connection. A client may be no peer: then only its socket is in use. */
extern struct served servers[CROWD], clients[CROWD];

/* False when the system does not allow as many descriptors. */
bool crowd_make_room(void);

/* Connects a client that is no peer; its descriptor. */
void crowd_connect_raw(size_t i);
int crowd_fd(size_t i);

void crowd_close(void);

/* One turn of everybody, after a sleep until there is something to do. */
void crowd_turn(void);

/* Turns until all are done. */
void crowd_until(bool (*done)(size_t i));

/* A client that is a peer asks as often as it can; the same in the words of one that is none. */
void crowd_ask_four(link_end *end, const char *method);
#define CROWD_FOUR \
	REQUEST("1", "wait") \
	"\n" REQUEST("2", "wait") "\n" REQUEST("3", "wait") "\n" REQUEST("4", "wait") "\n"

bool crowd_four_live(size_t i);    /* at the server */
bool crowd_all_answered(size_t i); /* and the server is idle */

/* Tests. */

/* Each connection has a peer on both sides and four live requests: all are cancelled at once; then again, by cancels
 * that cross the answers; then half of the clients go while their requests live. */
void test_a_crowd(void **state);

/* A cancel storm from clients that are no peers: each of four live requests is cancelled ten times, with cancels of what
 * was never asked in between. */
void test_a_crowd_that_cancels_again_and_again(void **state);

/* Clients of five kinds: some send a byte in a second, some never read, some are reset, some close, the others talk
 * meanwhile. */
void test_a_bad_crowd(void **state);

/* More clients than descriptors: who was accepted is served, the others wait until there is room. */
void test_a_crowd_beyond_the_descriptors(void **state);

#endif
