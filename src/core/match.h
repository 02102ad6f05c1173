/* SPDX-License-Identifier: MIT
 * Which of several names is this? Answered while its characters arrive, without keeping them. */
#ifndef QUASH_SRC_MATCH_H
#define QUASH_SRC_MATCH_H

#include "../json/c_text.h"
#include "ring.h"

enum name_set { MEMBERS, PARAMS, METHODS, CANCELS };
enum member { M_JSONRPC, M_ID, M_METHOD, M_PARAMS, M_RESULT, M_ERROR, M_COUNT, M_VERSION = M_COUNT /* the value of M_JSONRPC */ };
enum param { P_TARGET, P_ALIAS, P_REASON, P_TAG, P_COUNT };

void quash_match_begin(quash_match *m);

/* Characters of the name, data[from..to). */
void quash_match_text(const quash_peer *peer, enum name_set set, quash_match *m, const uint8_t *data, size_t from, size_t to);

/* The name has ended: `candidate` is its index, or NOBODY. */
void quash_match_end(const quash_peer *peer, enum name_set set, quash_match *m);

#endif
