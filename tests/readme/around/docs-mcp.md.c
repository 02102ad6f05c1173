/* SPDX-License-Identifier: MIT
 * The surroundings of the code of docs/mcp.md. */
#include "quash.h"

static inline void toggle_led(void) {}
static inline int32_t serve(quash_request *request) { return quash_mcp_text(request, "served"); }

#if NUMBER == 2
struct blinking { int32_t times, done; };
static int32_t blink(quash_request *request) { return serve(request); }
static int32_t led_off(quash_request *request) { (void)request; return QUASH_DONE; }
static quash_mcp_session session;
static quash_group one_led;
#elif NUMBER == 3
static quash_mcp_session session;
static const quash_mcp_tool tools[] = { { .name = "t", .description = "T", .call = serve } };
static const quash_mcp_resource resource_list[] = { QUASH_MCP_RESOURCE("a://b", "b", "text/plain", serve, 0) };
static const quash_mcp_prompt prompt_list[] = { QUASH_MCP_PROMPT("p", "P", NULL, serve) };
#elif NUMBER == 4
struct room { char name[8]; int32_t celsius; };
static bool is_room(const char *name) { return name[0] != 0; }
static int32_t temperature_of(const char *name) { return name[0]; }
static void put_celsius(quash_writer *w, const quash_request *request) { quash_put_int(w, QUASH_CONST_TOOL(struct room, request)->celsius); }
#endif

#include BLOCK
