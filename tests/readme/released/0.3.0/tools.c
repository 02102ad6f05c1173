/* SPDX-License-Identifier: MIT */
#include "tools.h"

#include "quash_esp_config.h"

#include <driver/gpio.h>

enum { TOKEN = 40, REPORT_MS = 100, LONGEST_MS = 120000, LEASE_MS = 2000 };

static void set_pin(int pin, bool on)
{
	ESP_ERROR_CHECK(gpio_set_level((gpio_num_t)pin, on ? 1 : 0));
}

/* --- led */

struct led {
	bool on;
};

static const quash_param led_list[] = { QUASH_ARG_BOOL(struct led, on, "whether it shines") };
static const quash_params led_params = QUASH_PARAMS(struct led, led_list);

static int32_t led(quash_request *request)
{
	const bool on = QUASH_TOOL(struct led, request)->on;
	set_pin(CONFIG_EXAMPLE_LED_PIN, on);
	return on ? quash_mcp_text(request, "on") : quash_mcp_text(request, "off");
}

/* --- turn: the motor is a driver's enable pin */

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
	set_pin(CONFIG_EXAMPLE_MOTOR_PIN, true);
	if (t->turned > 0)
		(void)quash_mcp_progress(request, (uint32_t)t->turned, (uint32_t)t->ms, NULL);
	t->turned += slice;
	return quash_wait(request, (uint32_t)slice);
}

/* On every way out: done, cancelled, no sign of life for LEASE_MS, a link that is gone. */
static int32_t motor_off(quash_request *request)
{
	(void)request;
	set_pin(CONFIG_EXAMPLE_MOTOR_PIN, false);
	return QUASH_DONE;
}

/* --- The server */

union any_tool {
	struct led led;
	struct turn turn;
};

static quash_group one_motor;
static const quash_mcp_tool tools[] = {
	{ .name = "led",
	  .description = "Switches the LED",
	  .args = &led_params,
	  .call = led,
	  .hints = QUASH_MCP_IDEMPOTENT | QUASH_MCP_CLOSED_WORLD },
	{ .name = "turn",
	  .description = "Turns the motor; a cancel stops it",
	  .args = &turn_params,
	  .call = turn,
	  .end = motor_off,
	  .busy = "the motor is busy",
	  .deadline = LONGEST_MS,
	  .lease = LEASE_MS,
	  .group = &one_motor,
	  .hints = QUASH_MCP_CLOSED_WORLD,
	  .marks = QUASH_DROPS },
};
static quash_mcp_session session;
static const quash_mcp_server server = {
	.name = "esp32", .version = "1.0", .session = &session, .tools = tools, .tool_count = sizeof tools / sizeof tools[0],
	.token_size = TOKEN, .modern = &quash_mcp_modern, .leases = &quash_mcp_leases };
static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };

QUASH_ESP_STORAGE(store, QUASH_MCP_STATE(TOKEN, sizeof(union any_tool)));
const quash_config tools_config = { QUASH_MCP_CONFIG(store, methods) };

void tools_begin(void)
{
	const gpio_config_t pins = {
		.pin_bit_mask = 1ull << CONFIG_EXAMPLE_LED_PIN | 1ull << CONFIG_EXAMPLE_MOTOR_PIN,
		.mode = GPIO_MODE_OUTPUT,
	};
	ESP_ERROR_CHECK(gpio_config(&pins));
	set_pin(CONFIG_EXAMPLE_LED_PIN, false);
	set_pin(CONFIG_EXAMPLE_MOTOR_PIN, false);
}
