/* SPDX-License-Identifier: MIT
 * From an envelope to what is done about it: park, flag, refuse, ignore. Runs no handler, says nothing. */
#ifndef QUASH_SRC_JUDGE_H
#define QUASH_SRC_JUDGE_H

#include "ring.h"

/* The message in the landing slot has ended. */
void quash_judge(quash_peer *peer);

/* The same for an object that is known to be JSON: a message, or a member of a batch. */
void quash_judge_object(quash_peer *peer);

/* Says whether the object that was heard is a response, be it a malformed one. */
bool quash_heard_response(const quash_peer *peer);

/* Says whether the object that was heard is to be answered, be it with an error. */
bool quash_wants_answer(const quash_peer *peer);

/* The landing slot owes an error, with the id that was heard if it is usable and `named`. */
void quash_refuse(quash_peer *peer, int32_t code, bool named, quash_count *counter);

#endif
