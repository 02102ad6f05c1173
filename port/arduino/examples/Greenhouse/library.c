/* SPDX-License-Identifier: MIT
 * The library, compiled for the one config of this sketch: what greenhouse does not name takes no flash. */
#define QUASH_THE_CONFIG greenhouse
#define QUASH_API
#include <quash.c>
