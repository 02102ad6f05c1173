/* SPDX-License-Identifier: MIT
 * Writing messages that have their length in front of them: what quash_framing_code asks for. */
#ifndef QUASH_SRC_CONTENT_LENGTH_H
#define QUASH_SRC_CONTENT_LENGTH_H

#include "tx.h"

void quash_content_open(quash_writer *w);
enum tx_result quash_content_close(quash_writer *w, bool whole);
enum tx_result quash_content_close_whole(quash_writer *w);
uint32_t quash_content_rest(const quash_writer *w);
quash_size quash_content_most(const quash_writer *w);

#endif
