/* SPDX-License-Identifier: MIT
 * Faults as those who check find them. What is wrong with a member is the first byte of a text, its name the rest: so both
 * are one constant. */
#ifndef QUASH_SRC_FAULTS_H
#define QUASH_SRC_FAULTS_H

#include "../../include/quash/peer.h"

/* What stands in front of a member's name: a quash_fault_reason. */
#define IS_SMALL "\001"
#define IS_LARGE "\002"
#define IS_ASKEW "\003"
#define IS_MISSING "\004"
#define IS_TWICE "\005"
#define IS_NO_NAME "\006"
#define IS_LONG "\007"
#define IS_TAKEN "\010"
#define HAS_WRONG_MARKS "\011"
#define IS_UNNAMED "\012"
#define HAS_NO_SUCH_VALUE "\013"
#define IS_BESIDE_ANOTHER "\014"
#define HAS_NO_GROUP "\015"
#define IS_ANOTHER "\016"
#define IS_OUTSIDE "\017"
#define HAS_NO_RANGE "\020"
#define HAS_NO_FALLBACK "\021"
#define HAS_NO_END "\026"
#define HAS_NO_LIMIT "\027"

/* Stores what is wrong, and its sizes or 0. True, so that `||` can follow. */
bool quash_is_fault(quash_fault *fault, const char *wrong, uint32_t is, uint32_t needs);

/* True if an entry needs a state that is larger than the config's: then the fault has the sizes. */
bool quash_is_state_short(quash_fault *fault, const quash_config *config, uint32_t needs);

/* Puts the line as a string, or without quotes. `words`: of the reason, or NULL for none. */
void quash_put_fault_line(quash_writer *w, const quash_fault *fault, const char *words);

/* --- Configs */

/* True if its storage or its dialect is wrong: nothing can be answered. */
bool quash_is_config_mute(const quash_config *config, quash_fault *fault);

/* True if anything else is. */
bool quash_is_config_wrong(const quash_config *config, quash_fault *fault);

#endif
