#include "posix/posix_serve.h"
#include "quash.h"
#include <stdio.h>

struct turn { int32_t ms; bool on; }; /* of one call: how long to turn, and whether it turns */
static const quash_param turn_list[] = { QUASH_ARG_INT(struct turn, ms, 1, 60000, "how long, in milliseconds") };
static const quash_params turn_params = QUASH_PARAMS(struct turn, turn_list);

static int32_t turn(quash_request *request)
{
	struct turn *t = QUASH_TOOL(struct turn, request);
	if (t->on)
		return quash_mcp_text(request, "turned");
	t->on = true;
	fputs("motor on\n", stderr);                 /* on a board: a pin */
	return quash_wait(request, (uint32_t)t->ms); /* then it is called again */
}
static int32_t off(quash_request *request) { (void)request; fputs("motor off\n", stderr); return QUASH_DONE; }

static quash_group motor;
static const quash_mcp_tool tools[] = { { .name = "turn", .description = "Turns the motor", .args = &turn_params,
	.call = turn, .end = off, .deadline = 70000, .lease = 2000, .group = &motor, .marks = QUASH_DROPS } };
QUASH_MCP_DEVICE(config, tools, sizeof(struct turn), .name = "motor", .version = "1.0"); /* with its memory */

int main(void) { return posix_stdio_serve(&config); } /* the loop; a signal stops the motor too */
