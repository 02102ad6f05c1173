/* SPDX-License-Identifier: MIT
 * From what is recorded to bytes in TX: one message after the other, in as many passes as it needs. */
#ifndef QUASH_SRC_TRANSMIT_H
#define QUASH_SRC_TRANSMIT_H

#include "answer.h"

/* A kind of message: an answer, a batch's answers, a call. `slot` is the one of `out.slot`; a call stands in
 * `out.call`. */
struct quash_message_code {
	/* Puts it, or what is left of it after the piece in which the window begins. False when TX was full before its
	 * end. */
	bool (*put)(quash_peer *peer, quash_request *slot, bool resumed);
	/* Its first byte is in TX, and not the last. */
	void (*begun)(quash_peer *peer, quash_request *slot);
	/* Its last byte is. */
	void (*written)(quash_peer *peer, quash_request *slot);
	/* It was no JSON or not the same again: it is given up. */
	void (*given_up)(quash_peer *peer, quash_request *slot, quash_why why);
};

/* Writes what finds room: the message under way, calls and cancels of ours, then recorded answers, oldest first. Calls
 * put functions. Nothing while one of them is on the stack, or a notification is open. */
void quash_transmit(quash_peer *peer);

/* The message that is under way has come to nothing: if no byte of it has left, none will. */
void quash_transmit_forget(quash_peer *peer);

/* Nothing more goes out. */
void quash_transmit_clear(quash_peer *peer);

/* A notification that was begun and not sent is dropped. */
void quash_notify_drop_open(quash_peer *peer);

#endif
