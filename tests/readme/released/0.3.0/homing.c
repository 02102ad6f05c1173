/* SPDX-License-Identifier: MIT
 * A carriage on a rail: a stepper with a driver (ENABLE, DIR, STEP) and an end switch. Before its first journey it looks for
 * the switch, slowly. From then on it knows where it is. A cancel, a client that is gone and the longest time slow it down,
 * switch the driver off, and keep its place. If the switch is not found, it stops and answers so.
 *
 * This is no emergency stop: whoever can be hurt needs a switch that cuts the power. */
#include "pins.h"
#include "program.h"
#include "quash.h"

enum { LONGEST_MS = 20000, LEASE_MS = 2000 };
enum { HOMING_MS = 3, SLOW_MS = 8, FAST_MS = 1, FARTHEST = 1000, REPORT_STEPS = 50 };

static int32_t position; /* steps from the switch */
static bool known;

/* --- move */

struct move {
	int32_t to;
	int32_t steps;    /* done */
	uint32_t step_ms; /* 0: at rest */
};

static const quash_param move_list[] = { QUASH_ARG_INT(struct move, to, 0, FARTHEST, "steps from the end switch") };
static const quash_params move_params = QUASH_PARAMS(struct move, move_list);

static void step(bool away)
{
	pin_write(PIN_ENABLE, true);
	pin_write(PIN_DIR, away);
	pin_write(PIN_STEP, true);
	pin_write(PIN_STEP, false);
	position += away ? 1 : -1;
}

/* Looks for the switch, a slow step at each call. */
static int32_t home(quash_request *request, struct move *m)
{
	if (m->steps > FARTHEST)
		return quash_mcp_failure(request, "the end switch was not found: look at the carriage");
	m->steps++;
	step(false);
	if (pin_read(PIN_SWITCH)) {
		position = 0;
		known = true;
		m->steps = 0;
	}
	return quash_wait(request, HOMING_MS);
}

/* The first steps are slow, each one faster. */
static uint32_t faster(uint32_t step_ms)
{
	if (step_ms == 0)
		return SLOW_MS;
	return step_ms > FAST_MS ? step_ms - 1 : FAST_MS;
}

static int32_t move(quash_request *request)
{
	struct move *const m = QUASH_TOOL(struct move, request);
	if (!known)
		return home(request, m);
	if (position == m->to)
		return quash_mcp_text(request, "there");
	m->step_ms = faster(m->step_ms);
	m->steps++;
	const int32_t left = position > m->to ? position - m->to : m->to - position;
	if (m->steps % REPORT_STEPS == 0)
		quash_mcp_progress(request, (uint32_t)m->steps, (uint32_t)(m->steps + left), NULL);
	step(m->to > position);
	return quash_wait(request, m->step_ms);
}

/* Each step is slower, but none goes beyond the place or the switch; then the driver is switched off. */
static int32_t move_end(quash_request *request)
{
	struct move *const m = QUASH_TOOL(struct move, request);
	if (m->step_ms > 0 && m->step_ms < SLOW_MS && position != m->to) {
		step(m->to > position);
		m->step_ms++;
		return quash_wait(request, m->step_ms);
	}
	pin_write(PIN_ENABLE, false);
	return QUASH_DONE;
}

/* --- where */

struct where {
	int32_t position;
	bool known, driven;
};

static const quash_param where_list[] = {
	QUASH_ARG_INT(struct where, position, -FARTHEST, FARTHEST, "steps from the end switch"),
	QUASH_ARG_BOOL(struct where, known, "whether the switch was found"),
	QUASH_ARG_BOOL(struct where, driven, "whether the driver is on"),
};
static const quash_params where_result = QUASH_PARAMS(struct where, where_list);
static const quash_params where_params = QUASH_NO_PARAMS(struct where);

static int32_t where(quash_request *request)
{
	struct where *const w = QUASH_TOOL(struct where, request);
	w->position = position;
	w->known = known;
	w->driven = pin_read(PIN_ENABLE);
	return quash_mcp_struct(request);
}

/* --- The server */

static quash_group one_carriage;
static const quash_mcp_tool tools[] = {
	{ .name = "move",
	  .description = "Drives the carriage to a place; a cancel stops it",
	  .args = &move_params,
	  .call = move,
	  .end = move_end,
	  .busy = "the carriage is moving",
	  .deadline = LONGEST_MS,
	  .lease = LEASE_MS,
	  .group = &one_carriage,
	  .hints = QUASH_MCP_IDEMPOTENT,
	  .marks = QUASH_DROPS },
	{ .name = "where",
	  .description = "Where the carriage is",
	  .args = &where_params,
	  .output = &where_result,
	  .call = where,
	  .hints = QUASH_MCP_READ_ONLY },
};
union state {
	struct move move;
	struct where where;
};
QUASH_MCP_DEVICE(device, tools, sizeof(union state), .name = "homing", .version = "1.0");

const quash_config *const firmware_config = &device;
