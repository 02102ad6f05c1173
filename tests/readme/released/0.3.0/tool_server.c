/* SPDX-License-Identifier: MIT
 * An MCP server on a UART: a tool for an LED, and one for a motor, which a cancel stops. The devicetree names the UART
 * (chosen `quash,uart`), the LED (alias `led0`) and the pin that lets the motor run (alias `quash-motor`). */
#include <quash.h>
#include <quash/zephyr.h>

#include <zephyr/device.h>
#include <zephyr/devicetree.h>
#include <zephyr/drivers/gpio.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>

#if !DT_HAS_CHOSEN(quash_uart)
#error "no UART is chosen: put `chosen { quash,uart = &uart0; };` into an overlay, as in boards/"
#endif

enum { LONGEST_MS = 120000, LEASE_MS = 2000, REPORT_MS = 100, TOKEN_SIZE = 40 };

static const struct device *const uart_device = DEVICE_DT_GET(DT_CHOSEN(quash_uart));
static const struct gpio_dt_spec led_pin = GPIO_DT_SPEC_GET(DT_ALIAS(led0), gpios);
static const struct gpio_dt_spec motor_pin = GPIO_DT_SPEC_GET(DT_ALIAS(quash_motor), gpios);

/* --- led */

struct led {
	bool on;
};

static const quash_param led_list[] = { QUASH_ARG_BOOL(struct led, on, "whether it shines") };
static const quash_params led_params = QUASH_PARAMS(struct led, led_list);

static int32_t led(quash_request *request)
{
	const struct led *const l = QUASH_TOOL(struct led, request);
	if (gpio_pin_set_dt(&led_pin, l->on) != 0)
		return quash_mcp_failure(request, "the LED does not answer");
	return l->on ? quash_mcp_text(request, "on") : quash_mcp_text(request, "off");
}

/* --- motor */

struct motor {
	int32_t ms;
	uint32_t begin;
	bool runs;
};

static const quash_param motor_list[] = { QUASH_ARG_INT(struct motor, ms, 1, 60000, "for how long, in milliseconds") };
static const quash_params motor_params = QUASH_PARAMS(struct motor, motor_list);

static bool begin(struct motor *m, uint32_t now)
{
	m->begin = now;
	m->runs = gpio_pin_set_dt(&motor_pin, 1) == 0;
	return m->runs;
}

/* Called again every REPORT_MS until its time is over. */
static int32_t motor(quash_request *request)
{
	struct motor *const m = QUASH_TOOL(struct motor, request);
	const uint32_t now = quash_now(quash_peer_of(request)), ms = (uint32_t)m->ms;
	if (!m->runs && !begin(m, now))
		return quash_mcp_failure(request, "the motor does not answer");
	const uint32_t done = now - m->begin;
	if (done >= ms)
		return quash_mcp_text(request, "the motor has run");
	if (done > 0)
		(void)quash_mcp_progress(request, done, ms, NULL);
	return quash_wait(request, ms - done < REPORT_MS ? ms - done : REPORT_MS);
}

/* On every way out: an answer, an error, a cancel, a client that is gone. */
static int32_t motor_off(quash_request *request)
{
	(void)request;
	(void)gpio_pin_set_dt(&motor_pin, 0);
	return QUASH_DONE;
}

/* --- The server */

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
	  .end = motor_off,
	  .busy = "the motor is running",
	  .deadline = LONGEST_MS,
	  .lease = LEASE_MS,
	  .group = &one_motor,
	  .marks = QUASH_DROPS },
};

static quash_mcp_session session;
static const quash_mcp_server server = {
	.name = "quash-zephyr",
	.version = "1.0",
	.session = &session,
	.tools = tools,
	.tool_count = sizeof tools / sizeof tools[0],
	.token_size = TOKEN_SIZE,
	.modern = &quash_mcp_modern,
	.leases = &quash_mcp_leases,
};
static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };
QUASH_STORAGE(store, CONFIG_QUASH_SLOTS, CONFIG_QUASH_ID_SIZE, QUASH_MCP_STATE(TOKEN_SIZE, sizeof(struct motor)),
	CONFIG_QUASH_ARENA, CONFIG_QUASH_TX);
static const quash_config config = { QUASH_MCP_CONFIG(store, methods) };

static quash_peer peer;
static rtos_zephyr uart_link;

static bool is_output(const struct gpio_dt_spec *pin)
{
	return gpio_is_ready_dt(pin) && gpio_pin_configure_dt(pin, GPIO_OUTPUT_INACTIVE) == 0;
}

/* Runs as long as the device does; returns when the devicetree names something that is not there. */
static void serve(void *a, void *b, void *c)
{
	static uint8_t in[CONFIG_QUASH_UART_IN], out[CONFIG_QUASH_UART_OUT];
	const rtos_zephyr_choice choice = {
		.device = uart_device,
		.buffers = { .in = in, .out = out, .in_size = sizeof in, .out_size = sizeof out },
	};
	quash_fault fault;
	(void)a, (void)b, (void)c;
	if (!device_is_ready(uart_device) || !is_output(&led_pin) || !is_output(&motor_pin))
		return;
	if (!quash_init(&peer, &config, &fault)) { /* each request is answered so, too */
		char line[80];
		(void)quash_fault_line(&fault, line, sizeof line);
		printk("quash: %s\n", line);
	}
	if (rtos_zephyr_start(&uart_link, &peer, &choice))
		rtos_zephyr_serve(&uart_link);
}

K_THREAD_DEFINE(server_thread, CONFIG_QUASH_STACK_SIZE, serve, NULL, NULL, NULL, CONFIG_QUASH_THREAD_PRIORITY, 0, 0);
