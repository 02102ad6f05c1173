/* SPDX-License-Identifier: MIT
 * A strip of LEDs that fades from its colour to another one, and reports how far it is. A cancel leaves it as it is then: light
 * may go on without a client, so there is no lease. */
#include "pins.h"
#include "program.h"
#include "quash.h"

enum { FRAME_MS = 20, REPORT_FRAMES = 5 };

static uint8_t shown[3]; /* red, green, blue */

/* --- fade */

struct fade {
	int32_t red, green, blue, ms;
	uint32_t begin, frames;
	uint8_t from[3];
	bool begun;
};

static const quash_param fade_list[] = {
	QUASH_ARG_INT(struct fade, red, 0, 255, NULL),
	QUASH_ARG_INT(struct fade, green, 0, 255, NULL),
	QUASH_ARG_INT(struct fade, blue, 0, 255, NULL),
	QUASH_ARG_INT_OR(struct fade, ms, 0, 60000, 1000, "how long it takes, in milliseconds"),
};
static const quash_params fade_params = QUASH_PARAMS(struct fade, fade_list);

static void show(void)
{
	for (uint8_t i = 0; i < PIXELS; i++)
		pins_pixel(i, (uint32_t)shown[0] << 16 | (uint32_t)shown[1] << 8 | shown[2]);
}

static uint8_t between(uint8_t from, int32_t to, uint32_t done, uint32_t ms)
{
	return ms == 0 ? (uint8_t)to : (uint8_t)(from + (to - from) * (int32_t)done / (int32_t)ms);
}

static void begin(struct fade *f, uint32_t now)
{
	f->begin = now;
	f->begun = true;
	for (uint8_t i = 0; i < 3; i++)
		f->from[i] = shown[i];
}

static int32_t fade(quash_request *request)
{
	struct fade *const f = QUASH_TOOL(struct fade, request);
	const uint32_t now = quash_now(quash_peer_of(request)), ms = (uint32_t)f->ms;
	if (!f->begun)
		begin(f, now);
	const uint32_t done = now - f->begin < ms ? now - f->begin : ms;
	shown[0] = between(f->from[0], f->red, done, ms);
	shown[1] = between(f->from[1], f->green, done, ms);
	shown[2] = between(f->from[2], f->blue, done, ms);
	show();
	if (done == ms)
		return quash_mcp_text(request, "faded");
	if (++f->frames % REPORT_FRAMES == 0)
		quash_mcp_progress(request, done, ms, NULL);
	return quash_wait(request, ms - done < FRAME_MS ? ms - done : FRAME_MS);
}

/* --- colour */

struct colour {
	int32_t red, green, blue;
};

static const quash_param colour_list[] = {
	QUASH_ARG_INT(struct colour, red, 0, 255, NULL),
	QUASH_ARG_INT(struct colour, green, 0, 255, NULL),
	QUASH_ARG_INT(struct colour, blue, 0, 255, NULL),
};
static const quash_params colour_result = QUASH_PARAMS(struct colour, colour_list);
static const quash_params colour_params = QUASH_NO_PARAMS(struct colour);

static int32_t colour(quash_request *request)
{
	struct colour *const c = QUASH_TOOL(struct colour, request);
	c->red = shown[0];
	c->green = shown[1];
	c->blue = shown[2];
	return quash_mcp_struct(request);
}

/* --- The server */

static quash_group one_strip;
static const quash_mcp_tool tools[] = {
	{ .name = "fade",
	  .description = "Fades the strip to a colour",
	  .args = &fade_params,
	  .call = fade,
	  .busy = "the strip fades",
	  .group = &one_strip,
	  .hints = QUASH_MCP_IDEMPOTENT,
	  .marks = QUASH_DROPS },
	{ .name = "colour",
	  .description = "The colour of the strip",
	  .args = &colour_params,
	  .output = &colour_result,
	  .call = colour,
	  .hints = QUASH_MCP_READ_ONLY },
};
union state {
	struct fade fade;
	struct colour colour;
};
QUASH_MCP_DEVICE(device, tools, sizeof(union state), .name = "strip", .version = "1.0");

const quash_config *const firmware_config = &device;
