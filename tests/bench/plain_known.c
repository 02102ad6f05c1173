/* SPDX-License-Identifier: MIT
 * The plain peer in one unit with the library, which knows its config. */
#include "plain.c"

#include "quash.c"
