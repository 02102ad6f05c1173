/* SPDX-License-Identifier: MIT
 * A greenhouse for an AI agent, on an Arduino Uno: a pump, a fan and a probe for the soil.
 *
 * The pump goes off on every way out: its time is over, the client cancels or gives no sign of life for 2 seconds, the call takes
 * too long. The fan stays on behind its call, until its time is over or it is switched off. No lease ends it, and a UART does not know
 * that its cable was pulled: so it must do no harm.
 *
 * An Uno has room for it with one line for the compiler, and without that for all but the number of `soil`: README.md, "Less flash". */
#define QUASH_THE_CONFIG greenhouse /* the library is compiled for it alone: library.c */
#include <quash_tools.h>
#include <quash_stream.h>

enum { PUMP_PIN = 7, FAN_PIN = 8, PROBE_PIN = A0 };
enum { PUMP_LONGEST_MS = 25000, LEASE_MS = 2000, LOOK_MS = 50 };
enum : uint32_t { MINUTE_MS = 60000 };

/* --- The tool `water` */

struct water { int32_t seconds; bool pumps; };

QUASH_FLASH_TEXT(about_water, "Pumps water to the plants; a cancel stops it");
QUASH_FLASH_TEXT(about_seconds, "for how many seconds");
static constexpr quash_param water_list[] = { QUASH_ARG_INT(struct water, seconds, 1, 20, QUASH_FLASH_AT(about_seconds)) };
static constexpr quash_params water_params = QUASH_PARAMS(struct water, water_list);

static int32_t water(quash_request *request)
{
	struct water *const w = QUASH_TOOL(struct water, request);
	if (w->pumps)
		return quash_mcp_text(request, "watered");
	w->pumps = true;
	digitalWrite(PUMP_PIN, HIGH);
	return quash_wait(request, (uint32_t)w->seconds * 1000);
}

static int32_t pump_off(quash_request *)
{
	digitalWrite(PUMP_PIN, LOW);
	return QUASH_DONE;
}

/* --- The tools `fan_on` and `fan_off` */

struct fan { int32_t minutes; uint32_t since; };

QUASH_FLASH_TEXT(about_fan_on, "Switches the fan on, and answers at once");
QUASH_FLASH_TEXT(about_minutes, "for how many minutes at most");
QUASH_FLASH_TEXT(about_fan_off, "Switches the fan off");
static constexpr quash_param fan_list[] = { QUASH_ARG_INT(struct fan, minutes, 1, 240, QUASH_FLASH_AT(about_minutes)) };
static constexpr quash_params fan_params = QUASH_PARAMS(struct fan, fan_list);

static bool fan_runs; /* until `fan_off` */

static int32_t fan_on(quash_request *request)
{
	QUASH_TOOL(struct fan, request)->since = millis();
	fan_runs = true;
	digitalWrite(FAN_PIN, HIGH);
	return quash_mcp_text(request, "the fan is on");
}

/* Is called again behind the answer, as long as the fan runs. */
static int32_t fan_end(quash_request *request)
{
	const struct fan *const f = QUASH_TOOL(struct fan, request);
	if (fan_runs && millis() - f->since < (uint32_t)f->minutes * MINUTE_MS)
		return quash_wait(request, LOOK_MS);
	digitalWrite(FAN_PIN, LOW);
	return QUASH_DONE;
}

static int32_t fan_off(quash_request *request)
{
	fan_runs = false;
	return quash_mcp_text(request, "the fan goes off");
}

/* --- The tool `soil` */

QUASH_FLASH_TEXT(about_soil, "How wet the soil is, from 0 to 1023");

static int32_t soil(quash_request *request)
{
	return quash_mcp_textf(request, "wet: %d", analogRead(PROBE_PIN));
}

/* --- The server */

static quash_mcp_session session;
static quash_group pump, fan;
static constexpr quash_mcp_tool tools[] = {
	quash::mcp_tool("water", QUASH_FLASH_AT(about_water), water).args(&water_params).moves(pump_off, PUMP_LONGEST_MS, LEASE_MS, &pump),
	quash::mcp_tool("fan_on", QUASH_FLASH_AT(about_fan_on), fan_on).args(&fan_params).moves(fan_end, QUASH_NO_LIMIT, 0, &fan),
	quash::mcp_tool("fan_off", QUASH_FLASH_AT(about_fan_off), fan_off),
	quash::mcp_tool("soil", QUASH_FLASH_AT(about_soil), soil).hints(QUASH_MCP_READ_ONLY),
};
enum { NUMBER_SIZE = 4 }; /* of the digits in the answer of `soil`, where a progress token would stand */
static constexpr quash_mcp_server server =
	quash::mcp_server("greenhouse", "1.0").session(&session).tools(tools).token_size(NUMBER_SIZE);
static constexpr quash_method methods[] = { QUASH_MCP_LEGACY(&server), QUASH_MCP_TOOLS(&server) };

/* 3 calls at once: the fan, the pump, and one more. QUASH_STORAGE would have counters too, which nobody reads here. */
enum { CALLS = 3, ID_SIZE = 24, STATE_SIZE = (QUASH_MCP_STATE(NUMBER_SIZE, quash::largest(tools)) + 7) / 8 * 8 };
static quash_request calls[CALLS];
static quash_word name;
static uint8_t ids[(CALLS + 1) * ID_SIZE], arena[192], tx[64];
static uint64_t states[CALLS][STATE_SIZE / 8];
constexpr quash_config greenhouse =
	quash::config(CALLS, ID_SIZE, sizeof name, sizeof arena, sizeof tx, STATE_SIZE, calls, &name, ids, states, arena, tx, nullptr)
		.mcp(methods, server).check(nullptr).new_session(nullptr).faults(nullptr);
enum { quash_checked_greenhouse }; /* by the compiler, see OneTool */
static quash_peer peer;
static QuashStream port(Serial);

void setup()
{
	pinMode(PUMP_PIN, OUTPUT);
	pinMode(FAN_PIN, OUTPUT);
	Serial.begin(115200);
	quash_start(&peer);
}

void loop()
{
	port.serve(&peer);
}
