/* SPDX-License-Identifier: MIT
 * A tool server on a UART. */
#include "quash_esp_config.h"
#include "quash_esp_uart.h"
#include "tools.h"

#include <esp_log.h>
#include <freertos/task.h>

static quash_peer peer;

/* Other tasks may call quash_esp_uart_cancel and quash_esp_uart_wake with it. */
static quash_esp_uart line;

static void serve(void *unused)
{
	static const quash_esp_uart_choice choice = QUASH_ESP_UART_CHOICE;
	(void)unused;
	ESP_ERROR_CHECK(quash_esp_uart_start(&line, &peer, &choice));
	quash_esp_uart_serve(&line);
}

void app_main(void)
{
	quash_fault fault;
	tools_begin();
	if (!quash_init(&peer, &tools_config, &fault)) { /* each request is answered so, too */
		char line[80];
		quash_fault_line(&fault, line, sizeof line);
		ESP_LOGE("quash", "%s", line);
	}
	if (xTaskCreate(serve, "quash", CONFIG_EXAMPLE_TASK_STACK, NULL, CONFIG_EXAMPLE_TASK_PRIORITY, NULL) != pdPASS)
		ESP_LOGE("quash", "no memory for the task");
}
