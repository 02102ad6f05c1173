/* SPDX-License-Identifier: MIT
 * A tool server on the USB-Serial-JTAG of the chip. */
#include "quash_esp_config.h"
#include "quash_esp_usb.h"
#include "tools.h"

#include <esp_log.h>
#include <freertos/task.h>

static quash_peer peer;

static quash_esp_usb line;

static void serve(void *unused)
{
	static const quash_esp_usb_choice choice = QUASH_ESP_USB_CHOICE;
	(void)unused;
	ESP_ERROR_CHECK(quash_esp_usb_start(&line, &peer, &choice));
	quash_esp_usb_serve(&line);
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
	if (xTaskCreatePinnedToCore(serve, "quash", CONFIG_EXAMPLE_TASK_STACK, NULL, CONFIG_EXAMPLE_TASK_PRIORITY, NULL, 0) != pdPASS)
		ESP_LOGE("quash", "no memory for the task");
}
