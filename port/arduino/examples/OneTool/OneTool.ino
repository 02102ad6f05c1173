/* SPDX-License-Identifier: MIT
 * One tool for an AI agent, on an Arduino Uno: it blinks with the LED, and stops when it is cancelled.
 *
 * On the PC: quash-bridge --tty /dev/ttyACM0 --baud 115200 --print-config vscode
 * The Uno has 2 KB of RAM. What may be changed, and what that costs, is in the README of the library. */
#define QUASH_THE_CONFIG one_tool /* the library is compiled for it alone: library.c */
#include <quash_tools.h>
#include <quash_stream.h>

enum { BLINK_MS = 100 };

/* The argument of the tool, and what it remembers between its calls. */
struct blink { int32_t times, done; };

QUASH_FLASH_TEXT(about_blink, "Blinks with the LED of the board");
QUASH_FLASH_TEXT(about_times, "how often");
static constexpr quash_param blink_list[] = { QUASH_ARG_INT(struct blink, times, 1, 100, QUASH_FLASH_AT(about_times)) };
static constexpr quash_params blink_params = QUASH_PARAMS(struct blink, blink_list);

/* Is called again and again, until it answers or is cancelled. */
static int32_t blink(quash_request *request)
{
	struct blink *const b = QUASH_TOOL(struct blink, request);
	if (b->done == b->times)
		return quash_mcp_text(request, "blinked");
	digitalWrite(LED_BUILTIN, !digitalRead(LED_BUILTIN));
	b->done += digitalRead(LED_BUILTIN) == LOW;
	return quash_wait(request, BLINK_MS);
}

/* Is called behind the last of these calls. */
static int32_t led_off(quash_request *)
{
	digitalWrite(LED_BUILTIN, LOW);
	return QUASH_DONE;
}

static quash_mcp_session session;
static quash_group one_led;
static constexpr quash_mcp_tool tools[] = {
	quash::mcp_tool("blink", QUASH_FLASH_AT(about_blink), blink).args(&blink_params).moves(led_off, 30000, 0, &one_led),
};
/* It serves clients that begin with `initialize`. What serves the revision 2026-07-28 as well takes 2.4 KB of flash, which
 * a Mega has, and progress 1.1 KB, see the README. A tool with a lease needs what is left out here: no `leases(nullptr)`. */
static constexpr quash_mcp_server server =
	quash::mcp_server("uno", "1.0").session(&session).tools(tools).leases(nullptr);
static constexpr quash_method methods[] = { QUASH_MCP_LEGACY(&server), QUASH_MCP_TOOLS(&server) };

/* 2 calls at once, ids of 24 bytes, an arena of 192 bytes, a TX buffer of 64. */
QUASH_STORAGE(store, 2, 24, QUASH_MCP_STATE(0, sizeof(struct blink)), 192, 64);
/* `mcp` has the compiler look for what quash_init would find: a fault in these tables does not compile. So the checks on the device, which do
 * not fit on an Uno, are left out, and what would put their faults into words. */
constexpr quash_config one_tool =
	quash::config(QUASH_STORED(store)).mcp(methods, server).check(nullptr).new_session(nullptr).faults(nullptr);
enum { quash_checked_one_tool }; /* by the compiler */
static quash_peer peer;
static QuashStream port(Serial);

void setup()
{
	pinMode(LED_BUILTIN, OUTPUT);
	Serial.begin(115200);
	quash_start(&peer);
}

void loop()
{
	port.serve(&peer);
}
