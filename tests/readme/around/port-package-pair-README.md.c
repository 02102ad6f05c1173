/* SPDX-License-Identifier: MIT
 * The surroundings of the code of port/package/pair/README.md. */
#if NUMBER == 2
#define DOTS_1 \
	struct blinking { int32_t times, done; }; \
	static int32_t blink(quash_request *request) { return quash_mcp_text(request, "blinked"); } \
	static const quash_mcp_tool tools[] = { { .name = "blink", .description = "Blinks the LED", .call = blink } };
#define DOTS_2 int main(void) { static quash_peer peer; quash_start_with_(&peer, quash_the_config_()); return 0; }
#elif NUMBER == 3
#include "quash.h"

struct blinking { int32_t times, done; };
static int32_t blink(quash_request *request) { return quash_mcp_text(request, "blinked"); }
static int32_t led_off(quash_request *request) { (void)request; return QUASH_DONE; }
static quash_group one_led;
#endif

#include BLOCK
