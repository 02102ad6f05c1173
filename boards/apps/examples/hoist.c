/* SPDX-License-Identifier: MIT
 * A hoist that lifts a load, a millimetre for each step of its motor. Above 500 mm a person must confirm it first: the client asks its
 * user, or somebody presses the button beside the hoist. What was confirmed is good for that one call.
 *
 * An answer of a client is as trustworthy as the client. Who has to be sure leaves QUASH_MCP_BY_PERSON out. This is no emergency
 * stop: whoever can be hurt needs a switch that cuts the power. */
#include "pins.h"
#include "program.h"
#include "quash.h"

enum { WAIT_MS = 20000, LONGEST_MS = 10000, LEASE_MS = 2000, STEP_MS = 2, HIGHEST = 1000, CONFIRMED_ABOVE = 500, REPORT_MM = 50 };

static int32_t height;

/* --- lift */

struct lift {
	quash_mcp_confirming confirming;
	int32_t mm; /* where to */
	int32_t steps;
};

static const quash_param lift_list[] = { QUASH_ARG_INT(struct lift, mm, 0, HIGHEST, "height of the load in millimetres") };
static const quash_params lift_params = QUASH_PARAMS(struct lift, lift_list);

static void step(bool up)
{
	pin_write(PIN_ENABLE, true);
	pin_write(PIN_DIR, up);
	pin_write(PIN_STEP, true);
	pin_write(PIN_STEP, false);
	height += up ? 1 : -1;
}

static int32_t lift(quash_request *request)
{
	struct lift *const l = QUASH_TOOL(struct lift, request);
	if (height == l->mm)
		return quash_mcp_text(request, "there");
	const int32_t left = height > l->mm ? height - l->mm : l->mm - height;
	if (l->steps > 0 && l->steps % REPORT_MM == 0)
		quash_mcp_progress(request, (uint32_t)l->steps, (uint32_t)(l->steps + left), NULL);
	l->steps++;
	step(l->mm > height);
	return quash_wait(request, STEP_MS);
}

/* The load hangs at a brake that holds without power. */
static int32_t lift_end(quash_request *request)
{
	(void)request;
	pin_write(PIN_ENABLE, false);
	return QUASH_DONE;
}

/* --- What is confirmed */

static quash_mcp_arming arming;
static const quash_mcp_rule rules[] = {
	{ .tool = "lift",
	  .call = lift,
	  .end = lift_end,
	  .param = "mm",
	  .above = CONFIRMED_ABOVE,
	  .words = "Is everybody away from the load?",
	  .wait = WAIT_MS,
	  .arming = &arming,
	  .by = QUASH_MCP_BY_PERSON | QUASH_MCP_BY_BUTTON },
};
static const quash_mcp_confirm confirm = QUASH_MCP_CONFIRM(rules);

/* From the button's interrupt. */
static void pressed(void)
{
	quash_mcp_press(&arming);
}

/* --- state */

struct state {
	int32_t mm;
	bool driven, waits;
};

static const quash_param state_list[] = {
	QUASH_ARG_INT(struct state, mm, 0, HIGHEST, "height of the load in millimetres"),
	QUASH_ARG_BOOL(struct state, driven, "whether the motor is on"),
	QUASH_ARG_BOOL(struct state, waits, "whether a call waits for the button"),
};
static const quash_params state_result = QUASH_PARAMS(struct state, state_list);
static const quash_params state_params = QUASH_NO_PARAMS(struct state);

static int32_t state(quash_request *request)
{
	struct state *const s = QUASH_TOOL(struct state, request);
	s->mm = height;
	s->driven = pin_read(PIN_ENABLE);
	s->waits = quash_mcp_waits(&arming);
	return quash_mcp_struct(request);
}

/* --- The server */

static quash_group one_hoist;
static const quash_mcp_tool tools[] = {
	{ .name = "lift",
	  .description = "Lifts the load to a height, or lowers it; a cancel stops it. Above 500 mm a person has to confirm it first",
	  .args = &lift_params,
	  .call = quash_mcp_confirm_call,
	  .motion = { .end = quash_mcp_confirm_end, .longest = WAIT_MS + LONGEST_MS, .lease = LEASE_MS, .group = &one_hoist },
	  .busy = "the hoist is moving, or waits for a person" },
	{ .name = "state",
	  .description = "How high the load is",
	  .args = &state_params,
	  .output = &state_result,
	  .call = state,
	  .hints = QUASH_MCP_READ_ONLY },
};
enum { TOOLS = sizeof tools / sizeof tools[0], SLOTS = 4, ID = 40, TOKEN = 40, ANSWERS = 64, ARENA = 768, TX = 160 };

static uint8_t key[QUASH_MCP_KEY];
static const quash_mcp_input input = QUASH_MCP_INPUT(key, WAIT_MS, ANSWERS);
static const quash_mcp_part *const parts[] = { &input.part, &confirm.part, NULL };
static quash_mcp_session session;
static const quash_mcp_server server = { .name = "hoist", .version = "1.0", .session = &session, .tools = tools, .tool_count = TOOLS,
	.parts = parts, .token_size = TOKEN, .modern = &quash_mcp_modern, .leases = &quash_mcp_leases };
static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };
QUASH_STORAGE(store, SLOTS, ID, QUASH_MCP_STATE(TOKEN, sizeof(struct lift)), ARENA, TX);

/* At the start, from quash_init. The key must be another one at each start. Else a confirmation from before a reset moves the load once
 * more. */
static bool begin(const quash_config *config, quash_fault *fault)
{
	arming = (quash_mcp_arming){ 0 };
	pins_random(key, sizeof key);
	pins_on_button(pressed);
	return quash_mcp_check(config, fault);
}

static const quash_config device = { QUASH_STORED(store), .dialect = &quash_mcp, .methods = methods,
	.method_count = sizeof methods / sizeof methods[0], .check = begin, .new_session = quash_mcp_new_session, .calls = &quash_mcp_calls,
	.keeps = &quash_mcp_keeps, .faults = &quash_faults };

const quash_config *const firmware_config = &device;
