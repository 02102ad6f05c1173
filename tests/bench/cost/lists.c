/* SPDX-License-Identifier: MIT
 * A list that is put by item leaves in one pass in all, however small TX is: `tools/list` of 200 tools. */
#include "served.h"

#include <stdio.h>

enum { MOST_TOOLS = 200 };

struct call {
	int32_t pin;
};

static const quash_param call_list[] = {
	QUASH_ARG_INT(struct call, pin, 0, 31, "which"),
};
static unsigned tool_puts; /* of a tool: each tool_puts the schema of its arguments once */

static void put_counted_schema(quash_writer *w, const quash_param *param)
{
	tool_puts++;
	quash_param_int.schema(w, param);
}

static quash_param_type counted_type;
static quash_param counted_list[1];
static const quash_params counted = { counted_list, sizeof(struct call), 1, NULL };

static int32_t tool(quash_request *request)
{
	return quash_mcp_text(request, "ok");
}

static char names[MOST_TOOLS][12];
static quash_mcp_tool tools[MOST_TOOLS];
static quash_mcp_session session;
static quash_mcp_server server = { .name = "cost", .version = "1", .session = &session, .tools = tools, .modern = &quash_mcp_modern,
	.token_size = 16 };
static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };

static void make_tools(void)
{
	counted_type = quash_param_int;
	counted_type.schema = put_counted_schema;
	counted_list[0] = call_list[0];
	counted_list[0].type = &counted_type;
	for (unsigned i = 0; i < MOST_TOOLS; i++) {
		(void)snprintf(names[i], sizeof names[i], "tool_%u", i);
		tools[i] = (quash_mcp_tool){ .name = names[i], .description = "does this and that", .args = &counted, .call = tool };
	}
}

struct listed {
	struct cost_run run;
	unsigned tool_puts;
};

static struct listed list_tools(unsigned count, quash_size tx, size_t speed)
{
	const struct cost_setup setup = { "a server of tools", &quash_mcp, methods,
		"{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'2025-06-18'}}", 256, tx, COST_STATE,
		sizeof methods / sizeof *methods, 2, false, true };
	uint8_t text[100];
	const size_t n = cost_message("{'jsonrpc':'2.0','id':1,'method':'tools/list'}", text, sizeof text);
	server.tool_count = (uint8_t)count;
	cost_start(&setup);
	tool_puts = 0;
	const struct cost_run run = cost_feed(text, n, n, speed);
	return (struct listed){ run, tool_puts };
}

/* Each tool once, and once more where a window ended inside of it. */
static void check_puts(quash_size tx, size_t speed)
{
	const struct listed all = list_tools(MOST_TOOLS, tx, speed);
	const unsigned windows = (unsigned)(all.run.written / tx + 1);
	cost_check(all.tool_puts >= MOST_TOOLS && all.tool_puts <= MOST_TOOLS + windows, "tools/list of %d tools, %zu bytes through %u: %u tools were put, at most %u",
		MOST_TOOLS, all.run.written, (unsigned)tx, all.tool_puts, MOST_TOOLS + windows);
}

/* 200 tools cost four times as much as 50. */
static void check_line(quash_size tx, size_t speed)
{
	const struct listed few = list_tools(MOST_TOOLS / 4, tx, speed), all = list_tools(MOST_TOOLS, tx, speed);
	const double each_of_few = (double)few.run.blocks / (double)few.run.written, each = (double)all.run.blocks / (double)all.run.written;
	cost_check(each <= each_of_few * 1.075 && each <= 200, "tools/list of %d tools through %u: %.1f blocks for a byte, of a quarter of them %.1f",
		MOST_TOOLS, (unsigned)tx, each, each_of_few);
}

void cost_of_lists(void)
{
	static const quash_size sizes[] = { 64, 128, 256, 1024 };
	make_tools();
	for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		check_puts(sizes[i], COST_FAST);
		check_puts(sizes[i], 1);
		check_line(sizes[i], COST_FAST);
	}
}
