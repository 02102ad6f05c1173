/* SPDX-License-Identifier: MIT
 * A thermometer for an agent: a TMP36 at an analog input. It measures once a call. The agent may name what is to be added. */
#include "pins.h"
#include "program.h"
#include "quash.h"

struct reading {
	double offset;
	double celsius;
};

static const quash_range offsets = { -10, 10, 0 };
static const quash_param offset_list[] = { QUASH_ARG_NUMBER_OR(struct reading, offset, &offsets, "added to what is measured") };
static const quash_params offset_params = QUASH_PARAMS(struct reading, offset_list);

static const quash_range temperatures = { -50, 160, 0 };
static const quash_param reading_list[] = { QUASH_ARG_NUMBER(struct reading, celsius, &temperatures, "degrees Celsius") };
static const quash_params reading_result = QUASH_PARAMS(struct reading, reading_list);

static int32_t temperature(quash_request *request)
{
	struct reading *const r = QUASH_TOOL(struct reading, request);
	r->celsius = (double)(pins_thermometer() - 500) / 10 + r->offset;
	return quash_mcp_struct(request);
}

static const quash_mcp_tool tools[] = {
	{ .name = "temperature",
	  .description = "Measures the temperature of the room",
	  .args = &offset_params,
	  .output = &reading_result,
	  .call = temperature,
	  .hints = QUASH_MCP_READ_ONLY | QUASH_MCP_CLOSED_WORLD },
};
QUASH_MCP_DEVICE(device, tools, sizeof(struct reading), .name = "sensor", .version = "1.0");

const quash_config *const firmware_config = &device;
