/* SPDX-License-Identifier: MIT
 * How answers are recorded. */
#ifndef QUASH_SRC_ANSWER_INNER_H
#define QUASH_SRC_ANSWER_INNER_H

#include "state.h"

/* True if an answer of the handler is recorded; counts one that comes second. What a cancelled request answers,
 * what its dialect demands takes the place of. */
bool quash_takes_answer(quash_request *request);

/* Records it; what it is made of is set before. Returns QUASH_DONE. */
int32_t quash_record_reply(quash_request *request, enum quash_answer_form form, int32_t code);

/* An error that `put` puts whole, in pieces. With code 0 it is a result. */
int32_t quash_fail_items(quash_request *request, int32_t code, quash_put_item *put);

/* A notification that was begun and not sent is dropped. */
void quash_notify_drop_open(quash_peer *peer);

#endif
