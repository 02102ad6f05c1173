/* SPDX-License-Identifier: MIT
 * Answers whose text has values in it: these are stored until the answer has left. */
#ifndef QUASH_SRC_TEXT_H
#define QUASH_SRC_TEXT_H

#include "../json/format.h"
#include "state.h"

/* The room for a request's values. */
struct text_room {
	uint8_t *at;
	size_t size;
};

/* Stores format and values for the answer that comes next. What finds no room is counted and traced. False: no answer
 * is taken, and nothing is stored. */
bool quash_keep_text(quash_request *request, struct text_room room, const char *format, va_list args);

/* Puts them, one string. */
void quash_put_kept_text(quash_writer *w, const quash_request *request, struct text_room room);

#endif
