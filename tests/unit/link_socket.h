/* SPDX-License-Identifier: MIT
 * What TCP and Unix sockets have in common, tested over either: a listener, somebody who connects, a peer behind each
 * connection. */
#ifndef QUASH_TESTS_LINK_SOCKET_H
#define QUASH_TESTS_LINK_SOCKET_H

#include "link_end.h"

#include "posix/posix_socket.h"

/* How the family under test does it. The test file sets it before any of these runs. */
struct family {
	const struct posix_listener *listener;
	int (*accept)(const struct posix_listener *listener, struct posix_socket *socket);
	int (*connect)(struct posix_socket *socket);
	bool may_stall; /* beyond a full window it drops packets, those that would let the other way go on included */
};
extern struct family family;

/* The peer's side of a connection. */
struct served {
	struct posix_socket socket;
	link_end end;
};
extern struct served server;

/* Somebody connects to the server. The descriptor of the client's side is client.stdio.in. */
extern struct posix_socket client;
void link_up(void);
void link_down(void);

/* Takes the next connection, which must come soon. */
void link_accept(struct posix_socket *socket);

/* So that a way is full soon. */
void link_narrow(int fd);

/* Closes one side without a word of farewell: TCP resets the connection. */
void link_reset(struct posix_socket *socket);

/* Both of one connection; each side has a peer. */
void link_both(struct served *server_side, struct served *client_side);

/* Tests. */
void test_it_talks(void **state);
void test_it_talks_slowly(void **state);
void test_one_that_never_reads_is_waited_for(void **state);
void test_half_closed_it_is_still_answered(void **state);
void test_hung_up_it_still_receives(void **state);
void test_last_bytes_are_received(void **state);
void test_nobody_waits(void **state);
void test_descriptors_of_a_connection(void **state);
void test_writing_to_nobody_raises_no_signal(void **state);
void test_without_descriptors_it_goes_on_waiting(void **state);

#endif
