/* SPDX-License-Identifier: MIT
 * The surroundings of the code of docs/actuators.md. */
#include "quash.h"

#include <string.h>

#if NUMBER == 1
static bool lift_at_switch(void) { return false; }
static int32_t lift_position(void) { return 0; }
static void lift_drive(int32_t speed) { (void)speed; }
#elif NUMBER == 2
static void drive(const char *what, bool on) { (void)what; (void)on; }
#elif NUMBER == 3
static int32_t lift(quash_request *request) { return quash_mcp_text(request, "there"); }
static int32_t lift_end(quash_request *request) { (void)request; return QUASH_DONE; }
#else
struct order { char key[17]; };
static char last_key[17];
static void drop_pill(void) {}
#endif

#include BLOCK
