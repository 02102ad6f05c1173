/* SPDX-License-Identifier: MIT
 * A tool server on a PC, on stdin and stdout: to try tools before there is a board. Its motor is a line on stderr. */
#include <port/posix/posix_serve.h>
#include <quash.h>
#include <stdio.h>

enum { TOKEN = 40, REPORT_MS = 100, LONGEST_MS = 120000, LEASE_MS = 2000 };

struct turn {
	int32_t ms;
	int32_t turned;
};

static const quash_param turn_list[] = { QUASH_ARG_INT(struct turn, ms, 1, 60000, "for how many milliseconds") };
static const quash_params turn_params = QUASH_PARAMS(struct turn, turn_list);

/* Called again every REPORT_MS, until the time is over. A cancel ends the wait, and then only `motor_off` is called. */
static int32_t turn(quash_request *request)
{
	struct turn *const t = QUASH_TOOL(struct turn, request);
	if (t->turned >= t->ms)
		return quash_mcp_text(request, "turned");
	const int32_t left = t->ms - t->turned;
	const int32_t slice = left < REPORT_MS ? left : REPORT_MS;
	if (t->turned == 0)
		fprintf(stderr, "motor on\n");
	else
		(void)quash_mcp_progress(request, (uint32_t)t->turned, (uint32_t)t->ms, NULL);
	t->turned += slice;
	return quash_wait(request, (uint32_t)slice);
}

/* On every way out: done, cancelled, no sign of life for LEASE_MS, the end of input, a signal, a client that is gone. */
static int32_t motor_off(quash_request *request)
{
	(void)request;
	fprintf(stderr, "motor off\n");
	return QUASH_DONE;
}

static quash_group one_motor;
static const quash_mcp_tool tools[] = {
	{ .name = "turn",
	  .description = "Turns the motor; a cancel stops it",
	  .args = &turn_params,
	  .call = turn,
	  .motion = { .end = motor_off, .longest = LONGEST_MS, .lease = LEASE_MS, .group = &one_motor },
	  .busy = "the motor is busy",
	  .hints = QUASH_MCP_CLOSED_WORLD },
};
QUASH_MCP_DEVICE(config, tools, sizeof(struct turn), .name = "native", .version = "1.0");

int main(void)
{
	return posix_stdio_serve(&config);
}
