/* SPDX-License-Identifier: MIT
 * The library in one unit with a config that is known there, for unit tests. With KNOWN_DIALECT it is the device's, and
 * constant. Without it only its place is known: known_config is what the linker calls the config of the test's loop. */
#include "quash.h"

#include "device.h"

/* The objects of the tests know no config, so they start a peer under this name. */
#pragma push_macro("quash_start_with_")
#undef quash_start_with_
void QUASH_LINKED_(quash_start_plain)(quash_peer *peer, const quash_config *config);
void QUASH_LINKED_(quash_start_plain)(quash_peer *peer, const quash_config *config)
{
	(QUASH_LINKED_(quash_start_known))(peer, config);
}
#pragma pop_macro("quash_start_with_")

#ifdef KNOWN_DIALECT
const quash_config QUASH_THE_CONFIG = { LOOP_CONFIG(device), .dialect = &KNOWN_DIALECT, .methods = device_methods, .method_count = DEVICE_METHODS };
#endif

#include "quash.c"
