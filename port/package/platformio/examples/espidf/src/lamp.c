/* SPDX-License-Identifier: MIT
 * A lamp on UART 0 of an ESP32. PlatformIO does not show the component's settings, so the sizes are those of QUASH_MCP_DEVICE. */
#include <port/esp-idf/quash_esp_uart.h>
#include <quash.h>

#include <driver/gpio.h>
#include <esp_log.h>

static const gpio_num_t pin = GPIO_NUM_2;

struct lamp {
	bool on;
};

static const quash_param lamp_list[] = { QUASH_ARG_BOOL(struct lamp, on, "whether it shines") };
static const quash_params lamp_params = QUASH_PARAMS(struct lamp, lamp_list);

static int32_t lamp(quash_request *request)
{
	ESP_ERROR_CHECK(gpio_set_level(pin, QUASH_TOOL(struct lamp, request)->on));
	return quash_mcp_text(request, "done");
}

static const quash_mcp_tool tools[] = {
	{ .name = "lamp", .description = "Switches the lamp", .args = &lamp_params, .call = lamp, .hints = QUASH_MCP_IDEMPOTENT } };
QUASH_MCP_DEVICE(config, tools, sizeof(struct lamp), .name = "lamp", .version = "1.0");

void app_main(void)
{
	static quash_peer peer;
	static quash_esp_uart line;
	static const quash_esp_uart_choice choice = {
		.number = UART_NUM_0,
		.baud = 115200,
		.tx = UART_PIN_NO_CHANGE,
		.rx = UART_PIN_NO_CHANGE,
		.rts = UART_PIN_NO_CHANGE,
		.cts = UART_PIN_NO_CHANGE,
		.rx_size = 1024,
		.events = 32,
	};
	const gpio_config_t pins = { .pin_bit_mask = 1ull << pin, .mode = GPIO_MODE_OUTPUT };
	ESP_ERROR_CHECK(gpio_config(&pins));
	quash_fault fault;
	if (!quash_init(&peer, &config, &fault)) { /* each request is answered so, too */
		char words[80];
		quash_fault_line(&fault, words, sizeof words);
		ESP_LOGE("quash", "%s", words);
	}
	if (quash_esp_uart_start(&line, &peer, &choice) == ESP_OK)
		quash_esp_uart_serve(&line);
}
