/* SPDX-License-Identifier: MIT
 * A relay that switches a pump. The pump runs until the agent stops it, or its client is gone, for 3 seconds at most: then it
 * is off, whatever the agent has forgotten. One call runs it at a time.
 *
 * This is no emergency stop: whoever can be hurt needs a switch that cuts the power. */
#include "pins.h"
#include "program.h"
#include "quash.h"

enum { LONGEST_MS = 3000, LEASE_MS = 2000, REPORT_MS = 500 };

/* --- run */

struct run {
	int32_t ms; /* 0: until it is stopped */
	uint32_t begin;
	bool on;
};

static const quash_param run_list[] = {
	QUASH_ARG_INT_OR(struct run, ms, 0, LONGEST_MS, 0, "for how long, in milliseconds; 0: until it is stopped"),
};
static const quash_params run_params = QUASH_PARAMS(struct run, run_list);

static int32_t run(quash_request *request)
{
	struct run *const r = QUASH_TOOL(struct run, request);
	const uint32_t now = quash_now(quash_peer_of(request)), ms = (uint32_t)r->ms;
	if (!r->on)
		r->begin = now;
	r->on = true;
	pin_write(PIN_RELAY, true);
	const uint32_t done = now - r->begin;
	if (ms > 0 && done >= ms)
		return quash_mcp_text(request, "it has run");
	if (done > 0)
		quash_mcp_progress(request, done, ms, NULL);
	return quash_wait(request, ms > 0 && ms - done < REPORT_MS ? ms - done : REPORT_MS);
}

/* On every way out. */
static int32_t run_end(quash_request *request)
{
	(void)request;
	pin_write(PIN_RELAY, false);
	return QUASH_DONE;
}

/* --- state */

static int32_t state(quash_request *request)
{
	return pin_read(PIN_RELAY) ? quash_mcp_text(request, "on") : quash_mcp_text(request, "off");
}

/* --- The server */

static quash_group one_pump;
static const quash_mcp_tool tools[] = {
	{ .name = "run",
	  .description = "Runs the pump; a cancel stops it",
	  .args = &run_params,
	  .call = run,
	  .end = run_end,
	  .busy = "the pump runs",
	  .deadline = LONGEST_MS,
	  .lease = LEASE_MS,
	  .group = &one_pump,
	  .marks = QUASH_DROPS },
	{ .name = "state",
	  .description = "Whether the pump is on",
	  .call = state,
	  .hints = QUASH_MCP_READ_ONLY },
};
QUASH_MCP_DEVICE(device, tools, sizeof(struct run), .name = "relay", .version = "1.0");

const quash_config *const firmware_config = &device;
