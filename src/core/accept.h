/* SPDX-License-Identifier: MIT
 * From an envelope to what is done about it: park, flag, keep, refuse, ignore. Runs no handler, writes nothing. */
#ifndef QUASH_SRC_ACCEPT_H
#define QUASH_SRC_ACCEPT_H

#include "envelope.h"

/* The message that was received has ended. It may be kept: then receiving pauses, and this is called once more. */
void quash_accept(quash_peer *peer);

/* The same for an object that is known to be JSON: a message, or a member of a batch. The slot that it was given,
 * or NULL. */
quash_request *quash_accept_object(quash_peer *peer);

/* A request in a batch that begins a session begins it before anything else is decided about it. So what the new
 * session silences need not be written first. */
void quash_accept_session(quash_peer *peer);

/* True if the object that was received is a response, be it a malformed one. */
bool quash_is_response(const quash_peer *peer);

/* True if the object that was received is to be answered, be it with an error. */
bool quash_wants_answer(const quash_peer *peer);

/* What was received is answered with the error that belongs to `why`: one of those up to QUASH_WHY_BATCH. It takes a
 * free slot, which is returned. When there is none, it stands where the next id would, receiving pauses, and NULL is
 * returned. */
quash_request *quash_refuse(quash_peer *peer, quash_why why);

/* The same with its id, and an error of the caller's, who counts it. */
quash_request *quash_refuse_with(quash_peer *peer, int32_t code, quash_why why);

/* Counts a cancel that changes nothing. */
void quash_cancel_is_late(quash_peer *peer);

/* --- Where receiving pauses */

/* True if what is being received may wait for a step: none is on the stack, and none has run for it in vain. */
bool quash_may_wait(const quash_peer *peer);

/* Receiving pauses until a step has run. */
void quash_pause(quash_peer *peer, enum quash_kept kept);

/* True when what the next byte puts on the tape finds no room, not even in a packed arena, and may wait for some:
 * receiving pauses. Asked only while the envelope is `tight`. */
bool quash_waits_for_room(quash_peer *peer);

#endif
