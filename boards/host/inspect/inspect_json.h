/* SPDX-License-Identifier: MIT
 * JSON that the command line brings. */
#ifndef INSPECT_JSON_H
#define INSPECT_JSON_H

#include "quash/json.h"

/* What `text` is when it is one whole JSON value, nested no deeper than QUASH_DEPTH; else QUASH_NONE. */
quash_kind json_kind(const char *text);

/* Takes the white space between the tokens of a valid value away: what remains is one line. */
void json_compact(char *text);

/* Whether a valid object has a member with this name, which has no character that JSON may escape. */
bool json_has(const char *object, const char *name);

#endif
