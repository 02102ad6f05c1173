/* SPDX-License-Identifier: MIT
 * An MCP server on USB: a tool for an LED, and one for a motor, which a cancel stops. So do a closed port and a pulled cable, as
 * far as the board has a supply beside USB. */
#include <pico/stdlib.h>
#include <quash.h>
#include <quash_pico.h>

#include <stdio.h>

#ifndef LED_PIN
#ifdef PICO_DEFAULT_LED_PIN
#define LED_PIN PICO_DEFAULT_LED_PIN
#else
#define LED_PIN 14
#endif
#endif
#ifndef MOTOR_PIN
#define MOTOR_PIN 15 /* lets a driver run the motor */
#endif

enum { TOKEN = 40, REPORT_MS = 100, LONGEST_MS = 120000, LEASE_MS = 2000 };

/* --- led */

struct led {
	bool on;
};

static const quash_param led_list[] = { QUASH_ARG_BOOL(struct led, on, "whether it shines") };
static const quash_params led_params = QUASH_PARAMS(struct led, led_list);

static int32_t led(quash_request *request)
{
	const bool on = QUASH_TOOL(struct led, request)->on;
	gpio_put(LED_PIN, on);
	return on ? quash_mcp_text(request, "on") : quash_mcp_text(request, "off");
}

/* --- motor */

struct motor {
	int32_t ms;
	int32_t done;
};

static const quash_param motor_list[] = { QUASH_ARG_INT(struct motor, ms, 1, 60000, "for how many milliseconds") };
static const quash_params motor_params = QUASH_PARAMS(struct motor, motor_list);

/* Called again every REPORT_MS, until the time is over. */
static int32_t motor(quash_request *request)
{
	struct motor *const m = QUASH_TOOL(struct motor, request);
	if (m->done >= m->ms)
		return quash_mcp_text(request, "the motor has run");
	const int32_t left = m->ms - m->done, slice = left < REPORT_MS ? left : REPORT_MS;
	gpio_put(MOTOR_PIN, true);
	if (m->done > 0)
		(void)quash_mcp_progress(request, (uint32_t)m->done, (uint32_t)m->ms, NULL);
	m->done += slice;
	return quash_wait(request, (uint32_t)slice);
}

/* On every way out: done, cancelled, no sign of life, a closed port. */
static int32_t motor_off(quash_request *request)
{
	(void)request;
	gpio_put(MOTOR_PIN, false);
	return QUASH_DONE;
}

/* --- The server */

union any_tool {
	struct led led;
	struct motor motor;
};

static quash_group one_motor;
static const quash_mcp_tool tools[] = {
	{ .name = "led",
	  .description = "Switches the LED",
	  .args = &led_params,
	  .call = led,
	  .hints = QUASH_MCP_ADDITIVE | QUASH_MCP_IDEMPOTENT },
	{ .name = "motor",
	  .description = "Runs the motor; a cancel stops it",
	  .args = &motor_params,
	  .call = motor,
	  .motion = { .end = motor_off, .longest = LONGEST_MS, .lease = LEASE_MS, .group = &one_motor },
	  .busy = "the motor is running" },
};
static quash_mcp_session session;
static const quash_mcp_server server = {
	.name = "pico", .version = "1.0", .session = &session, .tools = tools, .tool_count = sizeof tools / sizeof tools[0],
	.token_size = TOKEN, .modern = &quash_mcp_modern, .leases = &quash_mcp_leases };
static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };
QUASH_STORAGE(store, 4, 24, QUASH_MCP_STATE(TOKEN, sizeof(union any_tool)), 256, 256);
static const quash_config config = { QUASH_MCP_CONFIG(store, methods) };
static quash_peer peer;

static void output(uint pin)
{
	gpio_init(pin);
	gpio_put(pin, false);
	gpio_set_dir(pin, GPIO_OUT);
}

int main(void)
{
	output(MOTOR_PIN); /* first of all: after a reset it stands */
	output(LED_PIN);
	stdio_init_all();
	quash_fault fault;
	if (!quash_init(&peer, &config, &fault)) { /* each request is answered so, too */
		char line[80];
		(void)quash_fault_line(&fault, line, sizeof line);
		puts(line); /* on the UART: the USB port has messages alone */
	}
	quash_pico_serve(&peer);
	return 0;
}
