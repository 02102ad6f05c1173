/* SPDX-License-Identifier: MIT
 * Answers: how they are recorded, what they are made of, and what becomes of them; how requests end. */
#ifndef QUASH_SRC_ANSWER_H
#define QUASH_SRC_ANSWER_H

#include "../wire/tx.h"
#include "slots.h"

/* Its handler is not called any more. */
void quash_slot_end(quash_request *slot);

/* True if it has ended, its `end` is done, its answer is written or silent, and its calls do not hold it. */
bool quash_is_over(const quash_request *slot);

/* The slot becomes free if the request is over, off the stack and released. */
void quash_settle(quash_request *slot);

/* It is never answered. */
void quash_silence(quash_request *slot, quash_cause cause);

/* The answer is recorded: its form and code, 0 for a result. What the form is made of is set before. A result
 * has no `why`. */
void quash_record(quash_request *slot, enum quash_answer_form form, int32_t code, quash_why why);

/* The answer is an error with the library's words. */
void quash_record_error(quash_request *slot, int32_t code, quash_why why);

/* The answer is what its cause and the dialect demand. */
void quash_record_cancelled(quash_request *slot);

/* Records a result that is JSON, and stands. */
void quash_record_constant(quash_request *slot, const char *json);

/* Puts the constant JSON that is the answer. */
quash_put quash_put_constant;

/* --- For those who answer */

/* True if an answer of the handler is recorded; counts one that comes second. What a cancelled request answers,
 * what its dialect demands takes the place of. */
bool quash_takes_answer(quash_request *request);

/* Records it; what it is made of is set before. Returns QUASH_DONE. */
int32_t quash_record_reply(quash_request *request, enum quash_answer_form form, int32_t code);

/* For a state of `size` bytes that has no room: the request is answered, and the address is one without memory. */
void *quash_nowhere(quash_request *request, size_t size);

/* An error that `put` puts whole, in pieces. With code 0 it is a result. */
int32_t quash_fail_items(quash_request *request, int32_t code, quash_put_item *put);

/* --- For those who put messages */

/* The code of its error on the wire. */
int32_t quash_wire_code(const quash_request *slot);

/* The library's text for the code of its error. */
const char *quash_words_of(const quash_request *slot);

/* Puts an answer, or what is left of it after the piece in which the window begins. */
bool quash_put_answer(quash_peer *peer, quash_request *slot, bool resumed);

/* The answer's first byte is in TX; its last byte is; it is recorded again, as an error. */
void quash_answer_begun(quash_peer *peer, quash_request *slot);
void quash_answer_written(quash_peer *peer, quash_request *slot);
void quash_answer_given_up(quash_peer *peer, quash_request *slot, quash_why why);

#endif
