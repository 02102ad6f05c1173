/* SPDX-License-Identifier: MIT
 * A thousand connections at once, over TCP or Unix sockets: see link_socket.h for the family under test. */
#ifndef QUASH_TESTS_LINK_CROWD_H
#define QUASH_TESTS_LINK_CROWD_H

/* Tests. */

/* Each connection has a peer on both sides and four live requests: all are cancelled at once; then again, by cancels
 * that cross the answers; then half of the clients go while their requests live. */
void test_a_crowd(void **state);

/* A cancel storm from clients that are no peers: each of four live requests is cancelled ten times, with cancels of what
 * was never asked in between. */
void test_a_crowd_that_cancels_again_and_again(void **state);

/* Clients of five kinds: some say a byte in a second, some never read, some are reset, some close, the others talk
 * meanwhile. */
void test_a_bad_crowd(void **state);

/* More clients than descriptors: who was accepted is served, the others wait until there is room. */
void test_a_crowd_beyond_the_descriptors(void **state);

#endif
