/* SPDX-License-Identifier: MIT
 * Put functions at random: a string chooses what is put, a character for each call. And an opinion of its own on whether
 * that is JSON, or void as quash/json.h has it. */
#ifndef FUZZ_PUTS_H
#define FUZZ_PUTS_H

#include "quash/json.h"

#include "fuzz.h"

enum puts_verdict { PUTS_UNSURE, PUTS_JSON, PUTS_VOID };

/* What `p` of the params chooses; `v` of them is a value to put; all of it, or its `index`th character: false when there is
 * none. */
void puts_all(quash_writer *w, quash_value params);
bool puts_one(quash_writer *w, quash_value params, uint16_t index);

enum puts_verdict puts_judge(quash_value params);

/* As a digest: what a value holds, to its depth. */
uint32_t puts_digest(quash_value value);

#endif
