/* SPDX-License-Identifier: MIT
 * A lamp on UART 0 of an ESP32. PlatformIO does not show the component's settings, so the sizes stand here. */
#include <port/esp-idf/quash_esp_uart.h>
#include <quash.h>

#include <driver/gpio.h>
#include <esp_log.h>

enum { TOKEN = 40 };
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

static quash_mcp_session session;
static const quash_mcp_tool tools[] = { QUASH_MCP_TOOL("lamp", "Switches the lamp", &lamp_params, lamp, QUASH_MCP_IDEMPOTENT) };
static const quash_mcp_server server = QUASH_MCP_SERVER("lamp", "1.0", &session, tools, TOKEN);
static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };
/* An arena of 256 bytes: a call needs 192 and what its arguments take, whatever its host adds. */
QUASH_STORAGE(store, 4, 40, QUASH_MCP_STATE(TOKEN, sizeof(struct lamp)), 256, 256);
static const quash_config config = { QUASH_MCP_CONFIG(store, methods) };

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
