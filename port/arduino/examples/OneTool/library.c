/* SPDX-License-Identifier: MIT
 * The library, compiled for the one config of this sketch: what one_tool does not name takes no flash. */
#define QUASH_THE_CONFIG one_tool
#define QUASH_API
#include <quash.c>
